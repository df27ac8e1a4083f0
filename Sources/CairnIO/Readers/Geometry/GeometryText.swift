internal import CairnGeometry

/// The notation of a geometry in a field.
package enum GeometryNotation {
  case geoJSON
  case wkt
  /// Well-known binary.
  case wkb
  /// Well-known binary in hexadecimal digits, as PostGIS writes it.
  case hexWKB
}

/// A geometry in a text field: WKT, hexadecimal WKB, or GeoJSON. Points and GeoJSON are read
/// completely, and only the beginning of other geometries.
struct GeometryText {
  /// The content of the geometry.
  enum Content: Equatable {
    case point(x: Double, y: Double, z: Double?)
    /// A geometry without coordinates.
    case empty
    /// Any other geometry, with its kind.
    case other(Geometry.Kind)
    /// A text that is not a geometry, with the reason.
    case malformed(ImportMessage)
  }

  /// The SRID that the text itself names.
  private(set) var system: Int?
  let content: Content
  let notation: GeometryNotation

  /// Reads the beginning of a text.
  ///
  /// - Parameter text: Must be padded as input blocks are.
  init(_ text: UnsafeBufferPointer<UInt8>) {
    if text.first == UInt8(ascii: "{") {
      (content, notation) = (Self.content(ofGeoJSON: text), .geoJSON)
      return
    }
    notation = HexWKB.isGeometry(text) ? .hexWKB : .wkt
    do throws(GeometryError) {
      let head =
        notation == .hexWKB
        ? try HexWKB.head(of: text) : try GeometryHead(wkt: text)
      system = head.system
      content = Self.content(head)
    } catch {
      content = .malformed(ImportMessage(error.message))
    }
  }

  @inline(__always)
  private static func content(_ head: GeometryHead) -> Content {
    switch head.content {
    case .point(let x, let y, let z):
      guard !x.isNaN, !y.isNaN else { return .malformed("a coordinate is not a number") }
      guard z?.isInfinite != true else { return .malformed("the altitude does not fit a double") }
      return .point(x: x, y: y, z: z)
    case .empty: return .empty
    case .other(let kind): return .other(kind)
    }
  }

  private static func content(ofGeoJSON text: UnsafeBufferPointer<UInt8>) -> Content {
    var builder = GeometryBuilder()
    do throws(GeometryRefusal) {
      try GeoJSONGeometry.read(text, into: &builder)
    } catch {
      return .malformed(error.detail)
    }
    let geometry = builder.geometry()
    guard !geometry.isEmpty else { return .empty }
    guard geometry.kind == .point else { return .other(geometry.kind) }
    return geometry.withView { view in
      .point(x: view.longitude(0), y: view.latitude(0), z: view.altitude(0))
    }
  }

  /// Whether a text can hardly be anything other than a geometry.
  static func looksLikeOne(_ text: String) -> Bool {
    let bytes = Array(text.utf8) + Array(repeating: 0, count: InputBlock.padding)
    return bytes.withUnsafeBufferPointer { bytes in
      let text = UnsafeBufferPointer(rebasing: bytes.dropLast(InputBlock.padding))
      if case .malformed = GeometryText(text).content { return false }
      return true
    }
  }
}

/// Reads the points of a MultiPoint.
package enum MultiPointText {
  package typealias Point = (x: Double, y: Double, z: Double?)

  /// Returns nil when the text is malformed or one of the points is empty.
  ///
  /// - Parameter text: A geometry whose head names MultiPoint.
  package static func points(
    of text: UnsafeBufferPointer<UInt8>, _ notation: GeometryNotation
  ) -> [Point]? {
    var builder = GeometryBuilder()
    var reader = GeometryTextReader()
    guard (try? reader.read(text, notation, into: &builder)) != nil else { return nil }
    return builder.geometry().withView { view in
      // An empty point has no vertex.
      guard view.vertexCount == view.structure(1) else { return nil }
      return (0..<view.vertexCount).map {
        (view.longitude($0), view.latitude($0), view.altitude($0))
      }
    }
  }
}
