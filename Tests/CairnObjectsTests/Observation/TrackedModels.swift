import CairnObjects
import CairnSystem
import Observation
import Testing

final class TrackedCity: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var population = 0
  @Persisted var area: Double?
  @Persisted var tags: List<String>
  @Persisted var marks: MutableSet<Int>
  @Persisted var notes: Map<String, Int>
  @Persisted var mayor: TrackedPerson?
  @Persisted var council: List<TrackedPerson>
  @Persisted var seal: TrackedSeal?
  @Persisted var extra: AnyRealmValue
}

final class TrackedPerson: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted(originProperty: "mayor") var cities: LinkingObjects<TrackedCity>
}

final class TrackedSeal: EmbeddedObject {
  @Persisted var motto = ""
}

/// Counts the reports of a tracking.
final class Reports: Sendable {
  private let number = Mutex(0)

  var count: Int { number.withLock { $0 } }
  func add() { number.withLock { $0 += 1 } }

  /// Tracks the closure once.
  @discardableResult
  static func of<Value>(_ read: () -> Value) -> Reports {
    let reports = Reports()
    _ = withObservationTracking(read) { reports.add() }
    return reports
  }
}

/// Writes with another realm on another thread, so that the caller's realm learns of a commit.
func writeElsewhere(_ realm: Realm, _ body: @escaping @Sendable (Realm) -> Void) {
  let configuration = realm.configuration
  Threads.startJoinable {
    do {
      let other = try Realm(configuration: configuration)
      try other.write { body(other) }
    } catch { Issue.record(error) }
  }.join()
}

extension TrackedCity {
  convenience init(_ id: Int, name: String = "") {
    self.init()
    self.id = id
    self.name = name
  }
}
