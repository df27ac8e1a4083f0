import Cairn
import Foundation

/// The parameters of the queries: places, sizes and shapes, in degrees and metres, longitude first.
struct Queries: Codable {
  typealias Ring = [[Double]]

  struct Condition: Codable {
    let population_gt: Int
    let category: String
  }

  let centres: [[Double]]
  let radii_m: [Int]
  /// The boxes (west, south, east, north) by their width in degrees.
  let boxes: [String: [[Double]]]
  /// The polygons as rings, by name.
  let polygons: [String: [[Ring]]]
  let predicate: Condition
  let knn_k: [Int]
  let join: [[Ring]]
}

extension Queries {
  init(contentsOf path: String) throws {
    self = try JSONDecoder().decode(
      Queries.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  var places: [GeoPoint] {
    get throws { try centres.map(Self.point) }
  }

  func boxes(width: String) throws -> [GeoBox] {
    try (boxes[width] ?? []).map { sides in
      GeoBox(
        bottomLeft: try Self.point([sides[0], sides[1]]),
        topRight: try Self.point([sides[2], sides[3]]))
    }
  }

  func polygons(_ name: String, _ edges: GeoPolygon.Edges) throws -> [GeoPolygon] {
    try (polygons[name] ?? []).map { try Self.polygon($0, edges) }
  }

  static func polygon(_ rings: [Ring], _ edges: GeoPolygon.Edges) throws -> GeoPolygon {
    let rings = try rings.map { try $0.map(point) }
    guard
      let polygon = GeoPolygon(outerRing: rings[0], holes: Array(rings.dropFirst()), edges: edges)
    else { throw Mistake(description: "a polygon with an open or short ring") }
    return polygon
  }

  static func point(_ pair: [Double]) throws -> GeoPoint {
    guard pair.count == 2, let point = GeoPoint(latitude: pair[1], longitude: pair[0]) else {
      throw Mistake(description: "not a place on the earth: \(pair)")
    }
    return point
  }
}

/// An invalid queries file.
struct Mistake: Error, CustomStringConvertible {
  let description: String
}
