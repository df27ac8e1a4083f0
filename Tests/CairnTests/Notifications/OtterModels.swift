import Cairn
import CairnTestSupport
import Dispatch
import Foundation

class Otter: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var place: GeoPoint?
  @Persisted var friend: Otter?
  @Persisted var collar: Collar?
  @Persisted var note: AnyRealmValue
  @Persisted var toys: List<OtterToy>
  @Persisted(originProperty: "otters") var dens: LinkingObjects<Den>

  var initial: String { String(name.prefix(1)) }
}

class OtterToy: Object {
  @Persisted var name = ""
  @Persisted var price = 0
}

class Collar: EmbeddedObject {
  @Persisted var colour = ""
}

class Den: Object {
  @Persisted var name = ""
  @Persisted var otters: List<Otter>
  @Persisted var guests: MutableSet<Otter>
  @Persisted var byName: Map<String, Otter?>
  @Persisted var numbers: List<Int>
  @Persisted var colours: MutableSet<String>
  @Persisted var weights: Map<String, Double>
  @Persisted var anything: AnyRealmValue
}

/// A queue with its own realm. Work that a closure schedules runs after the closure.
struct QueueRealm: Sendable {
  let queue = DispatchQueue(label: "cairn.tests.observing")
  let configuration: Realm.Configuration

  init(_ configuration: Realm.Configuration? = nil) {
    self.configuration =
      configuration ?? .init(inMemoryIdentifier: "observing \(ObjectId.generate())")
  }

  func callAsFunction<R>(_ body: (Realm) throws -> R) throws -> R {
    try queue.sync { try here(body) }
  }

  /// Calls a closure from code that already runs on the queue.
  func here<R>(_ body: (Realm) throws -> R) throws -> R {
    try body(Realm(configuration: configuration, queue: queue))
  }

  /// Waits until the queue has finished the work scheduled before.
  func settle() { queue.sync {} }

  /// Waits until a condition holds on the queue.
  func wait(
    file: String = #fileID, line: Int = #line, until condition: () throws -> Bool
  ) throws {
    try eventually("the condition holds on the queue", file: file, line: line) {
      try queue.sync(execute: condition)
    }
  }
}

/// The observations of a closure, for the test to read later.
final class Seen<Value>: @unchecked Sendable {
  // Sendable: one queue or actor writes to it, and the test reads it while that is idle.
  var values: [Value] = []
  var token: NotificationToken?
  var last: Value? { values.last }
}

extension RealmCollectionChange where CollectionType: Collection {
  /// The change as text: deletions, insertions and modifications.
  var text: String {
    switch self {
    case .initial(let elements): "initial \(elements.count)"
    case .update(_, let deletions, let insertions, let modifications):
      "-\(deletions) +\(insertions) ~\(modifications)"
    case .error(let error): "\(error)"
    }
  }
}
