/// A decimal number of up to 34 digits: IEEE 754-2008 decimal128 in its binary integer encoding.
public struct Decimal128: Sendable {
  /// Sign, exponent and the upper bits of the coefficient.
  @usableFromInline package var high: UInt64
  /// The lower 64 bits of the coefficient.
  @usableFromInline package var low: UInt64

  /// Creates the number of an encoding.
  @inlinable
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates zero.
  public init() {
    self.init(negative: false, coefficient: (0, 0), exponent: 0)
  }
}

extension Decimal128 {
  /// Decimal exponents range from -6176 to 6111; the encoding stores them as values from zero up.
  static let bias = 6176
  static let maxExponent = 6111
  static let minExponent = -6176
  static let maxDigits = 34

  private static let signBit: UInt64 = 1 << 63
  private static let infinityBits: UInt64 = 0x7800_0000_0000_0000
  private static let nanBits: UInt64 = 0x7C00_0000_0000_0000

  /// Positive infinity.
  public static let infinity = Decimal128(high: infinityBits, low: 0)
  /// Not a number.
  public static let nan = Decimal128(high: nanBits, low: 0)
  /// The greatest finite number.
  public static let greatestFiniteMagnitude = Decimal128(
    negative: false, coefficient: (0x0001_ED09_BEAD_87C0, 0x378D_8E63_FFFF_FFFF),
    exponent: maxExponent)

  /// Whether the number is NaN.
  public var isNaN: Bool { high & Decimal128.nanBits == Decimal128.nanBits }
  /// Whether the number is an infinity of either sign.
  public var isInfinite: Bool { high & Decimal128.nanBits == Decimal128.infinityBits }
  /// Whether the number is neither infinite nor NaN.
  public var isFinite: Bool { high & Decimal128.infinityBits != Decimal128.infinityBits }
  /// Whether the number is a zero of either sign.
  public var isZero: Bool { isFinite && coefficient == (0, 0) }
  /// Whether the sign is minus, including that of a zero or a NaN.
  public var isNegative: Bool { high & Decimal128.signBit != 0 }

  /// Creates a finite number. The coefficient is below 10^34, and the exponent within its limits.
  init(negative: Bool, coefficient: (high: UInt64, low: UInt64), exponent: Int) {
    let biased = UInt64(exponent + Decimal128.bias)
    self.init(
      high: (negative ? Decimal128.signBit : 0) | biased << 49 | coefficient.high,
      low: coefficient.low)
  }

  /// Whether the encoding is one that no canonical number uses; its coefficient counts as zero.
  private var isNonCanonical: Bool {
    if high >> 61 & 3 == 3 { return true }
    let upper = high & 0x0001_FFFF_FFFF_FFFF
    return (upper, low) > (0x0001_ED09_BEAD_87C0, 0x378D_8E63_FFFF_FFFF)
  }

  /// The digits of a finite number as an integer.
  var coefficient: (high: UInt64, low: UInt64) {
    isNonCanonical ? (0, 0) : (high & 0x0001_FFFF_FFFF_FFFF, low)
  }

  /// The power of ten that multiplies the digits of a finite number.
  var exponent: Int {
    let shift: UInt64 = high >> 61 & 3 == 3 ? 47 : 49
    return Int(high >> shift & 0x3FFF) - Decimal128.bias
  }

  /// Returns the number with the opposite sign.
  public static prefix func - (value: Decimal128) -> Decimal128 {
    Decimal128(high: value.high ^ signBit, low: value.low)
  }

  /// Changes the sign of the number.
  public mutating func negate() { self = -self }

  /// The number without its sign.
  public var magnitude: Decimal128 {
    Decimal128(high: high & ~Decimal128.signBit, low: low)
  }
}

extension Decimal128 {
  /// Calls `body` with the sixteen bytes as stored, the lowest first. They are valid during the call.
  @inlinable
  package func withStoredBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: (low.littleEndian, high.littleEndian), body)
  }

  /// Creates the number of sixteen stored bytes.
  @inlinable
  package init(storedBytes bytes: UnsafeRawBufferPointer) {
    assert(bytes.count >= 16, "a decimal has 16 bytes")
    self.init(
      high: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
      low: UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)))
  }
}

extension Decimal128 {
  /// The type of the distance between two numbers.
  public typealias Stride = Decimal128
  /// The type of a number without its sign.
  public typealias Magnitude = Decimal128

  /// The least finite number.
  public static var min: Decimal128 { -greatestFiniteMagnitude }
  /// The greatest finite number.
  public static var max: Decimal128 { greatestFiniteMagnitude }

  /// The number as text, equal to `description`.
  public var stringValue: String { description }

  /// Whether the number is NaN. Every NaN counts as signaling.
  public var isSignaling: Bool { isNaN }
  /// Whether the number is NaN.
  public var isSignalingNaN: Bool { isNaN }

  /// Returns the difference from this number to another.
  public func distance(to other: Decimal128) -> Decimal128 { other - self }
  /// Returns the number at a distance from this one.
  public func advanced(by distance: Decimal128) -> Decimal128 { self + distance }
}

extension Decimal128 {
  /// The order by value, or nil if either is NaN.
  package static func order(_ a: Decimal128, to b: Decimal128) -> Ordering? {
    if a.isNaN || b.isNaN { return nil }
    if a.signum != b.signum { return Ordering(a.signum, to: b.signum) }
    let order = orderOfMagnitudes(a, b: b)
    return a.signum < 0 ? order.reversed : order
  }

  private var signum: Int {
    isZero ? 0 : isNegative ? -1 : 1
  }

  private static func orderOfMagnitudes(_ a: Decimal128, b: Decimal128) -> Ordering {
    if a.isInfinite || b.isInfinite {
      return Ordering(a.isInfinite ? 1 : 0, to: b.isInfinite ? 1 : 0)
    }
    if a.isZero { return .equal }
    var x = a.wideCoefficient
    var y = b.wideCoefficient
    let adjusted = Ordering(x.digits + a.exponent, to: y.digits + b.exponent)
    if adjusted != .equal { return adjusted }
    // The leading digits have equal positions, so the exponents differ by 33 at most.
    x.multiply(byPowerOfTen: Swift.max(a.exponent - b.exponent, 0))
    y.multiply(byPowerOfTen: Swift.max(b.exponent - a.exponent, 0))
    return Ordering(x, to: y)
  }
}

/// Comparison by value: `1.0` equals `1.00`, zero equals minus zero, and NaN equals nothing.
extension Decimal128: Hashable, Comparable {
  /// Whether the values are equal.
  public static func == (a: Decimal128, b: Decimal128) -> Bool {
    order(a, to: b) == .equal
  }

  /// Whether the value of `a` is less than that of `b`.
  public static func < (a: Decimal128, b: Decimal128) -> Bool {
    order(a, to: b) == .less
  }

  /// Hashes the value, independent of trailing zeros.
  public func hash(into hasher: inout Hasher) {
    guard isFinite else {
      hasher.combine(isNaN ? 0 : isNegative ? -1 : 1)
      return
    }
    var digits = wideCoefficient
    var power = exponent
    var shorter = digits
    while !digits.isZero, shorter.divide(by: 10) == 0 {
      digits = shorter
      power += 1
    }
    hasher.combine(digits)
    hasher.combine(digits.isZero ? 0 : power)
    hasher.combine(!digits.isZero && isNegative)
  }
}
