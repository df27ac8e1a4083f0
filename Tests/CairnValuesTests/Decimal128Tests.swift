import CairnTestSupport
import CairnValues
import Testing

@Suite(.tags(.untrusted)) struct Decimal128Tests {
  static func decimal(_ text: some StringProtocol) throws -> Decimal128 {
    try #require(Decimal128(text: text), "\(text)")
  }

  @Test(arguments: [DecimalVectors.text, DecimalVectors.moreText])
  func arithmeticAgainstPython(_ vectors: String) throws {
    for line in vectors.split(separator: "\n") {
      let parts = line.split(separator: " ")
      let (a, b) = (try Self.decimal(parts[0]), try Self.decimal(parts[2]))
      let result: String
      switch parts[1] {
      case "+": result = "\(a + b)"
      case "-": result = "\(a - b)"
      case "*": result = "\(a * b)"
      case "/": result = "\(a / b)"
      default:
        switch Decimal128.order(a, to: b) {
        case .less?: result = "<"
        case .equal?: result = "="
        case .greater?: result = ">"
        case nil: result = "?"
        }
      }
      // Python writes a plus sign before an exponent.
      #expect(result == parts[3].replacing("E+", with: "E"), "\(line)")
    }
  }

  /// Encodings given by the BSON specification and IEEE 754.
  @Test(
    arguments: [
      ("0", 0x3040_0000_0000_0000, 0), ("1", 0x3040_0000_0000_0000, 1),
      ("-1", 0xB040_0000_0000_0000, 1), ("0.1", 0x303E_0000_0000_0000, 1),
      ("-0", 0xB040_0000_0000_0000, 0), ("NaN", 0x7C00_0000_0000_0000, 0),
      ("Infinity", 0x7800_0000_0000_0000, 0), ("-Infinity", 0xF800_0000_0000_0000, 0),
      ("12345678901234567", 0x3040_0000_0000_0000, 0x002B_DC54_5D6B_4B87),
      ("0.001234", 0x3034_0000_0000_0000, 0x4D2),
      ("1.234567890123456789012345678901234", 0x2FFE_3CDE_6FFF_9732, 0xDE82_5CD0_7E96_AFF2),
      ("9.999999999999999999999999999999999E6144", 0x5FFF_ED09_BEAD_87C0, 0x378D_8E63_FFFF_FFFF),
      ("1E-6176", 0, 1),
    ] as [(String, UInt64, UInt64)])
  func encodings(_ text: String, _ high: UInt64, _ low: UInt64) throws {
    let value = try Self.decimal(text)
    #expect(value.high == high && value.low == low)
    #expect(Decimal128(high: high, low: low).description == text)
  }

  @Test(arguments: [
    ("1", "1"), ("1.00", "1.00"), ("+1", "1"), ("-1.5e3", "-1.5E3"), ("1E3", "1E3"),
    (".5", "0.5"), ("5.", "5"), ("0.000001", "0.000001"), ("0.0000001", "1E-7"),
    ("123456.789e-3", "123.456789"), ("inf", "Infinity"), ("-INFINITY", "-Infinity"),
    ("nan", "NaN"), ("0e5", "0E5"), ("00012", "12"),
    ("1e6145", "Infinity"), ("1e-6177", "0E-6176"), ("6e-6177", "1E-6176"),
    ("1e6144", "1.000000000000000000000000000000000E6144"),
    ("12345678901234567890123456789012345", "1.234567890123456789012345678901234E34"),
    ("12345678901234567890123456789012335", "1.234567890123456789012345678901234E34"),
    ("123456789012345678901234567890123350000000001", "1.234567890123456789012345678901234E44"),
    ("99999999999999999999999999999999995", "1.000000000000000000000000000000000E35"),
  ])
  func texts(_ text: String, _ printed: String) throws {
    #expect(try Self.decimal(text).description == printed)
  }

  @Test(arguments: [
    "", "-", ".", "e5", "1e", "1e+", "1.2.3", "1 ", " 1", "0x1", "1,5", "infin", "NaN0", "１",
  ])
  func rejectsOtherTexts(_ text: String) {
    #expect(Decimal128(text: text) == nil)
    #expect(throws: ValueError.self) { try Decimal128(string: text) }
  }

  @Test func textRoundTrip() throws {
    var random = SplitMix64(seed: 11)
    for _ in 0..<5000 {
      let value = Decimal128(high: random.next(), low: random.next())
      let read = try Self.decimal(value.description)
      #expect(read == value || (read.isNaN && value.isNaN), "\(value)")
      #expect(read.description == value.description)
      #expect(read.hashValue == value.hashValue)
    }
  }

  @Test func integers() throws {
    for number: Int64 in [0, 1, -1, 42, .max, .min, 1_000_000_007] {
      #expect(Decimal128(number).description == "\(number)")
      #expect(Decimal128(number).exactInteger == number)
    }
    #expect(Decimal128(UInt64.max).description == "18446744073709551615")
    #expect(try Self.decimal("1.50").exactInteger == nil)
    #expect(try Self.decimal("15E+1").exactInteger == 150)
    #expect(try Self.decimal("1.0").exactInteger == 1)
    #expect(try Self.decimal("9223372036854775808").exactInteger == nil)
    #expect(try Self.decimal("-9223372036854775808").exactInteger == .min)
    #expect(try Self.decimal("1E+30").exactInteger == nil)
    #expect(Decimal128.nan.exactInteger == nil)
  }

  @Test func doubles() throws {
    #expect(Decimal128(0.1).description == "0.1")
    #expect(Decimal128(-2.5).description == "-2.5")
    #expect(Decimal128(0x1p60).description == "1152921504606846976")
    #expect(Decimal128(1e22).description == "10000000000000000000000")
    #expect(Decimal128(1e300) == (try Self.decimal("1e300")))
    #expect(Decimal128(-0.0).description == "-0")
    #expect(Decimal128(Double.nan).isNaN)
    #expect(Decimal128(-Double.infinity) == -.infinity)
    #expect(Decimal128(Float(0.1)).description == "0.1")
    var random = SplitMix64(seed: 12)
    for _ in 0..<5000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      #expect(Decimal128(number).doubleValue == number)
    }
    #expect(try Self.decimal("1e400").doubleValue == .infinity)
    #expect((-Decimal128.infinity).doubleValue == -.infinity)
    #expect(Decimal128.nan.doubleValue.isNaN)
  }

  @Test func doublesKeepTheirOrder() {
    var random = SplitMix64(seed: 13)
    for _ in 0..<5000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite, number.nextUp.isFinite else { continue }
      #expect(Decimal128(number) < Decimal128(number.nextUp), "\(number)")
    }
    for number in [0x1p53, 0x1p63, 9_999_999_999_999_998, 1e34.nextDown, 1e34, 1e35] {
      #expect(Decimal128(number.nextDown) < Decimal128(number))
      #expect(Decimal128(number) < Decimal128(number.nextUp))
    }
  }

  @Test func equalityAndHash() throws {
    let spellings = ["1", "1.0", "1.00", "0.1E+1", "10E-1", "1000000E-6"]
    #expect(Set(try spellings.map(Self.decimal)).count == 1)
    #expect(Set(try ["0", "-0", "0E+100", "0.000"].map(Self.decimal)).count == 1)
    #expect(Decimal128.nan != Decimal128.nan)
    #expect(Decimal128.infinity == .infinity)
    #expect(Decimal128.infinity > .greatestFiniteMagnitude)
    // A coefficient that no canonical number has counts as zero.
    #expect(Decimal128(high: 0x6000_0000_0000_0001, low: 5).isZero)
    #expect(Decimal128(high: 0x3041_ED09_BEAD_87C0, low: 0x378D_8E64_0000_0000).isZero)
  }

  @Test func literalsAndNumeric() throws {
    let third: Decimal128 = 1 / 3
    #expect(third.description == "0.3333333333333333333333333333333333")
    let price: Decimal128 = 19.99
    let text: Decimal128 = "0.01"
    #expect((price + text).description == "20.00")
    #expect([price, text, 1].reduce(0, +).description == "21.00")
    #expect(-price < 0)
    #expect((-price).magnitude == price)
    #expect(Decimal128(exactly: 12) == 12)
    #expect(Decimal128(exactly: UInt64.max) != nil)
    #expect(Decimal128() == 0)
    #expect(Decimal128(String("x")) == nil)
  }

  @Test func storedBytes() {
    let value: Decimal128 = "-123.456"
    #expect(value.withStoredBytes { Decimal128(storedBytes: $0).description } == "-123.456")
    #expect(value.withStoredBytes { $0.count } == 16)
    #expect(
      Decimal128(1).withStoredBytes { Array($0) } == [1] + Array(repeating: 0, count: 13) + [
        0x40, 0x30,
      ])
  }
}
