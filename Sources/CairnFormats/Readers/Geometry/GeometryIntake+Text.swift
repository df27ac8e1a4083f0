internal import CairnGeometry

// Geometries in text fields.
extension GeometryIntake {
  /// Reads WKT, hexadecimal WKB or GeoJSON into the builder.
  ///
  /// - Parameter text: A geometry without its SRID.
  mutating func read(
    _ text: UnsafeBufferPointer<UInt8>, _ notation: PointConverter.Notation
  ) throws(GeometryRefusal) {
    builder.reset()
    if notation == .geoJSON { return try GeoJSONGeometry.read(text, into: &builder) }
    do throws(GeometryError) {
      if notation == .wkt {
        try builder.appendWKT(text)
      } else {
        try decodeHex(text)
        try appendDecoded()
      }
    } catch {
      throw .malformed("the geometry is malformed: \(error.message)")
    }
  }

  /// Reads WKB into the builder.
  mutating func read(wkb: UnsafeRawBufferPointer) throws(GeometryRefusal) {
    builder.reset()
    do throws(GeometryError) {
      try builder.appendWKB(wkb.assumingMemoryBound(to: UInt8.self))
    } catch {
      throw .malformed("the geometry is malformed: \(error.message)")
    }
  }

  private mutating func appendDecoded() throws(GeometryError) {
    let result = decoded.withUnsafeBufferPointer { bytes -> Result<Void, GeometryError> in
      do throws(GeometryError) {
        try builder.appendWKB(bytes)
        return .success(())
      } catch { return .failure(error) }
    }
    try result.get()
  }

  private mutating func decodeHex(_ text: UnsafeBufferPointer<UInt8>) throws(GeometryError) {
    decoded.removeAll(keepingCapacity: true)
    decoded.reserveCapacity(text.count / 2)
    var index = 0
    while index + 1 < text.count {
      guard let high = HexDigit.value(text[index]), let low = HexDigit.value(text[index + 1]) else {
        throw GeometryError(
          .encoding, message: "character \(index + 1) of its WKB is not a hexadecimal digit")
      }
      decoded.append(high << 4 | low)
      index += 2
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
}
