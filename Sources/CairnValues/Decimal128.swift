/// A decimal number of up to 34 digits: IEEE 754-2008 decimal128 in its binary integer encoding.
public struct Decimal128: Sendable {
  /// Sign, exponent and the upper bits of the coefficient.
  @usableFromInline package var high: UInt64
  /// The lower 64 bits of the coefficient.
  @usableFromInline package var low: UInt64

  /// The number of that encoding.
  @inlinable
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Zero.
  public init() {
    self.init(negative: false, coefficient: (0, 0), exponent: 0)
  }
}

extension Decimal128 {
  /// Decimal exponents run from -6176 to 6111; the encoding holds them from zero up.
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

  /// Whether the number is not a number.
  public var isNaN: Bool { high & Decimal128.nanBits == Decimal128.nanBits }
  /// Whether the number is an infinity of either sign.
  public var isInfinite: Bool { high & Decimal128.nanBits == Decimal128.infinityBits }
  /// Whether the number is neither infinite nor NaN.
  public var isFinite: Bool { high & Decimal128.infinityBits != Decimal128.infinityBits }
  /// Whether the number is a zero of either sign.
  public var isZero: Bool { isFinite && coefficient == (0, 0) }
  /// Whether the sign is minus, that of a zero or a NaN included.
  public var isNegative: Bool { high & Decimal128.signBit != 0 }

  /// A finite number; the coefficient is below 10^34 and the exponent within its limits.
  init(negative: Bool, coefficient: (high: UInt64, low: UInt64), exponent: Int) {
    let biased = UInt64(exponent + Decimal128.bias)
    self.init(
      high: (negative ? Decimal128.signBit : 0) | biased << 49 | coefficient.high,
      low: coefficient.low)
  }

  /// Where the encoding is the one that no canonical number uses, whose coefficient counts as zero.
  private var isNonCanonical: Bool {
    if high >> 61 & 3 == 3 { return true }
    let upper = high & 0x0001_FFFF_FFFF_FFFF
    return (upper, low) > (0x0001_ED09_BEAD_87C0, 0x378D_8E63_FFFF_FFFF)
  }

  /// The digits as an integer; of a finite number only.
  var coefficient: (high: UInt64, low: UInt64) {
    isNonCanonical ? (0, 0) : (high & 0x0001_FFFF_FFFF_FFFF, low)
  }

  /// The power of ten that the digits stand for; of a finite number only.
  var exponent: Int {
    let shift: UInt64 = high >> 61 & 3 == 3 ? 47 : 49
    return Int(high >> shift & 0x3FFF) - Decimal128.bias
  }

  /// The number with the sign turned.
  public static prefix func - (value: Decimal128) -> Decimal128 {
    Decimal128(high: value.high ^ signBit, low: value.low)
  }

  /// The number without its sign.
  public var magnitude: Decimal128 {
    Decimal128(high: high & ~Decimal128.signBit, low: low)
  }
}

extension Decimal128 {
  /// The sixteen bytes as the store keeps them: lowest first.
  @inlinable
  package func withStoredBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: (low.littleEndian, high.littleEndian), body)
  }

  /// The number that the store keeps as these sixteen bytes.
  @inlinable
  package init(storedBytes bytes: UnsafeRawBufferPointer) {
    self.init(
      high: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
      low: UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)))
  }
}
