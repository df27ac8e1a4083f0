import CairnValues

/// A value as an index sorts it.
///
/// Numbers, flags and dates become an unsigned integer of the same order; everything else its bytes.
package enum IndexKey: Comparable, Sendable {
  case number(UInt64)
  case bytes([UInt8])

  /// The key of a value of a column of that type; nil for null, and for values that no index holds.
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
    case .null, .decimal, .point, .link: return nil
    }
  }

  /// An integer's place among unsigned integers.
  static func ordered(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ 1 << 63 }

  /// A double's place among unsigned integers; -0 stands with 0, NaN before everything.
  static func ordered(_ number: Double) -> UInt64 {
    if number.isNaN { return 0 }
    let bits = (number + 0).bitPattern
    return bits >> 63 == 0 ? bits ^ 1 << 63 : ~bits
  }

  package static func < (a: IndexKey, b: IndexKey) -> Bool {
    switch (a, b) {
    case (.number(let x), .number(let y)): x < y
    case (.bytes(let x), .bytes(let y)): x.lexicographicallyPrecedes(y)
    case (.number, .bytes): true
    case (.bytes, .number): false
    }
  }
}

extension Table {
  /// What an index holds of a row: its value, or each of the objects that it links to.
  func indexKeys(_ position: Int, at key: Int) -> [IndexKey] {
    guard schema.columns[position].collection != .none else {
      return IndexKey(value(position, at: key)).map { [$0] } ?? []
    }
    return Set(linkedKeys(position, at: key)).map { .number(IndexKey.ordered(Int64($0))) }
  }
}

extension ColumnSchema {
  /// Whether the index of the column sorts unsigned integers, rather than byte strings.
  var isIndexedByNumber: Bool {
    if type == .link { return true }
    return switch layout {
    case .integers, .doubles, .floats: true
    case .bytes, .fixed, .points: false
    }
  }
}

/// Values between two bounds, each closed, open or absent.
package struct ValueRange: Sendable {
  package enum Bound: Sendable {
    case none
    case including(Value)
    case excluding(Value)
  }

  package let lower: Bound
  package let upper: Bound

  package init(lower: Bound, upper: Bound) {
    self.lower = lower
    self.upper = upper
  }

  /// That value alone.
  package init(equal value: Value) {
    self.init(lower: .including(value), upper: .including(value))
  }
}
