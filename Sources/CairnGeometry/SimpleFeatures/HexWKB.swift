extension Geometry {
  /// Creates a geometry from well-known text, or from well-known binary in hexadecimal digits.
  ///
  /// - Throws: ``GeometryError``, as ``init(wkt:)`` and `init(wkb:)` do.
  package init(text: String) throws(GeometryError) {
    let bytes = Array(text.utf8)
    let wkb = bytes.withUnsafeBufferPointer { HexWKB.isGeometry($0) ? HexWKB.bytes(of: $0) : nil }
    if let wkb { try self.init(wkb: wkb) } else { try self.init(wkt: text) }
  }
}

extension Geometry {
  /// The geometry as well-known binary in hexadecimal digits, in capitals as PostGIS writes them.
  package var hexWKB: String {
    var digits: [UInt8] = []
    for byte in wkb {
      for digit in [byte >> 4, byte & 15] { digits.append(digit < 10 ? 48 + digit : 55 + digit) }
    }
    return String(decoding: digits, as: UTF8.self)
  }
}

/// Well-known binary in hexadecimal digits.
package enum HexWKB {
  /// Whether a text can only be the digits of a geometry.
  package static func isGeometry(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    // The smallest geometry has a byte order of 0 or 1, a kind and a count.
    text.count >= 18 && text[0] == UInt8(ascii: "0") && text.count.isMultiple(of: 2)
      && text.allSatisfy { $0 &- 48 < 10 || ($0 | 0x20) &- 97 < 6 }
  }

  /// Returns the beginning of a geometry.
  package static func head(of digits: UnsafeBufferPointer<UInt8>) throws(GeometryError)
    -> GeometryHead
  {
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

  /// Returns the bytes of all digits.
  package static func bytes(of digits: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: digits.count / 2) { bytes, count in
      count = digits.count / 2
      decode(
        digits,
        into: UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(bytes)[..<count]))
    }
  }

  /// Decodes the first of the digits, two for each byte.
  package static func decode(
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
