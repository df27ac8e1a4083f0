/// Decimal digits, eight at a time in one machine word.
enum Digits {
  /// The value of 1 to 8 ASCII digits; nil when a byte is no digit. Reads 8 bytes.
  @inline(__always)
  static func upTo8(_ text: UnsafePointer<UInt8>, _ count: Int) -> UInt64? {
    // Bytes before the text become leading zeros, and every digit its value.
    let word = (load(text) ^ 0x3030_3030_3030_3030) &<< UInt64(64 &- 8 &* count)
    guard ((word &+ 0x7676_7676_7676_7676) | word) & 0x8080_8080_8080_8080 == 0 else { return nil }
    let pairs = word &* 10 &+ word &>> 8
    let even = (pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
    let odd = (pairs &>> 16 & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
    return (even &+ odd) &>> 32
  }

  /// The value of 1 to 19 ASCII digits; nil when a byte is no digit. Reads up to 24 bytes.
  @inline(__always)
  static func upTo19(_ text: UnsafePointer<UInt8>, _ count: Int) -> UInt64? {
    if count <= 8 { return upTo8(text, count) }
    guard let high = upTo8(text, 8) else { return nil }
    if count <= 16 {
      guard let low = upTo8(text + 8, count &- 8) else { return nil }
      return high &* powers[count &- 8] &+ low
    }
    guard let middle = upTo8(text + 8, 8), let low = upTo8(text + 16, count &- 16) else {
      return nil
    }
    return (high &* 100_000_000 &+ middle) &* powers[count &- 16] &+ low
  }

  @inline(__always)
  static func load(_ text: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(text).loadUnaligned(as: UInt64.self))
  }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

  // Literals: the compiler lays them out as constants, so that reading them needs no lock.

  /// 10^0 ... 10^19.
  static let powers: [UInt64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
    1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000,
    1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
  ]
  /// 10^0 ... 10^22, which doubles hold exactly.
  static let doublePowers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
  /// 5^0 ... 5^27.
  static let powersOf5: [UInt64] = [
    1, 5, 25, 125, 625, 3_125, 15_625, 78_125, 390_625, 1_953_125, 9_765_625, 48_828_125,
    244_140_625, 1_220_703_125, 6_103_515_625, 30_517_578_125, 152_587_890_625, 762_939_453_125,
    3_814_697_265_625, 19_073_486_328_125, 95_367_431_640_625, 476_837_158_203_125,
    2_384_185_791_015_625, 11_920_928_955_078_125, 59_604_644_775_390_625,
    298_023_223_876_953_125, 1_490_116_119_384_765_625, 7_450_580_596_923_828_125,
  ]
}
