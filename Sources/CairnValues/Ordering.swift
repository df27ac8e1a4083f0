/// How one value stands to another.
@frozen
package enum Ordering: Int8, Sendable {
  case less = -1
  case equal = 0
  case greater = 1

  /// The order of two values of one ordered type.
  @inlinable
  package init<T: Comparable>(_ a: T, _ b: T) {
    self = a < b ? .less : a == b ? .equal : .greater
  }

  /// The order seen from the other side.
  @inlinable
  package var reversed: Ordering {
    switch self {
    case .less: .greater
    case .equal: .equal
    case .greater: .less
    }
  }
}

extension Ordering {
  /// The order of two doubles; nil when either is NaN.
  @inlinable
  package static func between(_ a: Double, _ b: Double) -> Ordering? {
    if a.isNaN || b.isNaN { return nil }
    return Ordering(a, b)
  }

  /// The order of an integer and a double by value, without rounding either; nil for NaN.
  @inlinable
  package static func between(_ a: Int64, _ b: Double) -> Ordering? {
    if b.isNaN { return nil }
    if b >= 0x1p63 { return .less }
    if b < -0x1p63 { return .greater }
    let whole = b.rounded(.towardZero)
    let order = Ordering(a, Int64(whole))
    return order == .equal ? Ordering(whole, b) : order
  }

  /// The order of two byte strings: the first byte that differs decides, then the length.
  @inlinable
  package static func between(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer
  ) -> Ordering {
    let common = min(a.count, b.count)
    for place in 0..<common where a[place] != b[place] {
      return Ordering(a[place], b[place])
    }
    return Ordering(a.count, b.count)
  }

  /// The order of two texts by code point.
  package static func between(_ a: String, _ b: String) -> Ordering {
    a.utf8.withBytes { x in b.utf8.withBytes { y in Ordering.between(x, y) } }
  }
}
