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
      /// The file grows with every commit, because a reader has held an old version for longer than a
      /// minute. It is reported once from 64 MB on, and again whenever the size has doubled, by a realm
      /// that writes.
      case growing(Growth)
    }

    /// A version of a store that a reader holds, and what it costs.
    public struct Growth: Sendable, Equatable {
      /// The size in bytes of the pages that cannot be reused before the reader ends.
      public let bytes: Int
      /// The number of commits since the version.
      public let commits: Int
      /// The threads, queues, actors or tasks whose realms hold the version, or the process if it is
      /// another one; empty for frozen objects.
      public let holders: [String]
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
      case .growing(let growth):
        "'\(store)' grows: \(growth.holderText) held the same version for \(duration.components.seconds) s, "
          + "so \(growth.bytes / 1_000_000) MB that \(growth.commits) commits have freed cannot be "
          + "reused. Refresh or invalidate realms that read nothing, and release frozen objects."
      }
    }
  }

  /// Receives events. It may be called by any thread, and delays what it reports.
  public typealias EventHandler = @Sendable (Event) -> Void
}

extension Realm.Event.Growth {
  fileprivate var holderText: String {
    if holders.isEmpty { return "a frozen object has" }
    return holders.joined(separator: " and ") + (holders.count == 1 ? " has" : " have")
  }
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
