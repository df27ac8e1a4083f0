internal import CairnGeometry

/// Reads geometries in text fields.
struct GeometryTextReader {
  /// The bytes of hexadecimal digits, kept for their memory.
  private var decoded: [UInt8] = []

  /// Reads WKT, hexadecimal WKB or GeoJSON into an empty builder.
  ///
  /// - Parameter text: A geometry without its SRID.
  mutating func read(
    _ text: UnsafeBufferPointer<UInt8>, _ notation: PointConverter.Notation,
    into builder: inout GeometryBuilder
  ) throws(GeometryRefusal) {
    builder.reset()
    if notation == .geoJSON { return try GeoJSONGeometry.read(text, into: &builder) }
    do throws(GeometryError) {
      guard notation == .hexWKB else {
        try builder.appendWKT(text)
        return
      }
      try HexDigit.decode(text, into: &decoded)
      try appendDecoded(to: &builder)
    } catch {
      throw .malformed("the geometry is malformed: \(error.message)")
    }
  }

  private func appendDecoded(to builder: inout GeometryBuilder) throws(GeometryError) {
    let result = decoded.withUnsafeBufferPointer { bytes -> Result<Void, GeometryError> in
      do throws(GeometryError) {
        try builder.appendWKB(bytes)
        return .success(())
      } catch { return .failure(error) }
    }
    try result.get()
  }
}

// Geometries in text fields, and those of GDAL.
extension GeometryIntake {
  /// Reads WKT, hexadecimal WKB or GeoJSON into the builder.
  ///
  /// - Parameter text: A geometry without its SRID.
  mutating func read(
    _ text: UnsafeBufferPointer<UInt8>, _ notation: PointConverter.Notation
  ) throws(GeometryRefusal) {
    try texts.read(text, notation, into: &builder)
  }

  /// Reads WKB into the builder.
  package mutating func read(wkb: UnsafeRawBufferPointer) throws(GeometryRefusal) {
    builder.reset()
    do throws(GeometryError) {
      try builder.appendWKB(wkb.assumingMemoryBound(to: UInt8.self))
    } catch {
      throw .malformed("the geometry is malformed: \(error.message)")
    }
  }
}

/// Hexadecimal digits in ASCII.
enum HexDigit {
  /// Returns the value of a digit, or nil for another byte.
  @inline(__always)
  static func value(_ byte: UInt8) -> UInt8? {
    if byte &- 48 < 10 { return byte &- 48 }
    let letter = (byte | 0x20) &- 97
    return letter < 6 ? letter &+ 10 : nil
  }

  /// Decodes WKB from its digits into `bytes`, replacing what was there.
  static func decode(
    _ text: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]
  ) throws(GeometryError) {
    bytes.removeAll(keepingCapacity: true)
    bytes.reserveCapacity(text.count / 2)
    var index = 0
    while index + 1 < text.count {
      guard let high = value(text[index]), let low = value(text[index + 1]) else {
        throw GeometryError(
          .encoding, message: "character \(index + 1) of its WKB is not a hexadecimal digit")
      }
      bytes.append(high << 4 | low)
      index += 2
    }
  }
}
