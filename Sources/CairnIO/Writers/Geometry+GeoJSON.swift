public import CairnGeometry

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Geometry {
  /// Reads a GeoJSON geometry object of any of the seven types.
  ///
  ///     let line = try Geometry(geoJSON: #"{"type":"LineString","coordinates":[[8,47],[9,47]]}"#)
  ///
  /// - Throws: `GeometryError` of the kind `.encoding` for text that is not such an object, and of
  ///   other kinds for coordinates that are not on the earth.
  public init(geoJSON text: String) throws(GeometryError) {
    do { self = try JSONDecoder().decode(Geometry.self, from: Data(text.utf8)) } catch {
      throw GeometryError(decoding: error)
    }
  }

  /// The geometry as a GeoJSON geometry object.
  public var geoJSON: String {
    let sink = OutputSink.memory()
    GeoJSONText.append(.owned(bytes), to: sink)
    return String(decoding: sink.collected, as: UTF8.self)
  }
}

extension GeoPolygon {
  /// Reads a Polygon or MultiPolygon from a GeoJSON geometry object.
  ///
  /// - Parameter edges: The course of the edges between two vertices.
  /// - Throws: `GeometryError` for other text, another kind of geometry, and rings that are not
  ///   valid.
  public convenience init(geoJSON text: String, edges: Edges = .geodesic) throws(GeometryError) {
    try self.init(Geometry(geoJSON: text), edges: edges)
  }

  /// Reads a `POLYGON` or `MULTIPOLYGON` from well-known text.
  ///
  /// - Parameter edges: The course of the edges between two vertices.
  /// - Throws: `GeometryError` for other text, another kind of geometry, and rings that are not
  ///   valid.
  public convenience init(
    wkt text: some StringProtocol, edges: Edges = .geodesic
  ) throws(GeometryError) {
    try self.init(Geometry(wkt: text), edges: edges)
  }

  /// Reads a polygon or multipolygon from well-known binary.
  ///
  /// - Parameter edges: The course of the edges between two vertices.
  /// - Throws: `GeometryError` for other bytes, another kind of geometry, and rings that are not
  ///   valid.
  public convenience init(
    wkb bytes: some Sequence<UInt8>, edges: Edges = .geodesic
  ) throws(GeometryError) {
    try self.init(Geometry(wkb: bytes), edges: edges)
  }

  private convenience init(_ geometry: Geometry, edges: Edges) throws(GeometryError) {
    guard let polygon = geometry.polygon(edges: edges) else {
      throw GeometryError(
        .encoding,
        message: "expected a Polygon or MultiPolygon, found a \(geometry.kind.geoJSONName)")
    }
    try self.init(polygons: polygon.polygons, edges: edges)
    try validate()
  }

  /// The polygon as a GeoJSON geometry object.
  public var geoJSON: String { Geometry(self).geoJSON }
}

extension GeometryError {
  /// The error for text that is not GeoJSON, in the words of the decoder.
  fileprivate init(decoding error: any Error) {
    guard let error = error as? DecodingError else {
      self.init(.encoding, message: "not a GeoJSON geometry: \(error)")
      return
    }
    let context: DecodingError.Context? =
      switch error {
      case .dataCorrupted(let context), .keyNotFound(_, let context),
        .typeMismatch(_, let context), .valueNotFound(_, let context):
        context
      @unknown default: nil
      }
    if let own = context?.underlyingError as? GeometryError {
      self = own
      return
    }
    let path = (context?.codingPath ?? []).map { key in
      key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
    }
    let place = path.isEmpty ? "" : " at `\(path.joined())`"
    self.init(
      .encoding,
      message: "not a GeoJSON geometry\(place): \(context?.debugDescription ?? "unknown error")")
  }
}
