import CairnTestSupport
import Foundation

@testable import CairnGeometry

extension Geometry {
  /// Creates a geometry from a decoded GeoJSON geometry, without any check; nil if it has another
  /// structure.
  init?(json: Any?) {
    var builder = GeometryBuilder()
    guard let record = json as? Truth.Record, builder.add(record) else { return nil }
    self = builder.geometry()
  }

  /// Creates a geometry from the text of a GeoJSON geometry.
  init?(json text: String) {
    self.init(json: try? JSONSerialization.jsonObject(with: Data(text.utf8)))
  }

  /// Creates a polygon of rings of (longitude, latitude).
  init(rings: [[(Double, Double)]]) {
    self.init(polygons: [rings])
  }

  /// Creates a polygon, or a multipolygon unless there is exactly one.
  init(polygons: [[[(Double, Double)]]]) {
    var builder = GeometryBuilder()
    if polygons.count != 1 { builder.begin(.multiPolygon) }
    for rings in polygons {
      builder.begin(.polygon)
      for ring in rings {
        builder.beginRing()
        for (x, y) in ring { builder.add(longitude: x, latitude: y) }
        builder.endRing()
      }
      builder.end()
    }
    if polygons.count != 1 { builder.end() }
    self = builder.geometry()
  }

  /// The rings of all polygons.
  var polygonRings: [[[(x: Double, y: Double)]]] {
    withView { view in
      view.parts.compactMap { part in
        guard case .polygon(let rings) = part else { return nil }
        return rings.map { $0.map { (x: view.longitude($0), y: view.latitude($0)) } }
      }
    }
  }

  /// The area in the plane of longitude and latitude, in square degrees.
  var planarArea: Double {
    polygonRings.reduce(0) { sum, rings in
      sum
        + rings.enumerated().reduce(0) {
          $0 + ($1.offset == 0 ? 1 : -1) * Self.planarArea($1.element)
        }
    }
  }

  private static func planarArea(_ ring: [(x: Double, y: Double)]) -> Double {
    abs(zip(ring, ring.dropFirst()).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y }) / 2
  }

  /// Whether a point is in a polygon of the geometry; nil if it is within `band` of an edge.
  func planarContains(_ x: Double, _ y: Double, band: Double = 1e-9) -> Bool? {
    withView { view in
      var isInAny = false
      for part in view.parts {
        guard case .polygon(let rings) = part else { continue }
        var crossings = Oracle.Crossings(x, y, band: band)
        for ring in rings {
          var index = ring.lowerBound
          while index < ring.upperBound {
            crossings.add(view.longitude(index), view.latitude(index))
            index += 1
          }
          crossings.endRing()
        }
        guard let isInside = crossings.isInside else { return nil }
        isInAny = isInAny || isInside
      }
      return isInAny
    }
  }
}

extension GeometryBuilder {
  fileprivate mutating func add(_ record: Truth.Record) -> Bool {
    let kinds: [String: Geometry.Kind] = [
      "Point": .point, "LineString": .lineString, "Polygon": .polygon, "MultiPoint": .multiPoint,
      "MultiLineString": .multiLineString, "MultiPolygon": .multiPolygon,
      "GeometryCollection": .geometryCollection,
    ]
    guard let kind = kinds[record.text("type")] else { return false }
    guard kind == .geometryCollection else { return add(kind, of: record["coordinates"]) }
    begin(kind)
    for member in record["geometries"] as? [Truth.Record] ?? [] {
      guard add(member) else { return false }
    }
    end()
    return true
  }

  private mutating func add(_ kind: Geometry.Kind, of coordinates: Any?) -> Bool {
    guard let list = coordinates as? [Any] else { return false }
    begin(kind)
    defer { end() }
    switch kind {
    case .point: return list.isEmpty || add(vertex: list)
    case .lineString: return list.allSatisfy { add(vertex: $0) }
    case .polygon:
      return list.allSatisfy { ring in
        guard let ring = ring as? [Any] else { return false }
        beginRing()
        defer { endRing() }
        return ring.allSatisfy { add(vertex: $0) }
      }
    case .multiPoint: return list.allSatisfy { add(.point, of: $0) }
    case .multiLineString: return list.allSatisfy { add(.lineString, of: $0) }
    case .multiPolygon: return list.allSatisfy { add(.polygon, of: $0) }
    case .geometryCollection: return false
    }
  }

  private mutating func add(vertex: Any) -> Bool {
    guard let numbers = vertex as? [NSNumber], numbers.count > 1 else { return false }
    add(
      longitude: numbers[0].doubleValue, latitude: numbers[1].doubleValue,
      altitude: numbers.count > 2 ? numbers[2].doubleValue : nil)
    return true
  }
}
