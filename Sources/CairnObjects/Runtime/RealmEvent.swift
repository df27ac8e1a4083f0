import CairnSystem

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Realm {
  /// An event in the life of a realm: it is opened and closed, its store is migrated and compacted,
  /// and writes are committed.
  public struct Event: Sendable, CustomStringConvertible {
    /// The kinds of events.
    public enum Kind: Sendable, Equatable {
      /// A thread, queue, actor or task has opened the store.
      case opened
      /// The last reference to an opened realm, its objects and its results is gone.
      case closed
      /// The classes of the store were changed for a new schema version. A commit follows.
      case migrated(from: UInt64, to: UInt64)
      /// The file was compacted before it was opened. The sizes are in bytes.
      case compacted(before: Int, after: Int)
      /// A write became durable. For an asynchronous commit, the time includes the wait for it.
      case committed
      /// A write could not be committed, and has changed nothing.
      case failedCommit
    }

    /// The event.
    public let kind: Kind
    /// The path of the store, or its identifier in memory.
    public let store: String
    /// The time that it took; zero for closing.
    public let duration: Duration

    /// The event as a sentence.
    public var description: String {
      switch kind {
      case .opened: "opened '\(store)'"
      case .closed: "closed '\(store)'"
      case .migrated(let old, let new):
        "migrated '\(store)' from schema version \(old) to \(new)"
      case .compacted(let before, let after):
        "compacted '\(store)' from \(before) to \(after) bytes"
      case .committed: "committed to '\(store)'"
      case .failedCommit: "failed to commit to '\(store)'"
      }
    }
  }

  /// Receives events. It may be called by any thread, and delays what it reports.
  public typealias EventHandler = @Sendable (Event) -> Void
}

/// Measures an event, if somebody receives it.
struct EventTimer {
  private let handler: Realm.EventHandler?
  private let store: String
  private let start: Double

  init(_ handler: Realm.EventHandler?, store: @autoclosure () -> String) {
    self.handler = handler
    self.store = handler == nil ? "" : store()
    start = handler == nil ? 0 : MonotonicClock.seconds
  }

  /// Reports the event, which is not made if nobody receives it.
  func report(_ kind: @autoclosure () -> Realm.Event.Kind) {
    guard let handler else { return }
    handler(
      Realm.Event(
        kind: kind(), store: store, duration: .seconds(MonotonicClock.seconds - start)))
  }
}

/// Reports the end of a session that has reported its opening.
final class ClosingReport: Sendable {
  private let handler: Realm.EventHandler
  private let store: String

  init?(_ handler: Realm.EventHandler?, store: String) {
    guard let handler else { return nil }
    self.handler = handler
    self.store = store
  }

  deinit { handler(Realm.Event(kind: .closed, store: store, duration: .zero)) }
}

extension Realm.Configuration {
  /// The path of the store, or its identifier in memory.
  var storeName: String { inMemoryIdentifier ?? fileURL?.path ?? "" }
}
