import CairnValues

/// The values of a column's type next to a constant: the greatest at or below it, and the least at
/// or above it. Both are equal if the type can represent the constant itself.
struct ConstantBounds<Number: Comparable> {
  /// Nil if every value is above the constant.
  var below: Number?
  /// Nil if every value is below the constant.
  var above: Number?

  var isExact: Bool {
    guard let below, let above else { return false }
    return below == above
  }
}

extension ConstantBounds<Int64> {
  init(_ number: Int64) { self.init(below: number, above: number) }

  /// Creates the bounds of a number that is not NaN.
  init(_ number: Double) {
    if number >= 0x1p63 {
      self.init(below: .max, above: nil)
    } else if number < -0x1p63 {
      self.init(below: nil, above: .min)
    } else {
      self.init(below: Int64(number.rounded(.down)), above: nil)
      let up = number.rounded(.up)
      above = up < 0x1p63 ? Int64(up) : nil
    }
  }
}

extension ConstantBounds<Double> {
  init(_ number: Double) { self.init(below: number, above: number) }

  init(_ number: Int64) {
    let near = Double(number)
    // `Double(Int64.max)` is 2^63, beyond every Int64.
    let order = near >= 0x1p63 ? 1 : Int64(near) > number ? 1 : Int64(near) < number ? -1 : 0
    self.init(below: order > 0 ? near.nextDown : near, above: order < 0 ? near.nextUp : near)
  }
}

extension ConstantBounds<Float> {
  /// The floats next to the bounds of a double.
  init(_ bounds: ConstantBounds<Double>) {
    self.init(
      below: bounds.below.map(ConstantBounds.atMost),
      above: bounds.above.map { -ConstantBounds.atMost(-$0) })
  }

  private static func atMost(_ number: Double) -> Float {
    let near = Float(number)
    return Double(near) > number ? near.nextDown : near
  }
}

/// A closed range of values; empty when `low` is above `high`.
struct Bounds<Number: Comparable & Sendable>: Equatable, Sendable {
  var low: Number
  var high: Number

  var isEmpty: Bool { !(low <= high) }
  func contains(_ number: Number) -> Bool { low <= number && number <= high }
}

/// The relation of a column's value to a constant.
enum Relation: Sendable {
  case equal, less, lessOrEqual, greater, greaterOrEqual
}

/// A number type in which each value has a next and a previous one.
protocol SteppedNumber: Comparable, Sendable {
  static var least: Self { get }
  static var greatest: Self { get }
  /// The next value; nil after the greatest.
  var successor: Self? { get }
  /// The previous value; nil before the least.
  var predecessor: Self? { get }
}

extension Int64: SteppedNumber {
  static var least: Int64 { .min }
  static var greatest: Int64 { .max }
  var successor: Int64? { self == .max ? nil : self + 1 }
  var predecessor: Int64? { self == .min ? nil : self - 1 }
}

extension Double: SteppedNumber {
  static var least: Double { -.infinity }
  static var greatest: Double { .infinity }
  var successor: Double? { self == .infinity ? nil : nextUp }
  var predecessor: Double? { self == -.infinity ? nil : nextDown }
}

extension Float: SteppedNumber {
  static var least: Float { -.infinity }
  static var greatest: Float { .infinity }
  var successor: Float? { self == .infinity ? nil : nextUp }
  var predecessor: Float? { self == -.infinity ? nil : nextDown }
}

extension ConstantBounds where Number: SteppedNumber {
  /// The values in that relation to the constant; nil without any.
  func bounds(_ relation: Relation) -> Bounds<Number>? {
    switch relation {
    case .equal:
      guard isExact, let below else { return nil }
      return Bounds(low: below, high: below)
    case .less: return upTo(isExact ? below?.predecessor : below)
    case .lessOrEqual: return upTo(below)
    case .greater: return from(isExact ? above?.successor : above)
    case .greaterOrEqual: return from(above)
    }
  }

  private func upTo(_ high: Number?) -> Bounds<Number>? {
    high.map { Bounds(low: .least, high: $0) }
  }

  private func from(_ low: Number?) -> Bounds<Number>? {
    low.map { Bounds(low: $0, high: .greatest) }
  }
}

extension ConstantBounds<Int64> {
  /// Nil if the value is not a number, or is NaN.
  init?(_ value: Value) {
    switch value {
    case .int(let number): self.init(number)
    case .float(let number) where !number.isNaN: self.init(Double(number))
    case .double(let number) where !number.isNaN: self.init(number)
    case .decimal(let number) where !number.isNaN:
      self.init(searchingFor: value, lowest: .min, highest: .max) { ($0, .int($0)) }
    default: return nil
    }
  }
}

extension ConstantBounds<Double> {
  /// Nil if the value is not a number, or is NaN.
  init?(_ value: Value) {
    switch value {
    case .int(let number): self.init(number)
    case .float(let number) where !number.isNaN: self.init(Double(number))
    case .double(let number) where !number.isNaN: self.init(number)
    case .decimal(let number) where !number.isNaN:
      // Searches the doubles in their order, as integers.
      self.init(
        searchingFor: value, lowest: ConstantBounds.position(of: -.infinity),
        highest: ConstantBounds.position(of: .infinity)
      ) { position in
        let number = ConstantBounds.double(at: position)
        return (number, .double(number))
      }
    default: return nil
    }
  }

  private static func position(of number: Double) -> Int64 {
    let bits = Int64(bitPattern: number.bitPattern)
    return bits < 0 ? Int64.min &- bits : bits
  }

  private static func double(at position: Int64) -> Double {
    Double(bitPattern: UInt64(bitPattern: position < 0 ? Int64.min &- position : position))
  }
}

extension ConstantBounds {
  /// Finds the constant by binary search over ascending positions. It is for constants that only
  /// `Value` can compare with the column's numbers.
  fileprivate init(
    searchingFor constant: Value, lowest: Int64, highest: Int64,
    _ number: (Int64) -> (Number, Value)
  ) {
    var low = lowest
    var high = highest
    // The lowest position whose number is not below the constant, if any.
    while low < high {
      let middle = low &+ Int64(bitPattern: UInt64(bitPattern: high &- low) >> 1)
      if number(middle).1.order(to: constant) == .less { low = middle + 1 } else { high = middle }
    }
    let found = number(low)
    switch found.1.order(to: constant) {
    case .equal: self.init(below: found.0, above: found.0)
    case .less: self.init(below: found.0, above: nil)
    default: self.init(below: low == lowest ? nil : number(low - 1).0, above: found.0)
    }
  }
}

extension ComparisonOperator {
  /// The relation to test. `!=` tests the inverse of equality.
  var relation: Relation {
    switch self {
    case .equal, .notEqual: .equal
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    }
  }
}
