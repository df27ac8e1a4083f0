import CairnTestSupport
import CairnValues

/// Random values of every type. The flavour selects the range of the type that they come from.
struct ValueSource {
  enum Flavour: CaseIterable {
    /// Few different values.
    case few
    /// Ordinary values.
    case plain
    /// The extremes of the type.
    case extreme
  }

  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  static let storedTypes: [ValueType] = [
    .bool, .int, .float, .double, .string, .data, .date, .objectId, .uuid, .decimal128, .point,
  ]
  /// The types of the elements of collections.
  static let elementTypes = ValueType.allCases.filter { !$0.isGeometry && $0 != .box }
  /// The types of columns, including those that no collection and no mixed value holds.
  static let columnTypes = storedTypes + [.geometry, .lineString, .polygon, .box]

  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func chance(_ percent: Int) -> Bool { int(1...100) <= percent }

  mutating func value(of type: ValueType, _ flavour: Flavour) -> Value {
    switch type {
    case .bool: .bool(random.next() & 1 == 0)
    case .int, .link, .embedded: .int(integer(flavour))
    case .float: .float(float(flavour))
    case .double: .double(double(flavour))
    case .date: .date(double(flavour))
    case .string: .string(text(flavour))
    case .data, .mixed: .data(bytes(flavour))
    case .objectId: .objectId(bytes(12, flavour).withUnsafeBytes { ObjectId(storedBytes: $0) })
    case .uuid: .uuid(UUIDBytes(high: random.next(), low: flavour == .few ? 1 : random.next()))
    case .decimal128: .decimal(decimal(flavour))
    case .point: .point(position(flavour))
    case .geometry, .lineString, .polygon: .geometry(geometry(type, flavour))
    case .box: .box(Box(lanes: SIMD4(repeating: -Int32(int(0...9)))))
    }
  }

  mutating func integer(_ flavour: Flavour) -> Int64 {
    switch flavour {
    case .few: Int64(int(-3...3))
    case .plain: Int64(int(-100_000...1_000_000))
    case .extreme: [.min, .max, 0, -1, .min + 1, .max - 1, 1 << 32][int(0...6)]
    }
  }

  mutating func double(_ flavour: Flavour) -> Double {
    switch flavour {
    case .few: Double(int(0...4)) / 4
    case .plain: Double(int(-1_000_000...1_000_000)) / 1000
    case .extreme:
      [
        .nan, -0.0, 0, .infinity, -.infinity, .leastNonzeroMagnitude, -.greatestFiniteMagnitude,
        0.1 + 0.2, .pi, Double(bitPattern: random.next()),
      ][int(0...9)]
    }
  }

  mutating func float(_ flavour: Flavour) -> Float {
    flavour == .extreme
      ? [
        .nan, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude,
        Float(bitPattern: UInt32(truncatingIfNeeded: random.next())),
      ][
        int(0...5)]
      : Float(double(flavour))
  }

  mutating func text(_ flavour: Flavour) -> String {
    switch flavour {
    case .few: return ["", "a", "Zürich", "żółw", "b"][int(0...4)]
    case .plain: return "name \(int(0...1_000_000))"
    case .extreme:
      let length = [0, 1, 7, 8, 9, 300][int(0...5)]
      let alphabet: [Character] = ["\0", "z", "é", "漢", "🦉", "\n"]
      return String((0..<length).map { _ in alphabet[int(0...5)] })
    }
  }

  mutating func bytes(_ flavour: Flavour) -> [UInt8] {
    bytes(flavour == .few ? int(0...1) : int(0...40), flavour)
  }

  private mutating func bytes(_ count: Int, _ flavour: Flavour) -> [UInt8] {
    (0..<count).map { _ in flavour == .few ? 7 : UInt8(truncatingIfNeeded: random.next()) }
  }

  private mutating func decimal(_ flavour: Flavour) -> Decimal128 {
    flavour == .few
      ? Decimal128(int(0...3)) : Decimal128(high: random.next() >> 4, low: random.next())
  }

  mutating func position(_ flavour: Flavour) -> Position {
    switch flavour {
    case .few: return Position(latitude: Double(int(-1...1)), longitude: Double(int(-1...1)))
    case .plain:
      return Position(
        latitude: Double(int(-900_000_000...900_000_000)) / 1e7,
        longitude: Double(int(-1_800_000_000...1_800_000_000)) / 1e7)
    case .extreme:
      let altitudes: [Double] = [0, 0, 12.5, -400]
      return Position(
        latitude: [-90, 90, -0.0, Double.random(in: -90...90, using: &random)][int(0...3)],
        longitude: [-180, 180, -0.0, Double.random(in: -180...180, using: &random)][int(0...3)],
        altitude: altitudes[int(0...3)])
    }
  }
}

/// Whether two values are the same bit for bit: NaN is identical to itself, and -0 is not identical
/// to 0.
func identical(_ a: Value, _ b: Value) -> Bool {
  switch (a, b) {
  case (.double(let x), .double(let y)), (.date(let x), .date(let y)): x.bitPattern == y.bitPattern
  case (.float(let x), .float(let y)): x.bitPattern == y.bitPattern
  case (.decimal(let x), .decimal(let y)): x.high == y.high && x.low == y.low
  case (.point(let x), .point(let y)):
    x.latitude.bitPattern == y.latitude.bitPattern
      && x.longitude.bitPattern == y.longitude.bitPattern && x.altitude == y.altitude
  default: a == b
  }
}
