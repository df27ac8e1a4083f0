import CairnTestSupport
import Foundation
import Testing

@testable import CairnGeometry

/// Answers of S2 and PostGIS to questions with geodesic edges.
@Suite(.enabled(if: SharedData.isAvailable, "\(SharedData.reason)")) struct GeodesicTruthTests {
  /// A cap around a geometry with geodesic edges; nil if there is no small one.
  private struct Cap {
    let center: Vector
    let radius: Double

    init?(_ geometry: Geometry) {
      let points = geometry.withView { view in
        (0..<view.vertexCount).map { Vector(view, index: $0) }
      }
      let sum = points.reduce(Vector(x: 0, y: 0, z: 0)) { $0 + $1 }
      guard sum.length > 1e-3 else { return nil }
      center = sum.unit
      let middle = center
      radius = points.map { Sphere.angle(chordSquared: $0.chordSquared(to: middle)) }.max() ?? 0
      guard radius < 1.2 else { return nil }
    }

    func distance(to other: Cap) -> Double {
      Sphere.angle(chordSquared: center.chordSquared(to: other.center)) - radius - other.radius
    }
  }

  private static let caps = Locked<[String: [Cap?]]>([:])

  /// The objects that are not known to be farther than a distance by their caps alone.
  private func candidates(
    _ name: String, near shape: Geometry, radians: Double
  ) throws -> [TruthClasses.Object] {
    let objects = try TruthClasses.objects(name)
    let caps = Self.caps.value[name] ?? objects.map { Cap($0.geometry) }
    Self.caps.withLock { $0[name] = caps }
    let own = Cap(shape)
    return zip(objects, caps).compactMap { object, cap in
      if let own, let cap, own.distance(to: cap) > radians + 1e-9 { return nil }
      return object
    }
  }

  private func expect(
    _ found: [String], _ expectation: Truth.Record, _ note: String, leavingOut either: Set<String>
  ) {
    let found = found.filter { !either.contains($0) }
    #expect(found.count == Int(expectation.double("count")), "\(note)")
    if let ids = expectation["ids"] as? [Any] {
      let expected = Set(ids.map { "\($0)" }).subtracting(either)
      #expect(
        Set(found) == expected, "\(note) \(Set(found).symmetricDifference(expected).prefix(5))")
    } else {
      let sorted =
        found.allSatisfy { Int($0) != nil }
        ? found.compactMap { Int($0) }.sorted().map { "\($0)" } : found.sorted()
      #expect(SHA256.hex(sorted.joined(separator: "\n")) == expectation.text("sha256"), "\(note)")
    }
  }

  private func either(_ record: Truth.Record) -> Set<String> {
    let own = (record["either"] as? [Any] ?? []).map { "\($0)" }
    return Set(own + (record.text("class") == "Countries50" ? ["IND"] : []))
  }

  @Test func relations() throws {
    let relations: [String: SpatialRelation] = [
      "within": .within, "intersects": .intersects, "contains": .contains,
    ]
    let records = try Truth.records("geometry/relations").filter { $0.text("edges") == "geodesic" }
    #expect(records.count == 175)
    for record in Truth.asked(records) {
      let shape = try #require(try TruthClasses.shape(record["shape"]))
      let relation = try #require(relations[record.text("relation")])
      let expectation = try #require(record["expect"] as? Truth.Record)
      let matcher = try GeodesicMatcher(shape)
      var found: [String] = []
      for object in try candidates(record.text("class"), near: shape, radians: 0) {
        object.geometry.withView { view in
          if matcher.holds(relation, view) { found.append(object.id) }
        }
      }
      expect(
        found, expectation, record.text("id"),
        leavingOut: either(record).union(either(expectation)))
    }
  }

  @Test func distances() throws {
    let records = try Truth.records("geometry/distance")
    #expect(records.count == 100)
    // The many points of Cities are for soak runs; those of Airports and Quakes are no others.
    for record in Truth.asked(records) where Soak.isOn || record.text("class") != "Cities" {
      let shape: Geometry
      if let near = record.location("near") {
        var builder = GeometryBuilder()
        builder.begin(.point)
        builder.add(longitude: near.longitude, latitude: near.latitude)
        builder.end()
        shape = builder.geometry()
      } else {
        shape = try #require(try TruthClasses.shape(record["shape"]))
      }
      let origin = try PreparedOrigin(.geometry(shape, edges: .geodesic))
      let expectation = try #require(record["expect"] as? Truth.Record)
      if record["k"] == nil {
        try checkRadius(record, shape, origin, expectation)
      } else {
        try checkNearest(record, origin, expectation)
      }
    }
  }

  private func checkRadius(
    _ record: Truth.Record, _ shape: Geometry, _ origin: PreparedOrigin, _ expectation: Truth.Record
  ) throws {
    let radius = record.double("radius_m") / Sphere.radius
    var found: [String: Double] = [:]
    for object in try candidates(record.text("class"), near: shape, radians: radius) {
      let angle = object.geometry.withView { origin.distance(to: $0, upTo: radius) }
      if angle < .infinity { found[object.id] = angle * Sphere.radius }
    }
    let note = record.text("id")
    expect(Array(found.keys), expectation, note, leavingOut: either(record))
    let ids = (expectation["ids"] as? [Any] ?? []).map { "\($0)" }
    for (id, metres) in zip(ids, expectation.doubles("distances")) {
      let own = try #require(found[id], "\(note)")
      #expect(abs(own - metres) <= max(1e-6, 1e-9 * metres), "\(note) \(id) \(own) \(metres)")
    }
  }

  private func checkNearest(
    _ record: Truth.Record, _ origin: PreparedOrigin, _ expectation: Truth.Record
  ) throws {
    let excluded = either(record)
    let ids = (expectation["ids"] as? [Any] ?? []).map { "\($0)" }
    let all = try TruthClasses.objects(record.text("class")).compactMap { object in
      excluded.contains(object.id)
        ? nil : (object.id, object.geometry.withView { origin.distance(to: $0) } * Sphere.radius)
    }
    let sorted = all.sorted { ($0.1, Int($0.0) ?? 0, $0.0) < ($1.1, Int($1.0) ?? 0, $1.0) }
    let note = record.text("id")
    #expect(sorted.prefix(ids.count).map(\.0) == ids, "\(note)")
    for (own, metres) in zip(sorted, expectation.doubles("distances")) {
      #expect(abs(own.1 - metres) <= max(1e-6, 1e-9 * metres), "\(note) \(own) \(metres)")
    }
  }
}
