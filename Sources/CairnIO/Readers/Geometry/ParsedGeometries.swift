package import CairnGeometry
internal import CairnValues

/// An error in the text of geometries.
package struct GeometryTextError: Error {
  package let message: ImportMessage
  /// The line and the column of the error; nil if the message says where it is, or it is not in one
  /// place.
  package var position: TextPosition?
  /// The number of the Feature, from 1; nil if the geometry is not in a Feature.
  package var feature: Int?
  /// Whether the text holds a geometry of another kind than the one that was asked for.
  package var isOfOtherKind = false

  package init(message: ImportMessage, position: TextPosition? = nil, feature: Int? = nil) {
    self.message = message
    self.position = position
    self.feature = feature
  }
}

/// The geometries of a text of any kind, in degrees of WGS 84. They are checked, and repaired on
/// request.
package struct ParsedGeometries {
  /// The geometries that are not empty, in the order of the text.
  package private(set) var geometries: [Geometry] = []
  private var intake: GeometryIntake
  private let edges: GeoPolygon.Edges

  private init(edges: GeoPolygon.Edges, repairs: Bool) {
    var options = GeometryOptions()
    options.repairs = repairs
    intake = GeometryIntake(options, edges: edges)
    self.edges = edges
  }

  /// Reads WKT, with or without its SRID, or hexadecimal WKB.
  package init(
    wkt text: String, edges: GeoPolygon.Edges, repairs: Bool
  ) throws(GeometryTextError) {
    self.init(edges: edges, repairs: repairs)
    try withPadded(text) { (parsed, bytes) throws(GeometryTextError) in
      let found = GeometryText(bytes)
      try parsed.read(bytes, found.notation, srid: found.system, isNorthFirst: false)
    }
  }

  /// Reads one geometry in a coordinate system.
  ///
  /// - Parameters:
  ///   - srid: The number of the system in EPSG's list; nil for WGS 84. The text does not name one.
  ///   - isNorthFirst: Whether positions begin with the latitude or the northing.
  package init(
    _ text: String, notation: GeometryNotation, srid: Int?, isNorthFirst: Bool,
    edges: GeoPolygon.Edges, repairs: Bool
  ) throws(GeometryTextError) {
    self.init(edges: edges, repairs: repairs)
    try withPadded(text) { (parsed, bytes) throws(GeometryTextError) in
      try parsed.read(bytes, notation, srid: srid, isNorthFirst: isNorthFirst)
    }
  }

  /// Calls `body` with the bytes of a text, padded as input blocks are.
  private mutating func withPadded(
    _ text: String,
    body: (inout ParsedGeometries, UnsafeBufferPointer<UInt8>) throws(GeometryTextError) -> Void
  ) throws(GeometryTextError) {
    let bytes = Array(text.utf8) + Array(repeating: 0, count: InputBlock.padding)
    let result = bytes.withUnsafeBufferPointer { bytes -> Result<Void, GeometryTextError> in
      do throws(GeometryTextError) {
        try body(&self, UnsafeBufferPointer(rebasing: bytes.dropLast(InputBlock.padding)))
        return .success(())
      } catch { return .failure(error) }
    }
    try result.get()
  }

  private mutating func read(
    _ text: UnsafeBufferPointer<UInt8>, _ notation: GeometryNotation, srid: Int?,
    isNorthFirst: Bool
  ) throws(GeometryTextError) {
    let mapping = try Self.mapping(CRSMember(srid: srid))
    do throws(GeometryRefusal) {
      try intake.read(text, notation)
      if isNorthFirst { intake.builder.swapAxes() }
      try take(mapping)
    } catch { throw GeometryTextError(message: error.detail) }
  }

  /// Reads GeoJSON: a geometry, a Feature, or a collection of them.
  package init(
    geoJSON bytes: [UInt8], edges: GeoPolygon.Edges, repairs: Bool
  ) throws(GeometryTextError) {
    self.init(edges: edges, repairs: repairs)
    let padded = bytes + Array(repeating: 0, count: InputBlock.padding)
    let result = padded.withUnsafeBufferPointer { buffer -> Result<[Geometry], GeometryTextError> in
      guard let base = buffer.baseAddress else { return .success([]) }
      let scan = JSONScan(bytes: base, count: bytes.count)
      do throws(GeometryTextError) {
        try read(JSONCursor(scan), base: base, count: bytes.count)
        return .success(geometries)
      } catch { return .failure(error) }
    }
    geometries = try result.get()
  }

  private mutating func read(
    _ cursor: JSONCursor, base: UnsafePointer<UInt8>, count: Int
  ) throws(GeometryTextError) {
    let outline: GeoJSONOutline
    do {
      outline = try GeoJSONOutline(cursor)
    } catch {
      let error = error as? JSONCursor.SyntaxError ?? cursor.error("\(error)")
      throw GeometryTextError(
        message: ImportMessage(error.message), position: cursor.position(of: error.offset))
    }
    let mapping = try Self.mapping(outline.system)
    for (offset, feature) in outline.geometries {
      var geometry = GeoJSONGeometry(base + offset, count: count - offset, axes: mapping.axes)
      do throws(GeometryRefusal) {
        try geometry.read(into: &intake.builder)
        try take(mapping)
      } catch {
        throw GeometryTextError(
          message: error.detail,
          position: error.offset.map { cursor.position(of: offset + $0) }, feature: feature)
      }
    }
  }

  private static func mapping(_ system: CRSMember) throws(GeometryTextError) -> CoordinateMapping {
    switch system {
    case .wgs84: return .degrees(wrapsLongitudes: false)
    case .named(let definition):
      do throws(GeometryError) {
        return .projected(try CoordinateTransform(definition))
      } catch { throw GeometryTextError(message: ImportMessage(error.message)) }
    case .unclear(let text):
      throw GeometryTextError(
        message: "the member `crs` does not name a known coordinate system (\(text))")
    }
  }

  /// Takes the geometry of the builder unless it is empty.
  private mutating func take(_ mapping: CoordinateMapping) throws(GeometryRefusal) {
    guard try intake.finish(as: .geometry, mapping: mapping) else { return }
    geometries.append(Geometry(packed: intake.bytes))
  }

  /// The kind of geometry that a text names in WKT or hexadecimal WKB, even if it is malformed after
  /// that; nil for any other text, such as a path. Digits that name no kind are a collection, so that
  /// reading them says what is wrong.
  package static func kind(of text: String) -> Geometry.Kind? {
    var text = text
    return text.withUTF8 { bytes in
      guard HexWKB.isGeometry(bytes) else { return GeometryHead.kind(ofWKT: bytes) }
      switch try? HexWKB.head(of: bytes).content {
      case .point, .empty: return .point
      case .other(let kind): return kind
      case nil: return .geometryCollection
      }
    }
  }
}

/// The positions of the geometries in a GeoJSON text.
private struct GeoJSONOutline {
  /// The offset of each geometry, and the number of its Feature.
  private(set) var geometries: [(offset: Int, feature: Int?)] = []
  private(set) var system = CRSMember.wgs84
  private var featureNumber = 0

  init(_ start: JSONCursor) throws {
    var cursor = start
    try readObject(&cursor, isOutermost: true)
    guard cursor.isAtEnd() else { throw cursor.error("unexpected text after the GeoJSON object") }
  }

  private mutating func readObject(_ cursor: inout JSONCursor, isOutermost: Bool) throws {
    _ = cursor.peek()
    let start = cursor
    var type: String?
    var geometry: JSONCursor?
    var features: JSONCursor?
    try cursor.members { cursor, name in
      _ = cursor.peek()
      switch name {
      case "type": type = try cursor.string()
      case "geometry":
        geometry = cursor
        try cursor.skip()
      case "features":
        features = cursor
        try cursor.skip()
      case "crs" where isOutermost:
        let before = cursor
        try cursor.skip()
        system = cursor.withText(from: before, CRSMember.init)
      default: try cursor.skip()
      }
    }
    switch type {
    case "FeatureCollection" where isOutermost:
      guard var features else { throw start.error("missing features") }
      try features.elements { try readObject(&$0, isOutermost: false) }
    case "Feature":
      featureNumber += 1
      guard var geometry else { throw start.error("feature \(featureNumber) has no geometry") }
      if geometry.peek() != UInt8(ascii: "n") {
        geometries.append((geometry.offset, featureNumber))
      }
    case nil: throw start.error("this is not GeoJSON: an object has no \"type\"")
    case _ where isOutermost: geometries.append((start.offset, nil))
    case let type?: throw start.error("expected a Feature, found a \(type)")
    }
  }
}
