import Cairn
import CairnTestSupport
import Testing

enum BoatKind: Int, PersistableEnum { case sail = 1, motor = 2 }

struct Knots: CustomPersistable, Hashable {
  var number: Double
  init(_ number: Double) { self.number = number }
  init(persistedValue: Double) { number = persistedValue }
  var persistableValue: Double { number }
}

class Boat: Object {
  @Persisted var name = ""
  @Persisted var kind = BoatKind.sail
  @Persisted var speed: Knots?
  @Persisted var crew = 0
  @Persisted var tender: Boat?
}

class BoatCard: Projection<Boat> {
  @Projected(\Boat.name) var title
  @Projected(\Boat.kind) var sort
  @Projected(\Boat.speed) var velocity
  @Projected(\Boat.tender?.name) var tenderName
  @Projected(\Boat.tender?.kind) var tenderKind
}

/// Projections report changes under the names of the projected properties, in their types.
@Suite(.tags(.threads)) struct ProjectionObservingTests {
  let onQueue = QueueRealm()

  private func observed(
    _ keyPaths: [String], _ body: (Realm, Boat) throws -> Void
  ) throws -> [[PropertyChange]] {
    var seen: [[PropertyChange]] = []
    try onQueue { realm in
      let boat = Boat(value: ["name": "Una", "speed": 3.5, "tender": ["name": "Dinghy"]])
      try realm.write { realm.add(boat) }
      let card = BoatCard(projecting: boat)
      let token = card.observe(keyPaths: keyPaths) { change in
        if case .change(_, let properties) = change { seen.append(properties) }
      }
      try body(realm, boat)
      realm.refresh()
      token.invalidate()
    }
    return seen
  }

  @Test func valuesAsProjected() throws {
    let seen = try observed([]) { realm, boat in
      try realm.write {
        boat.kind = .motor
        boat.speed = Knots(8)
        boat.tender?.kind = .motor
      }
      realm.refresh()
      try realm.write { boat.speed = nil }
    }
    #expect(seen.map { $0.map(\.name) } == [["sort", "velocity", "tenderKind"], ["velocity"]])
    #expect(seen.first?[0].oldValue as? BoatKind == .sail)
    #expect(seen.first?[0].newValue as? BoatKind == .motor)
    #expect(seen.first?[1].oldValue as? Knots == Knots(3.5))
    #expect(seen.first?[1].newValue as? Knots == Knots(8))
    #expect(seen.first?[2].oldValue as? BoatKind == .sail)
    #expect(seen.first?[2].newValue as? BoatKind == .motor)
    #expect(seen.last?[0].oldValue as? Knots == Knots(8) && seen.last?[0].newValue == nil)
  }

  @Test(arguments: [
    (["name"], ["title"]), (["title"], ["title"]), (["kind", "title"], ["sort", "title"]),
    (["tender.name"], ["tenderName", "tenderKind"]), (["tenderName"], ["tenderName"]),
  ])
  func namesOfTheSource(keyPaths: [String], properties: [String]) throws {
    let seen = try observed(keyPaths) { realm, boat in
      try realm.write { boat.crew += 1 }
      realm.refresh()
      try realm.write {
        boat.name = "Duo"
        boat.kind = .motor
        boat.speed = nil
        boat.tender?.name = "Float"
      }
    }
    #expect(seen.map { $0.map(\.name) } == [properties])
  }

  @Test func aPropertyOfNothingStored() {
    let text = Misuse.trap("projection: a property of nothing stored")
    #expect(text.contains("@Projected property 'idle' of 'IdleCard' reads no persisted property"))
  }

  @Test func namesOfNeither() {
    for name in ["colours", "nothing"] {
      let text = Misuse.trap("projection: observing \(name)")
      #expect(text.contains("No projected property of 'TrainCard' is called or shows '\(name)'."))
    }
  }
}
