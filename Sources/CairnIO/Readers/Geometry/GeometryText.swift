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
    notation = HexDigit.isWKB(text) ? .hexWKB : .wkt
    do throws(GeometryError) {
      let head =
        notation == .hexWKB
        ? try HexDigit.head(of: text) : try GeometryHead(wkt: text)
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

/// Well-known binary in hexadecimal digits.
enum HexDigit {
  /// Whether a text can only be the digits of a geometry.
  static func isWKB(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    // The smallest geometry has a byte order of 0 or 1, a kind and a count.
    text.count >= 18 && text[0] == UInt8(ascii: "0") && text.count.isMultiple(of: 2)
      && text.allSatisfy { $0 &- 48 < 10 || ($0 | 0x20) &- 97 < 6 }
  }

  /// Returns the beginning of a geometry.
  static func head(of digits: UnsafeBufferPointer<UInt8>) throws(GeometryError) -> GeometryHead {
    // A point with more bytes than the largest is malformed.
    let count = min(digits.count / 2, GeometryHead.largestPointSize + 1)
    let head = withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) {
      bytes -> Result<GeometryHead, GeometryError> in
      decode(digits, into: bytes)
      do throws(GeometryError) {
        return .success(try GeometryHead(wkb: UnsafeRawBufferPointer(bytes)))
      } catch { return .failure(error) }
    }
    return try head.get()
  }

  /// Decodes the first of the digits, two for each byte.
  static func decode(
    _ digits: UnsafeBufferPointer<UInt8>, into bytes: UnsafeMutableRawBufferPointer
  ) {
    assert(digits.count >= 2 * bytes.count, "there are too few digits")
    for index in 0..<bytes.count {
      bytes[index] = value(digits[2 * index]) << 4 | value(digits[2 * index + 1])
    }
  }

  /// The value of a digit. The sixth bit tells letters from decimal digits.
  @inline(__always)
  private static func value(_ digit: UInt8) -> UInt8 { (digit & 15) &+ (digit >> 6) &* 9 }
}
