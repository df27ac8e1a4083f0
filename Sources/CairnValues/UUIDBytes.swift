/// A UUID as two halves, whose equality and order are those of its sixteen bytes.
package struct UUIDBytes: Hashable, Sendable {
  /// The first eight bytes in big-endian order.
  package var high: UInt64
  /// The last eight bytes in big-endian order.
  package var low: UInt64

  /// Creates a UUID from its halves.
  @inlinable
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Parses `8-4-4-4-12` hexadecimal digits of either case; returns nil for any other text.
  package init?(_ text: some StringProtocol) {
    var words: (UInt64, UInt64) = (0, 0)
    var index = 0
    for byte in text.utf8 {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard index < 36, let digit = Hexadecimal.value(byte) else { return nil }
        words.0 = words.0 << 4 | words.1 >> 60
        words.1 = words.1 << 4 | UInt64(digit)
      }
      index += 1
    }
    guard index == 36 else { return nil }
    self.init(high: words.0, low: words.1)
  }
}

extension UUIDBytes: Comparable {
  /// The order by bytes, the first one first.
  @inlinable
  package static func < (a: UUIDBytes, b: UUIDBytes) -> Bool {
    (a.high, a.low) < (b.high, b.low)
  }
}

extension UUIDBytes: CustomStringConvertible {
  /// The `8-4-4-4-12` lower-case hexadecimal digits.
  package var description: String {
    var text = ""
    Hexadecimal.append(high >> 32, bytes: 4, to: &text)
    text += "-"
    Hexadecimal.append(high >> 16, bytes: 2, to: &text)
    text += "-"
    Hexadecimal.append(high, bytes: 2, to: &text)
    text += "-"
    Hexadecimal.append(low >> 48, bytes: 2, to: &text)
    text += "-"
    Hexadecimal.append(low, bytes: 6, to: &text)
    return text
  }
}

extension UUIDBytes {
  /// Calls `body` with the sixteen bytes as stored, which are valid during the call.
  @inlinable
  package func withStoredBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
  }

  /// Creates the UUID of sixteen stored bytes.
  @inlinable
  package init(storedBytes bytes: UnsafeRawBufferPointer) {
    assert(bytes.count >= 16, "a UUID has 16 bytes")
    self.init(
      high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }
}
