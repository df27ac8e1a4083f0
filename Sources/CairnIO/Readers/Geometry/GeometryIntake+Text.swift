internal import CairnGeometry
import CairnSystem

/// Reads geometries in any notation.
struct GeometryTextReader {
  /// The bytes of hexadecimal digits, kept for their memory.
  private var decoded: [UInt8] = []

  /// Reads a geometry into an empty builder. Ignores the SRID that it names.
  ///
  /// - Parameter text: Must be digits throughout if it is hexadecimal.
  mutating func read(
    _ text: UnsafeBufferPointer<UInt8>, _ notation: GeometryNotation,
    into builder: inout GeometryBuilder
  ) throws(GeometryRefusal) {
    if notation == .geoJSON { return try GeoJSONGeometry.read(text, into: &builder) }
    builder.reset()
    do throws(GeometryError) {
      switch notation {
      case .geoJSON: break
      case .wkt: try builder.appendWKT(text)
      case .wkb: try builder.appendWKB(UnsafeRawBufferPointer(text))
      case .hexWKB: try appendDecoded(text, to: &builder)
      }
    } catch {
      throw .malformed("the geometry is malformed: \(error.message)")
    }
  }

  private mutating func appendDecoded(
    _ digits: UnsafeBufferPointer<UInt8>, to builder: inout GeometryBuilder
  ) throws(GeometryError) {
    decoded.removeAll(keepingCapacity: true)
    decoded.appendZeros(digits.count / 2)
    decoded.withUnsafeMutableBytes { HexWKB.decode(digits, into: $0) }
    let result = decoded.withUnsafeBytes { bytes -> Result<Void, GeometryError> in
      do throws(GeometryError) {
        try builder.appendWKB(bytes)
        return .success(())
      } catch { return .failure(error) }
    }
    try result.get()
  }
}

// Geometries in fields.
extension GeometryIntake {
  /// Reads a geometry in any notation into the builder. Ignores the SRID that it names.
  package mutating func read(
    _ text: UnsafeBufferPointer<UInt8>, _ notation: GeometryNotation
  ) throws(GeometryRefusal) {
    try texts.read(text, notation, into: &builder)
  }
}
