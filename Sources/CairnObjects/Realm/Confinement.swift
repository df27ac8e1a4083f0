#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What a session belongs to: it is touched by one at a time.
enum Confinement: Hashable {
  /// An actor, on whichever thread it runs.
  case actor(ObjectIdentifier)
  /// A serial dispatch queue, on whichever thread it runs.
  case queue(QueueMark)
  /// A thread that no task runs on.
  case thread(UInt)
  /// The task that opened it, or what that handed it to; nobody can tell.
  case task
  /// Nothing: it is frozen, and any thread reads it.
  case none

  /// That of a caller with this isolation.
  init(_ isolation: (any Actor)?) {
    let isInTask = withUnsafeCurrentTask { $0 != nil }
    if let isolation, isInTask || !(isolation is MainActor) {
      self = .actor(ObjectIdentifier(isolation))
    } else {
      // The main actor without a task is the main thread: functions that know nothing of actors run there too.
      self = isInTask ? .task : .thread(Confinement.thread)
    }
  }

  /// Whether sessions of the same confinement may be one.
  var isShared: Bool { self != .task && self != .none }

  /// Whether the caller may touch what is confined so, as far as its thread tells.
  var admitsCaller: Bool {
    switch self {
    case .thread(let owner): owner == Confinement.thread
    case .queue(let mark): mark.isCurrent
    case .actor, .task, .none: true
    }
  }

  #if canImport(Glibc)
  private static var thread: UInt { UInt(pthread_self()) }
  #else
  private static var thread: UInt { UInt(bitPattern: pthread_self()) }
  #endif
}
