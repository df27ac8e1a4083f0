import CairnGeometry
import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Foundation
import Testing

private class Plot: Object {
  @Persisted var owner = ""
  @Persisted var order = 0
  @Persisted var at: GeoPoint?
  @Persisted var area: GeoPolygon?
}

/// Shapes that objects make together.
@Suite struct ShapeObjectTests {
  private let realm: Realm
  private let store = TemporaryStore()
  private var plots: Results<Plot> { realm.objects(Plot.self) }

  /// Four squares in a row, two for each of a and b, with points in the opposite order, and a plot of c
  /// without either.
  init() throws {
    realm = try store.realm()
    let plots = try (0..<4).map { index in
      let plot = Plot()
      plot.owner = index < 2 ? "a" : "b"
      plot.order = -index
      plot.at = GeoPoint(latitude: 0.5, longitude: Double(index) + 0.5)
      let west = Double(index)
      let corners = [(0, west), (0, west + 1), (1, west + 1), (1, west), (0, west)].compactMap {
        GeoPoint(latitude: $0.0, longitude: $0.1)
      }
      plot.area = try #require(GeoPolygon(outerRing: corners, edges: .planar))
      return plot
    }
    let lost = Plot()
    lost.owner = "c"
    try realm.write { realm.add(plots + [lost]) }
  }

  @Test func shapesOfGroups() throws {
    let union = try plots.shapes(of: \.area, by: \.owner, as: .union)
    #expect(union.keys.sorted() == ["a", "b"])
    let west = try #require(union["a"])
    #expect(west.kind == .polygon)
    #expect(west.bounds?.bottomLeft == GeoPoint(latitude: 0, longitude: 0))
    #expect(west.bounds?.topRight == GeoPoint(latitude: 1, longitude: 2))
    let lines = try plots.sorted(by: \.order).shapes(by: \.owner, as: .line)
    #expect(lines["b"]?.wkt == "LINESTRING (3.5 0.5, 2.5 0.5)")
    #expect(lines["c"] == nil)
  }

  @Test func shapeOfAll() throws {
    #expect(try plots.shape(as: .extent)?.wkt == "LINESTRING (0.5 0.5, 3.5 0.5)")
    #expect(try plots.shape(of: \.area, as: .coverage)?.bounds?.topRight.longitude == 4)
    #expect(try plots.where { $0.owner == "c" }.shape(of: \.area, as: .union) == nil)
  }

  @Test func mistakes() throws {
    #expect(throws: Realm.Error.self) { try plots.shape(of: \.owner, as: .union) }
    let error = #expect(throws: Realm.Error.self) {
      try plots.shapes(of: \.area, by: \.owner, as: .line)
    }
    #expect(
      error?.localizedDescription.contains("the group a: a line leads through points") == true)
  }
}
