import CairnTestSupport
import Foundation
import Testing

@testable import CairnGeometry

/// The relations that GEOS, JTS, PostGIS and exact arithmetic agree on, where they are at hand.
@Suite struct GeometryTruthTests {
  @Test(.enabled(if: SharedData.isAvailable, "\(SharedData.reason)"))
  func planarRelations() throws {
    for record in try Truth.records("geometry/relations") where record.text("edges") == "planar" {
      let name = record.text("class")
      let relation = try #require(Self.relations[record.text("relation")])
      let shape = try #require(try TruthClasses.shape(record["shape"]))
      let prepared = try #require(PlanarMatcher(.geometry(shape, edges: .planar)))
      var expected = Expectation(record, unsure: try TruthClasses.unsure(name))
      for (id, geometry) in try TruthClasses.objects(name)
      where geometry.withView({ prepared.holds(relation, $0) }) {
        expected.found.append(id)
      }
      #expect(expected.isMet, "\(record.text("id")) \(name) \(relation)")
    }
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
