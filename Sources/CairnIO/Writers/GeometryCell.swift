package import CairnGeometry

/// A geometry to be written, in packed form.
package enum GeometryCell {
  /// In the store; valid while the row is written.
  case stored(UnsafeRawBufferPointer)
  /// A value of its own.
  case owned([UInt8])

  /// Calls `body` with a view of the packed form.
  package func withView<R>(_ body: (GeometryView) -> R) -> R {
    switch self {
    case .stored(let bytes): body(GeometryView(bytes))
    case .owned(let bytes): bytes.withUnsafeBytes { body(GeometryView($0)) }
    }
  }

  /// The well-known text.
  package var wkt: [UInt8] {
    var text: [UInt8] = []
    withView { $0.appendWKT(to: &text) }
    return text
  }

  /// The most bytes of well-known text that a table shows.
  private static let shownBytes = 48

  /// The well-known text, shortened if it is long.
  var shortText: String {
    withView { view in
      // A geometry with few vertices has a short text, and of others only the beginning is needed.
      guard view.vertexCount <= 64 else { return Self.shortened(Self.description(view), view) }
      var text: [UInt8] = []
      view.appendWKT(to: &text)
      return Self.shortened(String(decoding: text, as: UTF8.self), view)
    }
  }

  private static func description(_ view: GeometryView) -> String {
    let bytes = UnsafeRawBufferPointer(start: view.base, count: view.size)
    return Geometry(packed: Array(bytes)).description
  }

  private static func shortened(_ text: String, _ view: GeometryView) -> String {
    guard text.utf8.count > shownBytes else { return text }
    return text.prefix(shownBytes - 18) + "… (\(view.vertexCount) vertices)"
  }
}

/// Writes geometries as GeoJSON objects.
enum GeoJSONText {
  /// Appends a geometry.
  package static func append(_ geometry: GeometryCell, to sink: OutputSink) {
    geometry.withView { view in
      var writer = GeoJSONWriter(view, sink: sink)
      writer.appendGeometry()
    }
  }
}

/// Writes one geometry, whose structure it reads in preorder.
private struct GeoJSONWriter {
  private let view: GeometryView
  private let sink: OutputSink
  private var word = 0
  private var vertex = 0

  init(_ view: GeometryView, sink: OutputSink) {
    self.view = view
    self.sink = sink
  }

  /// Appends a geometry as an object.
  mutating func appendGeometry() {
    let kind = Geometry.Kind(rawValue: UInt8(truncatingIfNeeded: view.structure(word)))
    guard let kind else { return sink.append("null") }
    sink.append("{\"type\":\"")
    sink.append(kind.geoJSONName)
    sink.append(kind == .geometryCollection ? "\",\"geometries\":" : "\",\"coordinates\":")
    appendContent()
    sink.append("}")
  }

  private mutating func appendContent() {
    let (kind, count) = (view.structure(word), view.structure(word + 1))
    word += 2
    switch kind {
    case 1: count > 0 ? appendPosition() : sink.append("[]")
    case 2: appendList(count) { $0.appendPosition() }
    case 3:
      appendList(count) { writer in
        let vertices = writer.view.structure(writer.word)
        writer.word += 1
        writer.appendList(vertices) { $0.appendPosition() }
      }
    case 7: appendList(count) { $0.appendGeometry() }
    default: appendList(count) { $0.appendContent() }
    }
  }

  private mutating func appendList(_ count: Int, _ append: (inout GeoJSONWriter) -> Void) {
    sink.append("[")
    for index in 0..<count {
      if index > 0 { sink.append(",") }
      append(&self)
    }
    sink.append("]")
  }

  private mutating func appendPosition() {
    sink.append("[")
    sink.append(double: view.longitude(vertex))
    sink.append(",")
    sink.append(double: view.latitude(vertex))
    if let altitude = view.altitude(vertex) {
      sink.append(",")
      sink.append(double: altitude)
    }
    sink.append("]")
    vertex += 1
  }
}
