/// Where a constant falls among the values a column can hold: the greatest at or below it, and the
/// least at or above it. Both are the same when the column can hold the constant itself.
struct Cut<Number: Comparable> {
  /// nil: every value is above the constant.
  var below: Number?
  /// nil: every value is below the constant.
  var above: Number?

  var isExact: Bool {
    guard let below, let above else { return false }
    return below == above
  }
}

extension Cut<Int64> {
  init(_ number: Int64) { self.init(below: number, above: number) }

  /// The constant must not be NaN.
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

extension Cut<Double> {
  init(_ number: Double) { self.init(below: number, above: number) }

  init(_ number: Int64) {
    let near = Double(number)
    // `Double(Int64.max)` is 2^63, beyond every Int64.
    let order = near >= 0x1p63 ? 1 : Int64(near) > number ? 1 : Int64(near) < number ? -1 : 0
    self.init(below: order > 0 ? near.nextDown : near, above: order < 0 ? near.nextUp : near)
  }
}

extension Cut<Float> {
  /// The floats next to a cut among doubles.
  init(_ cut: Cut<Double>) {
    self.init(below: cut.below.map(Cut.atMost), above: cut.above.map { -Cut.atMost(-$0) })
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

/// How a column's value is held against a constant.
enum Relation: Sendable {
  case equal, less, lessOrEqual, greater, greaterOrEqual
}

/// A type of numbers that has a value next to each.
protocol Stepping: Comparable, Sendable {
  static var least: Self { get }
  static var greatest: Self { get }
  /// The next value; nil after the greatest.
  var successor: Self? { get }
  /// The value before; nil before the least.
  var predecessor: Self? { get }
}

extension Int64: Stepping {
  static var least: Int64 { .min }
  static var greatest: Int64 { .max }
  var successor: Int64? { self == .max ? nil : self + 1 }
  var predecessor: Int64? { self == .min ? nil : self - 1 }
}

extension Double: Stepping {
  static var least: Double { -.infinity }
  static var greatest: Double { .infinity }
  var successor: Double? { self == .infinity ? nil : nextUp }
  var predecessor: Double? { self == -.infinity ? nil : nextDown }
}

extension Float: Stepping {
  static var least: Float { -.infinity }
  static var greatest: Float { .infinity }
  var successor: Float? { self == .infinity ? nil : nextUp }
  var predecessor: Float? { self == -.infinity ? nil : nextDown }
}

extension Cut where Number: Stepping {
  /// The values that stand in that relation to the constant; nil: none.
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
