import CairnSystem
import CairnValues

/// A value in the form that indexes sort.
///
/// Numbers, bools and dates become an unsigned integer of the same order; everything else becomes
/// its bytes.
package enum IndexKey: Comparable, Sendable {
  /// A number, bool, date or link.
  case number(UInt64)
  /// The bytes of a text, data, ObjectId or UUID.
  case bytes([UInt8])

  /// Returns nil for null and for values that cannot be indexed.
  package init?(_ value: Value) {
    switch value {
    case .bool(let flag): self = .number(flag ? 1 : 0)
    case .int(let number): self = .number(IndexKey.ordered(number))
    case .double(let number), .date(let number): self = .number(IndexKey.ordered(number))
    case .float(let number): self = .number(IndexKey.ordered(Double(number)))
    case .string(let text): self = .bytes(Array(text.utf8))
    case .data(let bytes): self = .bytes(bytes)
    case .objectId(let id): self = .bytes(id.withStoredBytes { Array($0) })
    case .uuid(let id): self = .bytes(id.withStoredBytes { Array($0) })
    case .null, .decimal, .point, .link, .geometry, .box: return nil
    }
  }

  /// Maps an integer to an unsigned integer of the same order.
  static func ordered(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ 1 << 63 }

  /// Maps a double to an unsigned integer of the same order; -0 equals 0, and NaN precedes
  /// everything.
  static func ordered(_ number: Double) -> UInt64 {
    if number.isNaN { return 0 }
    let bits = (number + 0).bitPattern
    return bits >> 63 == 0 ? bits ^ 1 << 63 : ~bits
  }

  /// Orders numbers before bytes; bytes are ordered lexicographically.
  package static func < (a: IndexKey, b: IndexKey) -> Bool {
    switch (a, b) {
    case (.number(let x), .number(let y)): x < y
    case (.bytes(let x), .bytes(let y)):
      x.withUnsafeBytes { x in y.withUnsafeBytes { x.precedes($0) } }
    case (.number, .bytes): true
    case (.bytes, .number): false
    }
  }
}

extension ColumnSchema {
  /// Whether the index of the column sorts unsigned integers rather than byte strings.
  var isIndexedByNumber: Bool {
    if type == .link { return true }
    return switch layout {
    case .integers, .doubles, .floats: true
    case .bytes, .fixed, .points: false
    }
  }
}
