import CairnTestSupport
import CairnValues
import Testing

@Suite struct ValueTests {
  static let values: [Value] = [
    .null, .bool(false), .bool(true), .double(.nan), .float(.nan), .decimal(.nan),
    .double(-.infinity), .decimal(-.infinity), .int(.min), .double(-0x1p63), .int(-1), .float(-0.5),
    .double(-0.0), .int(0), .double(0), .decimal(0), .double(0.1), .decimal("0.1"), .float(0.1),
    .int(1), .float(1), .double(1), .decimal(1), .decimal("1.00"), .int(1 << 53), .double(0x1p53),
    .int(1 << 53 + 1), .int(.max), .decimal("9223372036854775807.5"), .double(0x1p63),
    .double(.infinity), .string(""), .string("A"), .string("a"), .string("e\u{301}"), .string("é"),
    .string("ﬁ"), .string("🎉"), .data([]), .data([0]), .data([0, 1]), .data([255]), .date(.nan),
    .date(-1), .date(0), .date(1.5), .objectId(ObjectId()),
    .objectId(ObjectId("000000000000000000000001")),
    .uuid(UUIDBytes(high: 0, low: 1)), .uuid(UUIDBytes(high: 1, low: 0)),
    .point(Position(latitude: 0, longitude: 1)), .point(Position(latitude: 1, longitude: 0)),
  ]

  @Test func equalValuesHaveEqualHashes() {
    for a in Self.values {
      #expect(a == a)
      for b in Self.values where a == b {
        #expect(a.hashValue == b.hashValue)
        #expect(Value.sortOrder(a, to: b) == .equal)
      }
    }
    #expect(Value.double(0) == .double(-0.0))
    #expect(Value.double(0).hashValue == Value.double(-0.0).hashValue)
    #expect(Value.int(1) != .double(1))
    #expect(Value.string("é") != .string("e\u{301}"))
    #expect(Value.decimal("1.0") == .decimal("1.00"))
    #expect(Value.double(.nan).hashValue == Value.double(-.nan).hashValue)
  }

  @Test func sortOrderIsTotal() {
    for a in Self.values {
      #expect(Value.sortOrder(a, to: a) == .equal)
      for b in Self.values {
        #expect(Value.sortOrder(a, to: b) == Value.sortOrder(b, to: a).reversed)
        for c in Self.values {
          let (ab, bc, ac) = (
            Value.sortOrder(a, to: b), Value.sortOrder(b, to: c), Value.sortOrder(a, to: c)
          )
          if ab != .greater && bc != .greater { #expect(ac != .greater, "\(a) \(b) \(c)") }
          if ab == .equal && bc == .equal { #expect(ac == .equal, "\(a) \(b) \(c)") }
        }
      }
    }
  }

  /// The list is in sort order, apart from equal values.
  @Test func sortOrderIsTheDocumentedOne() {
    for (place, a) in Self.values.enumerated() {
      for b in Self.values[place...] {
        #expect(Value.sortOrder(a, to: b) != .greater, "\(a) \(b)")
      }
    }
  }

  @Test func comparisonIsConsistent() {
    for a in Self.values {
      for b in Self.values {
        #expect(a.equals(b) == b.equals(a))
        #expect(a.order(to: b) == b.order(to: a)?.reversed)
        if let order = a.order(to: b) { #expect(order == Value.sortOrder(a, to: b)) }
      }
    }
  }

  @Test func nullsAndNaNs() {
    #expect(Value.null.equals(.null))
    #expect(Value.null.order(to: .null) == nil)
    for value in Self.values where !value.isNull {
      #expect(!Value.null.equals(value))
      #expect(Value.null.order(to: value) == nil)
      #expect(!Value.double(.nan).equals(value))
      #expect(Value.double(.nan).order(to: value) == nil)
      #expect(!Value.date(.nan).equals(value))
    }
  }

  @Test func numbersCompareByValue() {
    #expect(Value.int(1).equals(.double(1)))
    #expect(Value.int(1).equals(.float(1)))
    #expect(Value.int(1).equals(.decimal("1.000")))
    #expect(!Value.int(1).equals(.bool(true)))
    #expect(!Value.int(1).equals(.string("1")))
    #expect(!Value.int(1 << 53 + 1).equals(.double(0x1p53)))
    #expect(Value.int(1 << 53 + 1).order(to: .double(0x1p53)) == .greater)
    #expect(Value.int(.max).order(to: .double(0x1p63)) == .less)
    #expect(Value.int(.min).order(to: .double(-0x1p63)) == .equal)
    #expect(Value.int(3).order(to: .double(3.5)) == .less)
    #expect(Value.int(-3).order(to: .double(-3.5)) == .greater)
    #expect(Value.double(0.1).equals(.decimal("0.1")))
    #expect(!Value.float(0.1).equals(.double(0.1)))
    #expect(Value.decimal("1e400").order(to: .double(.greatestFiniteMagnitude)) == .greater)
  }

  @Test func integersAgainstDoublesAtRandom() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<20_000 {
      let integer = Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random)
      let near = Double(integer)
      for double in [near, near.nextUp, near.nextDown, near + 0.5] where abs(double) < 0x1p62 {
        let (whole, rest) = (Int64(double.rounded(.down)), double - double.rounded(.down))
        let expected: Ordering =
          integer < whole ? .less : integer > whole ? .greater : rest > 0 ? .less : .equal
        #expect(Ordering.between(integer, and: double) == expected)
      }
    }
  }

  @Test func textComparesByCodePoint() {
    let sorted = [
      "10", "9", "A", "B", "Z", "_", "a", "b", "e\u{301}", "f", "z", "É", "Ö", "ß", "é", "ö", "Ā",
      "Ж", "日本", "ﬁ", "🎉",
    ]
    for (place, a) in sorted.enumerated() {
      for b in sorted[(place + 1)...] {
        #expect(Value.string(a).order(to: .string(b)) == .less, "\(a) \(b)")
      }
    }
  }

  @Test func kindsThatCannotBeCompared() {
    #expect(Value.string("a").order(to: .data([97])) == nil)
    #expect(Value.date(0).order(to: .double(0)) == nil)
    #expect(Value.bool(false).order(to: .bool(true)) == .less)
    let point = Value.point(Position(latitude: 1, longitude: 2))
    #expect(point.equals(point))
    #expect(point.order(to: point) == nil)
  }

  @Test func types() {
    #expect(Value.null.type == nil)
    #expect(Set(Self.values.compactMap(\.type)).count == 11)
    #expect(ValueType.allCases.allSatisfy { !$0.name.isEmpty })
    #expect(ValueType.allCases.map(\.rawValue) == Array(1...18))
    #expect(ValueType.allCases.filter(\.isNumeric) == [.int, .float, .double, .decimal128])
  }
}
