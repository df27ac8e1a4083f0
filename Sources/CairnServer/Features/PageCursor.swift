import CairnStorage
import CairnValues

/// The place behind the last item of a page, from which the next page continues. It holds values
/// instead of a count, so that rows that are inserted or deleted meanwhile neither repeat nor skip
/// others.
struct PageCursor {
  /// The number of the file. A compaction gives rows other keys.
  let file: UInt64
  /// The key of the last row.
  let key: Int
  /// Its values in the properties that the pages are sorted by.
  let values: [Value]

  /// The text in a URL.
  var text: String {
    let element = Element.list(values.map { .value($0) })
    var bytes: [UInt8] = []
    for number in [file, UInt64(key)] {
      for shift in stride(from: 0, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
      }
    }
    return Self.letters(bytes + element.encoded())
  }

  init(file: UInt64, key: Int, values: [Value]) {
    self.file = file
    self.key = key
    self.values = values
  }

  /// Reads a cursor; returns nil if the text is not one.
  init?(_ text: String) {
    guard text.utf8.count < 100_000, let bytes = Self.bytes(text), bytes.count > 16 else {
      return nil
    }
    let numbers = [bytes[0..<8], bytes[8..<16]].map { part in
      part.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    let rest = Array(bytes[16...])
    let element = rest.withUnsafeBytes { try? Element(decoding: $0) }
    guard case .list(let elements)? = element, numbers[1] < 1 << 48 else { return nil }
    var values: [Value] = []
    for case .value(let value) in elements { values.append(value) }
    guard values.count == elements.count else { return nil }
    self.init(file: numbers[0], key: Int(numbers[1]), values: values)
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// Bytes as text in the URL-safe alphabet of base 64, without padding.
  private static func letters(_ bytes: [UInt8]) -> String {
    var letters: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        letters.append(alphabet[Int(bits >> UInt32(count) & 63)])
      }
    }
    if count > 0 { letters.append(alphabet[Int(bits << UInt32(6 - count) & 63)]) }
    return String(decoding: letters, as: UTF8.self)
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for letter in text.utf8 {
      guard let digit = alphabet.firstIndex(of: letter) else { return nil }
      bits = bits << 6 | UInt32(digit)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}
