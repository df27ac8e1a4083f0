import Cairn
import CairnModelTestSupport
import CairnTestSupport
import Foundation
import Testing

class Basket: Object {
  @Persisted var number = 0
  @Persisted var ints: List<Int>
  @Persisted var doubles: List<Double?>
  @Persisted var texts: MutableSet<String>
  @Persisted var dates: MutableSet<Date>
  @Persisted var counts: Map<String, Int>
  @Persisted var shades: List<Shade>
  @Persisted var cells: List<Cell>
  @Persisted var mixed: AnyRealmValue
}

/// Queries on the elements of collections, compared with plain Swift over arrays.
@Suite struct CollectionMatrixTests {
  private let temporary: TemporaryRealm
  private let plain: [Plain]
  private var baskets: Results<Basket> { temporary.realm.objects(Basket.self) }

  /// The content of a basket.
  private struct Plain {
    var ints: [Int] = []
    var doubles: [Double?] = []
    var texts: Set<String> = []
    var dates: Set<Date> = []
    var counts: [String: Int] = [:]
    var shades: [Shade] = []
    var sizes: [Int] = []
    var mixed = AnyRealmValue.none
  }

  init() throws {
    var random = SplitMix64(seed: 77)
    plain = (0..<80).map { _ in CollectionMatrixTests.plain(&random) }
    temporary = try TemporaryRealm()
    let realm = temporary.realm
    let made = plain
    try realm.write {
      for (number, plain) in made.enumerated() {
        realm.add(CollectionMatrixTests.basket(number, plain))
      }
    }
  }

  private static func plain(_ random: inout SplitMix64) -> Plain {
    var plain = Plain()
    func count() -> Int { Int.random(in: 0...4, using: &random) }
    func pick<T>(_ values: [T]) -> T { values[Int.random(in: values.indices, using: &random)] }
    plain.ints = (0..<count()).map { _ in Int.random(in: -2...6, using: &random) }
    plain.doubles = (0..<count()).map { _ in pick([nil, -1.5, 0, 2.25]) }
    plain.texts = Set((0..<count()).map { _ in pick(["a", "b", "é", ""]) })
    plain.dates = Set(
      (0..<count()).map { _ in
        Date(timeIntervalSinceReferenceDate: .random(in: 0...2, using: &random))
      })
    for key in ["x", "y", "z"] where Bool.random(using: &random) {
      plain.counts[key] = Int.random(in: 0...3, using: &random)
    }
    plain.shades = (0..<count()).map { _ in pick(Shade.allCases) }
    plain.sizes = (0..<count()).map { _ in Int.random(in: 0...5, using: &random) }
    plain.mixed = pick([
      .none, .int(1), .bool(true), .double(1), .string("1"), .string("a"), .int(3), .float(2.5),
    ])
    return plain
  }

  private static func basket(_ number: Int, _ plain: Plain) -> Basket {
    let basket = Basket()
    basket.number = number
    basket.ints.append(objectsIn: plain.ints)
    basket.doubles.append(objectsIn: plain.doubles)
    basket.texts.insert(objectsIn: plain.texts)
    basket.dates.insert(objectsIn: plain.dates)
    for (key, count) in plain.counts { basket.counts[key] = count }
    basket.shades.append(objectsIn: plain.shades)
    for size in plain.sizes {
      let cell = Cell()
      cell.int = size
      basket.cells.append(cell)
    }
    basket.mixed = plain.mixed
    return basket
  }

  private func expect(
    _ found: Results<Basket>, at place: SourceLocation = #_sourceLocation,
    _ holds: (Plain) -> Bool
  ) {
    let wanted = plain.indices.filter { holds(plain[$0]) }
    #expect(found.map(\.number) == wanted, sourceLocation: place)
  }

  @Test(arguments: [-2, 0, 3, 6, 9]) func integers(_ value: Int) {
    expect(baskets.where { $0.ints.contains(value) }) { $0.ints.contains(value) }
    expect(baskets.where { !$0.ints.contains(value) }) { !$0.ints.contains(value) }
    expect(baskets.filter("ANY ints > %@", value)) { $0.ints.contains { $0 > value } }
    expect(baskets.filter("ALL ints > %@", value)) { $0.ints.allSatisfy { $0 > value } }
    expect(baskets.filter("NONE ints != %@", value)) { $0.ints.allSatisfy { $0 == value } }
    expect(baskets.where { $0.ints.containsAny(in: [value, 1]) }) {
      $0.ints.contains(value) || $0.ints.contains(1)
    }
    expect(baskets.where { $0.ints.count == value }) { $0.ints.count == value }
    expect(baskets.where { $0.ints.min > value }) { $0.ints.min().map { $0 > value } ?? false }
    expect(baskets.where { $0.ints.max <= value }) { $0.ints.max().map { $0 <= value } ?? false }
    expect(baskets.where { $0.ints.sum == value }) { $0.ints.reduce(0, +) == value }
    expect(baskets.where { $0.ints.avg >= Double(value) }) {
      !$0.ints.isEmpty && Double($0.ints.reduce(0, +)) / Double($0.ints.count) >= Double(value)
    }
    expect(baskets.where { $0.ints.contains(value..<(value + 4)) }) {
      !$0.ints.isEmpty && $0.ints.allSatisfy { (value..<(value + 4)).contains($0) }
    }
    expect(baskets.where { $0.ints.contains(value...(value + 3)) }) {
      !$0.ints.isEmpty && $0.ints.allSatisfy { (value...(value + 3)).contains($0) }
    }
  }

  @Test(arguments: [nil, -1.5, 0, 2.25, 7]) func optionalDoubles(_ value: Double?) {
    expect(baskets.where { $0.doubles.contains(value) }) { $0.doubles.contains(value) }
    expect(baskets.filter("ANY doubles != %@", value)) { $0.doubles.contains { $0 != value } }
    expect(baskets.where { $0.doubles.max == value }) {
      $0.doubles.compactMap(\.self).max() == value
    }
    expect(baskets.where { $0.doubles.sum == value }) {
      $0.doubles.compactMap(\.self).reduce(0, +) == value
    }
  }

  @Test(arguments: ["a", "é", "", "q"]) func setsAndMaps(_ text: String) {
    expect(baskets.where { $0.texts.contains(text) }) { $0.texts.contains(text) }
    expect(baskets.filter("%@ IN texts", text)) { $0.texts.contains(text) }
    expect(baskets.filter("NONE texts == %@", text)) { !$0.texts.contains(text) }
    for key in ["x", "y", "q"] {
      expect(baskets.where { $0.counts[key] == 2 }) { $0.counts[key] == 2 }
      expect(baskets.where { $0.counts[key] != 2 }) { $0.counts[key] != 2 }
      expect(baskets.where { $0.counts.keys == key }) { $0.counts.keys.contains(key) }
      expect(baskets.filter("counts[%@] > 1", key)) { ($0.counts[key] ?? 0) > 1 }
    }
    expect(baskets.where { $0.counts.values > 1 }) { $0.counts.values.contains { $0 > 1 } }
    expect(baskets.where { $0.counts.contains(3) }) { $0.counts.values.contains(3) }
    expect(baskets.where { $0.counts.count >= 2 }) { $0.counts.count >= 2 }
    expect(baskets.where { $0.counts.sum == 4 }) { $0.counts.values.reduce(0, +) == 4 }
    let date = Date(timeIntervalSinceReferenceDate: 1)
    expect(baskets.where { $0.dates.min < date }) { $0.dates.min().map { $0 < date } ?? false }
    expect(baskets.where { $0.shades.contains(.blue) }) { $0.shades.contains(.blue) }
  }

  @Test(arguments: [0, 2, 5]) func objects(_ value: Int) {
    expect(baskets.where { $0.cells.int == value }) { $0.sizes.contains(value) }
    expect(baskets.where { $0.cells.int.min >= value }) {
      $0.sizes.min().map { $0 >= value } ?? false
    }
    expect(baskets.where { $0.cells.int.sum > value }) { $0.sizes.reduce(0, +) > value }
    expect(baskets.where { ($0.cells.int > value && $0.cells.bool == false).count >= 2 }) {
      $0.sizes.count { $0 > value } >= 2
    }
    expect(baskets.filter("ALL cells.int < %@", value)) { $0.sizes.allSatisfy { $0 < value } }
  }

  /// Numbers compare with numbers and Booleans, strings with strings.
  @Test func mixedValues() {
    func number(_ value: AnyRealmValue) -> Double? {
      switch value {
      case .int(let number): Double(number)
      case .bool(let flag): flag ? 1 : 0
      case .float(let number): Double(number)
      case .double(let number): number
      default: nil
      }
    }
    expect(baskets.where { $0.mixed == .int(1) }) { number($0.mixed) == 1 }
    expect(baskets.where { $0.mixed != .int(1) }) { number($0.mixed) != 1 }
    expect(baskets.filter("mixed == %@", 2.5)) { number($0.mixed) == 2.5 }
    expect(baskets.where { $0.mixed == .string("1") }) { $0.mixed == .string("1") }
    expect(baskets.where { $0.mixed == .none }) { $0.mixed == .none }
    expect(baskets.filter("mixed IN {1, 'a'}")) {
      number($0.mixed) == 1 || $0.mixed == .string("a")
    }
  }
}
