extension Geometry {
  /// The geometry as well-known text. Numbers have as many digits as they need to read as the same.
  ///
  /// If only some vertices have altitudes, the others have `NaN`.
  public var wkt: String {
    withView { view in
      var text: [UInt8] = []
      view.appendWKT(to: &text)
      return String(decoding: text, as: UTF8.self)
    }
  }
}

extension Geometry: CustomStringConvertible {
  private static let descriptionLength = 160

  /// The well-known text, shortened if it is long.
  public var description: String {
    withView { view in
      var writer = WKTWriter(view, limit: Self.descriptionLength)
      writer.appendGeometry()
      guard writer.isFull else { return String(decoding: writer.text, as: UTF8.self) }
      return String(decoding: writer.text, as: UTF8.self) + "… (\(view.vertexCount) vertices)"
    }
  }
}

extension GeometryView {
  /// Appends the geometry as well-known text.
  package func appendWKT(to text: inout [UInt8]) {
    var writer = WKTWriter(self)
    swap(&writer.text, &text)
    writer.appendGeometry()
    swap(&writer.text, &text)
  }
}

/// The well-known text of single positions.
package enum WKTPosition {
  /// The text of a point, with x or longitude first.
  package static func point(x: Double, y: Double, z: Double?) -> String {
    var text = Array((z == nil ? "POINT (" : "POINT Z (").utf8)
    append(x, y, z: z, to: &text)
    text.append(UInt8(ascii: ")"))
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the numbers of a position.
  fileprivate static func append(_ x: Double, _ y: Double, z: Double?, to text: inout [UInt8]) {
    CoordinateText.append(x, to: &text)
    text.append(UInt8(ascii: " "))
    CoordinateText.append(y, to: &text)
    guard let z else { return }
    text.append(UInt8(ascii: " "))
    z.isNaN ? text.append(contentsOf: "NaN".utf8) : CoordinateText.append(z, to: &text)
  }
}

/// Writes a geometry as well-known text.
private struct WKTWriter {
  private let view: GeometryView
  private let limit: Int
  private var cursor = GeometryView.Cursor()
  var text: [UInt8] = []

  /// Creates a writer that stops after some bytes.
  init(_ view: GeometryView, limit: Int = .max) {
    self.view = view
    self.limit = limit
  }

  /// Whether the writer stopped before the end.
  var isFull: Bool { text.count > limit }

  mutating func appendGeometry() {
    let kind = Geometry.Kind(rawValue: UInt8(view.structure(cursor.word))) ?? .geometryCollection
    append(kind.wktName)
    append(view.hasAltitudes ? " Z " : " ")
    appendBody(of: kind)
  }

  /// Appends what follows the name of a geometry.
  private mutating func appendBody(of kind: Geometry.Kind) {
    let count = view.structure(cursor.word + 1)
    cursor.word += 2
    switch kind {
    case .point, .lineString: appendPath(count)
    case .polygon:
      appendList(count) { writer in
        let vertices = writer.view.structure(writer.cursor.word)
        writer.cursor.word += 1
        writer.appendPath(vertices)
      }
    case .geometryCollection: appendList(count) { $0.appendGeometry() }
    default: appendList(count) { $0.appendBody(of: kind.memberKind ?? .point) }
    }
  }

  private mutating func appendPath(_ count: Int) {
    appendList(count) { writer in
      let vertex = writer.cursor.vertex
      writer.cursor.vertex += 1
      let view = writer.view
      let altitude = view.hasAltitudes ? view.altitude(vertex) ?? .nan : nil
      WKTPosition.append(
        view.longitude(vertex), view.latitude(vertex), z: altitude, to: &writer.text)
    }
  }

  private mutating func appendList(_ count: Int, item: (inout WKTWriter) -> Void) {
    guard count > 0 else { return append("EMPTY") }
    append("(")
    for index in 0..<count {
      if isFull { return }
      if index > 0 { append(", ") }
      item(&self)
    }
    if !isFull { append(")") }
  }

  private mutating func append(_ part: StaticString) {
    text.append(
      contentsOf: UnsafeBufferPointer(start: part.utf8Start, count: part.utf8CodeUnitCount))
  }
}

extension Geometry.Kind {
  /// The name of the kind in well-known text.
  fileprivate var wktName: StaticString {
    switch self {
    case .point: "POINT"
    case .lineString: "LINESTRING"
    case .polygon: "POLYGON"
    case .multiPoint: "MULTIPOINT"
    case .multiLineString: "MULTILINESTRING"
    case .multiPolygon: "MULTIPOLYGON"
    case .geometryCollection: "GEOMETRYCOLLECTION"
    }
  }
}
