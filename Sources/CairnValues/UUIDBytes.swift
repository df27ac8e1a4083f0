/// A UUID as two halves, so that equality and order are those of its sixteen bytes.
package struct UUIDBytes: Hashable, Sendable {
  /// The first eight bytes, the first of them highest.
  package var high: UInt64
  /// The last eight bytes, the first of them highest.
  package var low: UInt64

  /// The UUID of two halves.
  @inlinable
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The UUID that `8-4-4-4-12` hexadecimal digits of either case give; nil for any other text.
  package init?(_ text: some StringProtocol) {
    var words: (UInt64, UInt64) = (0, 0)
    var place = 0
    for byte in text.utf8 {
      if place == 8 || place == 13 || place == 18 || place == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard place < 36, let digit = Hexadecimal.value(byte) else { return nil }
        words.0 = words.0 << 4 | words.1 >> 60
        words.1 = words.1 << 4 | UInt64(digit)
      }
      place += 1
    }
    guard place == 36 else { return nil }
    self.init(high: words.0, low: words.1)
  }
}

extension UUIDBytes: Comparable {
  /// By the bytes, the first of them first.
  @inlinable
  package static func < (a: UUIDBytes, b: UUIDBytes) -> Bool {
    (a.high, a.low) < (b.high, b.low)
  }
}

extension UUIDBytes: CustomStringConvertible {
  /// `8-4-4-4-12` lower-case hexadecimal digits.
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
  /// The sixteen bytes in order, as the store keeps them.
  @inlinable
  package func withStoredBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
  }

  /// The UUID that the store keeps as these sixteen bytes.
  @inlinable
  package init(storedBytes bytes: UnsafeRawBufferPointer) {
    self.init(
      high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }
}
