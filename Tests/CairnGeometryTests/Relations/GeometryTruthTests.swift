import CairnTestSupport
import Foundation
import Testing

@testable import CairnGeometry

/// The relations that GEOS, JTS, PostGIS and exact arithmetic agree on, where they are at hand.
@Suite struct GeometryTruthTests {
  @Test(.enabled(if: SharedData.isAvailable, "\(SharedData.reason)"))
  func planarRelations() throws {
    let records = try Truth.records("geometry/relations").filter { $0.text("edges") == "planar" }
    for record in Truth.asked(records) {
      let name = record.text("class")
      let relation = try #require(Self.relations[record.text("relation")])
      let shape = try #require(try TruthClasses.shape(record["shape"]))
      let prepared = try #require(PlanarMatcher(.geometry(shape, edges: .planar)))
      var expected = Expectation(record, unsure: try TruthClasses.unsure(name))
      let near = shape.withView { $0.bounds }
      for (number, (object, bounds)) in try Self.objects(name).enumerated() {
        // Of the objects that are far away, a quick run asks for one in eight.
        let isNear = near.flatMap { near in bounds.map(near.intersects) } ?? true
        guard isNear || number % 8 == 0 || Soak.isOn else { continue }
        if object.geometry.withView({ prepared.holds(relation, $0) }) {
          expected.found.append(object.id)
        }
      }
      #expect(expected.isMet, "\(record.text("id")) \(name) \(relation)")
    }
  }

  private typealias Bounded = (object: TruthClasses.Object, bounds: Envelope?)

  private static let bounded = Locked<[String: [Bounded]]>([:])

  /// The objects of a class with their rectangles, which are computed once.
  private static func objects(_ name: String) throws -> [Bounded] {
    if let known = bounded.value[name] { return known }
    let made = try TruthClasses.objects(name).map { object in
      (object: object, bounds: object.geometry.withView { $0.bounds })
    }
    bounded.withLock { $0[name] = made }
    return made
  }

  private static let relations: [String: SpatialRelation] = [
    "within": .within, "intersects": .intersects, "contains": .contains,
  ]

  /// The keys that a question must find.
  private struct Expectation {
    var found: [String] = []
    private let expect: Truth.Record
    private let unsure: Set<String>

    init(_ record: Truth.Record, unsure: [String]) {
      expect = record["expect"] as? Truth.Record ?? [:]
      let either = expect["either"] as? [Any] ?? []
      self.unsure = Set(unsure).union(either.map { "\($0)" })
    }

    /// Whether the keys are right. Where there are many, the truth has only their number and a
    /// checksum; the number is enough here.
    var isMet: Bool {
      let sure = found.filter { !unsure.contains($0) }
      if let ids = expect["ids"] as? [Any] { return Set(sure) == Set(ids.map { "\($0)" }) }
      return sure.count == expect["count"] as? Int
    }
  }
}
