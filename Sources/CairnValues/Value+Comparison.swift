/// What the operators of a predicate say of two values.
///
/// Numbers compare by value whatever their type, text by code point. A null equals a null alone, and a
/// NaN nothing; neither has an order.
extension Value {
  /// What `a == b` says.
  package func equals(_ other: Value) -> Bool {
    if isNull || other.isNull { return isNull && other.isNull }
    if case .point(let a) = self, case .point(let b) = other { return a == b }
    if case .link(let a) = self, case .link(let b) = other { return a == b }
    return order(to: other) == .equal
  }

  /// How the value stands to another in `<`, `<=`, `>` and `>=`.
  ///
  /// nil when either is null or NaN, or when the two are of kinds that do not compare.
  package func order(to other: Value) -> Ordering? {
    if let a = number, let b = other.number { return a.order(to: b) }
    return switch (self, other) {
    case (.bool(let a), .bool(let b)): Ordering(a ? 1 : 0, b ? 1 : 0)
    case (.string(let a), .string(let b)): .between(a, b)
    case (.data(let a), .data(let b)):
      a.withUnsafeBytes { x in b.withUnsafeBytes { y in .between(x, y) } }
    case (.date(let a), .date(let b)): .between(a, b)
    case (.objectId(let a), .objectId(let b)): Ordering(a, b)
    case (.uuid(let a), .uuid(let b)): Ordering(a, b)
    default: nil
    }
  }

  private var number: Number? {
    switch self {
    case .int(let value): .int(value)
    case .float(let value): .double(Double(value))
    case .double(let value): .double(value)
    case .decimal(let value): .decimal(value)
    default: nil
    }
  }
}

/// A number of any type.
private enum Number {
  case int(Int64)
  case double(Double)
  case decimal(Decimal128)

  func order(to other: Number) -> Ordering? {
    switch (self, other) {
    case (.int(let a), .int(let b)): Ordering(a, b)
    case (.int(let a), .double(let b)): .between(a, b)
    case (.double(let a), .int(let b)): Ordering.between(b, a)?.reversed
    case (.double(let a), .double(let b)): .between(a, b)
    case (.decimal(let a), _): Decimal128.order(a, other.decimal)
    case (_, .decimal(let b)): Decimal128.order(decimal, b)
    }
  }

  private var decimal: Decimal128 {
    switch self {
    case .int(let value): Decimal128(value)
    case .double(let value): Decimal128(value)
    case .decimal(let value): value
    }
  }
}
