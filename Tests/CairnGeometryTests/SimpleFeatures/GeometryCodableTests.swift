import CairnTestSupport
import Foundation
import Testing

@testable import CairnGeometry

@Suite(.tags(.untrusted)) struct GeometryCodableTests {
  private static func decode<T: Decodable>(_ type: T.Type = T.self, _ json: String) throws -> T {
    try JSONDecoder().decode(T.self, from: Data(json.utf8))
  }

  private static func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test(arguments: [
    ("POINT (8.5 47)", #"{"coordinates":[8.5,47],"type":"Point"}"#),
    ("POINT EMPTY", #"{"coordinates":[],"type":"Point"}"#),
    ("LINESTRING Z (1 2 3, 4 5 NaN)", #"{"coordinates":[[1,2,3],[4,5]],"type":"LineString"}"#),
    (
      "POLYGON ((0 0, 1 0, 1 1, 0 0))",
      #"{"coordinates":[[[0,0],[1,0],[1,1],[0,0]]],"type":"Polygon"}"#
    ),
    ("POLYGON EMPTY", #"{"coordinates":[],"type":"Polygon"}"#),
    ("MULTIPOINT ((1 2), EMPTY)", #"{"coordinates":[[1,2],[]],"type":"MultiPoint"}"#),
    (
      "MULTILINESTRING ((1 2, 3 4))",
      #"{"coordinates":[[[1,2],[3,4]]],"type":"MultiLineString"}"#
    ),
    (
      "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), EMPTY)",
      #"{"coordinates":[[[[0,0],[1,0],[1,1],[0,0]]],[]],"type":"MultiPolygon"}"#
    ),
    (
      "GEOMETRYCOLLECTION (POINT (1 2), GEOMETRYCOLLECTION EMPTY)",
      #"{"geometries":[{"coordinates":[1,2],"type":"Point"},{"geometries":[],"type":"GeometryCollection"}],"type":"GeometryCollection"}"#
    ),
  ])
  func goldenTexts(wkt: String, json: String) throws {
    let geometry = try Geometry(wkt: wkt)
    #expect(try Self.encode(geometry) == json)
    #expect(try Self.decode(Geometry.self, json) == geometry)
  }

  @Test func textsRoundTrip() throws {
    var random = SplitMix64(seed: 9)
    for _ in 0..<400 {
      let geometry = Geometry.random(&random)
      #expect(try Self.decode(Geometry.self, Self.encode(geometry)) == geometry, "\(geometry)")
    }
  }

  @Test(arguments: [
    (#"{"type":"Circle","coordinates":[1,2]}"#, "type", "found 'Circle'"),
    (#"{"type":"Point","coordinates":[1]}"#, "coordinates.1", "at end"),
    (#"{"type":"Point"}"#, "", "coordinates"),
    (#"{"type":"LineString","coordinates":[[1,2],[3,"4"]]}"#, "coordinates.1.1", "Double"),
    (
      #"{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,1]]]}"#, "", "the outer ring is not closed"
    ),
    (#"{"type":"Point","coordinates":[1,200]}"#, "", "latitude of 200.0"),
    (
      #"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},7]}"#,
      "geometries.1", "Dictionary"
    ),
  ])
  func errorsHaveTheCodingPath(json: String, path: String, text: String) {
    #expect { try Self.decode(Geometry.self, json) } throws: { error in
      let context: DecodingError.Context? =
        switch error as? DecodingError {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
          .keyNotFound(_, let context), .dataCorrupted(let context):
          context
        default: nil
        }
      let found = (context?.codingPath ?? []).map {
        $0.intValue.map(String.init) ?? $0.stringValue
      }.joined(separator: ".")
      #expect(found == path)
      let message = "\(context?.debugDescription ?? "")"
      #expect(message.localizedCaseInsensitiveContains(text) || "\(error)".contains(text))
      return true
    }
  }

  @Test func shapesRoundTrip() throws {
    let points = [(1.0, 2.0), (3, 4), (3, 5), (1, 2)].compactMap { GeoPoint($0) }
    let line = try #require(GeoLineString(points))
    #expect(try Self.decode(GeoLineString.self, Self.encode(line)) == line)
    for edges in [GeoPolygon.Edges.planar, .geodesic] {
      let polygon = try #require(GeoPolygon(outerRing: points, edges: edges))
      let json = try Self.encode(polygon)
      #expect(json.contains("edges") == (edges == .planar))
      #expect(try Self.decode(GeoPolygon.self, json) == polygon)
      let several = try GeoPolygon(polygons: [[points], [points]], edges: edges)
      #expect(try Self.decode(GeoPolygon.self, Self.encode(several)) == several)
    }
    let box = try #require(GeoBox(bottomLeft: (1, 170), topRight: (2.5, -170)))
    #expect(try Self.encode(box) == "[170,1,-170,2.5]")
    #expect(try Self.decode(GeoBox.self, "[170,1,-170,2.5]") == box)
    let high = GeoBox(
      bottomLeft: points[0],
      topRight: try #require(GeoPoint(latitude: 5, longitude: 6, altitude: 7)))
    #expect(try Self.decode(GeoBox.self, Self.encode(high)) == high)
    let radius = try #require(Distance.kilometers(44.4))
    let circle = GeoCircle(center: points[0], radius: radius)
    #expect(try Self.decode(GeoCircle.self, Self.encode(circle)) == circle)
    #expect(try Self.decode(Distance.self, Self.encode(radius)) == radius)
    #expect(try Self.decode(Distance.self, #"{"meters":500}"#) == .meters(500))
    #expect(try Self.decode(Distance.self, #"{"miles":3}"#) == .miles(3))
  }

  @Test func otherShapesAreRefused() {
    func fails<T: Decodable>(_ type: T.Type, _ json: String) {
      #expect(throws: DecodingError.self, "\(json)") { try Self.decode(T.self, json) }
    }
    fails(GeoLineString.self, #"{"type":"Point","coordinates":[1,2]}"#)
    fails(GeoLineString.self, #"{"type":"LineString","coordinates":[]}"#)
    fails(GeoPolygon.self, #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#)
    fails(GeoPolygon.self, #"{"type":"Polygon","coordinates":[]}"#)
    fails(
      GeoPolygon.self,
      #"{"type":"Polygon","edges":"bent","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}"#)
    fails(GeoBox.self, "[1,2,3]")
    fails(GeoBox.self, "[1,95,3,4]")
    fails(Distance.self, #"{"meters":-1}"#)
    fails(Distance.self, #"{"parsecs":1}"#)
    fails(Distance.self, #"{"meters":1,"miles":1}"#)
    fails(GeoCircle.self, #"{"center":{"type":"Point","coordinates":[1,2]}}"#)
  }

  private struct Features: Decodable {
    struct Feature: Decodable { let geometry: Geometry? }
    let features: [Feature]
  }

  @Test(.enabled(if: SharedData.isAvailable, "no shared test data"))
  func sharedFileRoundTrips() throws {
    let path = "\(SharedData.root ?? "")/data/mixed.geojson"
    guard let data = FileManager.default.contents(atPath: path) else { return }
    let geometries = try JSONDecoder().decode(Features.self, from: data).features.compactMap(
      \.geometry)
    #expect(Set(geometries.map(\.kind)).count == 7)
    for geometry in geometries {
      #expect(try Geometry(wkt: geometry.wkt) == geometry)
      #expect(try Geometry(wkb: geometry.wkb) == geometry)
      #expect(try Self.decode(Geometry.self, Self.encode(geometry)) == geometry)
      let fault = geometry.bytes.withUnsafeBytes { bytes -> GeometryError? in
        do throws(GeometryError) { _ = try GeometryView(validating: bytes) } catch { return error }
        return nil
      }
      #expect(fault == nil)
    }
  }
}
