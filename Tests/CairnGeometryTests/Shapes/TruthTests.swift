import CairnTestSupport
import Foundation
import Testing

@testable import CairnGeometry

@Suite(.enabled(if: SharedData.isAvailable, "\(SharedData.reason)")) struct TruthTests {
  /// Two sets of medium size; tests of the shell use all sets.
  private static let sets = ["airports", "graticule5"]

  @Test func circles() throws {
    try check("circles", sets: Self.sets, expectation: "expect") { record in
      let center = try #require(record.location("center"))
      let radius = try #require(Distance.meters(record.double("radius_m")))
      return .circle(GeoCircle(center: center, radius: radius))
    }
  }

  @Test func boxes() throws {
    try check("boxes", sets: Self.sets, expectation: "expect") { record in
      .box(
        GeoBox(
          bottomLeft: try #require(record.location("min")),
          topRight: try #require(record.location("max"))
        ))
    }
  }

  @Test(arguments: [GeoPolygon.Edges.geodesic, .planar])
  func polygonsOfTheTruth(edges: GeoPolygon.Edges) throws {
    try check("polygons", sets: Self.sets, expectation: "\(edges)") { record in
      .polygon(try GeoPolygon(polygons: polygons(record["polygons"]), edges: edges))
    }
  }

  private func check(
    _ file: String, sets: [String], expectation: String, _ shape: (Truth.Record) throws -> Shape
  ) throws {
    let records = try Truth.records(file)
    #expect(records.count >= 30)
    for name in sets {
      let points = try Truth.points(name)
      #expect(points.count > 1000)
      for record in records {
        guard let all = record[expectation] as? Truth.Record,
          let expected = all[name] as? Truth.Record
        else { continue }
        compare(try shape(record).region, points, expected, "\(record.text("id")) \(name)")
      }
    }
  }

  private func compare(
    _ region: Region, _ points: [(id: String, point: GeoPoint)], _ expected: Truth.Record,
    _ note: String
  ) {
    let either = Set((expected["either"] as? [Any] ?? []).map { "\($0)" })
    let bounds = region.bounds
    let found = points.filter { item in
      let (x, y) = (item.point.longitude, item.point.latitude)
      return bounds.contains(Envelope(west: x, south: y, east: x, north: y))
        && region.contains(longitude: x, latitude: y) && !either.contains(item.id)
    }
    #expect(found.count == Int(expected.double("count")), "\(note)")
    if let ids = expected["ids"] as? [Any] {
      #expect(Set(found.map(\.id)) == Set(ids.map { "\($0)" }), "\(note)")
    }
  }

  @Test func distances() throws {
    for record in try Truth.records("distances") {
      let from = try #require(record.location("from"))
      let to = try #require(record.location("to"))
      #expect(abs(from.distance(to: to).asMeters() - record.double("sphere_m")) < 0.01)
    }
  }

  @Test func nearest() throws {
    for record in try Truth.records("nearest") where record.text("dataset") == "airports" {
      let center = try #require(record.location("center"))
      let points = try Truth.points(record.text("dataset"))
      let sorted = points.map { center.distance(to: $0.point).asMeters() }.sorted()
      for (one, other) in zip(sorted, record.doubles("distance_m")) {
        #expect(abs(one - other) < 0.02)
      }
    }
  }
}
