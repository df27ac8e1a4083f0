/// The order of two values.
@frozen
package enum Ordering: Int8, Sendable {
  /// The first is less than the second.
  case less = -1
  /// The two are equal.
  case equal = 0
  /// The first is greater than the second.
  case greater = 1

  /// Compares two values of one type.
  @inlinable
  package init<T: Comparable>(_ a: T, to b: T) {
    self = a < b ? .less : a == b ? .equal : .greater
  }

  /// The order of the same values, exchanged.
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
  /// The order of two doubles, or nil if either is NaN.
  @inlinable
  package static func between(_ a: Double, and b: Double) -> Ordering? {
    if a.isNaN || b.isNaN { return nil }
    return Ordering(a, to: b)
  }

  /// The order of an integer and a double by value, without rounding either; nil for NaN.
  @inlinable
  package static func between(_ a: Int64, and b: Double) -> Ordering? {
    if b.isNaN { return nil }
    if b >= 0x1p63 { return .less }
    if b < -0x1p63 { return .greater }
    let whole = b.rounded(.towardZero)
    let order = Ordering(a, to: Int64(whole))
    return order == .equal ? Ordering(whole, to: b) : order
  }

  /// The order of two byte strings: the first byte that differs decides, then the length.
  @inlinable
  package static func between(
    _ a: UnsafeRawBufferPointer, and b: UnsafeRawBufferPointer
  ) -> Ordering {
    let common = min(a.count, b.count)
    for index in 0..<common where a[index] != b[index] {
      return Ordering(a[index], to: b[index])
    }
    return Ordering(a.count, to: b.count)
  }

  /// The order of two texts by code point.
  package static func between(_ a: String, and b: String) -> Ordering {
    a.utf8.withBytes { x in b.utf8.withBytes { y in Ordering.between(x, and: y) } }
  }
}
