import Cairn
import Foundation
import Testing

/// One property of `Cell`, with the values that are stored and queried.
struct MatrixColumn: Sendable, CustomTestStringConvertible {
  let name: String
  /// Runs every query on the property and returns the failures.
  let check: @Sendable (MatrixWorld) -> [String]
  /// Sets the property of a cell to the value with a number.
  let fill: @Sendable (Cell, Int) -> Void

  var testDescription: String { name }
}

extension MatrixColumn {
  /// A property that supports only equality.
  static func plain<V: _Persistable & SendableMetatype>(
    _ name: String, _ path: @escaping @Sendable () -> ReferenceWritableKeyPath<Cell, V>,
    _ values: @escaping @Sendable () -> [V]
  ) -> MatrixColumn {
    MatrixColumn(name: name) { world in
      world.equalities(name, path(), values())
    } fill: { cell, number in
      let values = values()
      cell[keyPath: path()] = values[number % values.count]
    }
  }

  /// A property that also supports order comparisons.
  static func ordered<V: _Persistable & SendableMetatype>(
    _ name: String, _ path: @escaping @Sendable () -> ReferenceWritableKeyPath<Cell, V>,
    _ values: @escaping @Sendable () -> [V]
  ) -> MatrixColumn where V.PersistedType: _QueryOrdered {
    MatrixColumn(name: name) { world in
      world.equalities(name, path(), values()) + world.orders(name, path(), values())
    } fill: { cell, number in
      let values = values()
      cell[keyPath: path()] = values[number % values.count]
    }
  }
}

/// The same cells in a store and in an array.
final class MatrixWorld {
  let cells: [Cell]
  let stored: Results<Cell>

  init(_ realm: Realm) throws {
    func made() -> [Cell] {
      let cells = (0..<MatrixWorld.size).map { number in
        let cell = Cell()
        cell.number = number
        for (index, column) in MatrixColumn.all.enumerated() {
          column.fill(cell, number &* (2 * index + 1) &+ index)
        }
        return cell
      }
      return cells
    }
    func link(_ cells: [Cell]) {
      for number in cells.indices where number % 3 != 0 {
        cells[number].next = cells[(number * 5 + 1) % cells.count]
      }
    }
    cells = made()
    link(cells)
    try realm.write {
      let added = made()
      realm.add(added)
      link(added)
    }
    stored = realm.objects(Cell.self)
  }

  static let size = 61

  /// Compares the numbers of the found cells with those of the expected cells.
  func compare(
    _ what: String, _ found: Results<Cell>, _ expected: (Cell) -> Bool
  ) -> [String] {
    let numbers = found.map(\.number).sorted()
    let wanted = cells.filter(expected).map(\.number)
    return numbers == wanted ? [] : ["\(what): expected \(wanted), found \(numbers)"]
  }
}

extension MatrixWorld {
  func equalities<V: _Persistable>(
    _ name: String, _ path: KeyPath<Cell, V>, _ values: [V]
  ) -> [String] {
    var wrong: [String] = []
    for value in values {
      let equal = { Oracle.equal($0, value) }
      wrong += compare("\(name) == \(value)", stored.where { $0[dynamicMember: path] == value }) {
        equal($0[keyPath: path])
      }
      wrong += compare("\(name) != \(value)", stored.where { $0[dynamicMember: path] != value }) {
        !equal($0[keyPath: path])
      }
      wrong += compare("text \(name) == \(value)", stored.filter("%K == %@", name, value)) {
        equal($0[keyPath: path])
      }
      wrong += compare(
        "next.\(name) == \(value)", stored.where { $0.next[dynamicMember: path] == value }
      ) { equal($0.next.map { $0[keyPath: path] }) }
      wrong += compare(
        "NOT next.\(name) != \(value)", stored.filter("NOT next.\(name) != %@", value)
      ) { equal($0.next.map { $0[keyPath: path] }) }
    }
    for count in 0...min(3, values.count) {
      let some = Array(values.prefix(count))
      let isIn = { (value: Any?) in some.contains { Oracle.equal(value, $0) } }
      wrong += compare("\(name) IN \(some)", stored.where { $0[dynamicMember: path].in(some) }) {
        isIn($0[keyPath: path])
      }
      wrong += compare("text \(name) IN \(some)", stored.filter("%K IN %@", name, some)) {
        isIn($0[keyPath: path])
      }
    }
    return wrong
  }

  func orders<V: _Persistable>(
    _ name: String, _ path: KeyPath<Cell, V>, _ values: [V]
  ) -> [String] where V.PersistedType: _QueryOrdered {
    values.flatMap { value in
      orders(name, path, value, "<", { $0[dynamicMember: path] < value }) { $0 < 0 }
        + orders(name, path, value, "<=", { $0[dynamicMember: path] <= value }) { $0 <= 0 }
        + orders(name, path, value, ">", { $0[dynamicMember: path] > value }) { $0 > 0 }
        + orders(name, path, value, ">=", { $0[dynamicMember: path] >= value }) { $0 >= 0 }
    } + betweens(name, path, values)
  }

  private func orders<V>(
    _ name: String, _ path: KeyPath<Cell, V>, _ value: V, _ sign: String,
    _ condition: (Query<Cell>) -> Query<Bool>, _ holds: @escaping (Int) -> Bool
  ) -> [String] {
    // Of the order comparisons only `<= nil` and `>= nil` match null.
    let answer = { (other: Any?) -> Bool in
      if Oracle.plain(value) == nil && Oracle.plain(other) == nil { return sign.hasSuffix("=") }
      return Oracle.order(other, value).map(holds) ?? false
    }
    return compare("\(name) \(sign) \(value)", stored.where(condition)) {
      answer($0[keyPath: path])
    }
      + compare("text \(name) \(sign) \(value)", stored.filter("\(name) \(sign) %@", value)) {
        answer($0[keyPath: path])
      }
      + compare("next.\(name) \(sign) \(value)", stored.filter("next.\(name) \(sign) %@", value)) {
        answer($0.next.map { $0[keyPath: path] })
      }
  }

  private func betweens<V>(
    _ name: String, _ path: KeyPath<Cell, V>, _ values: [V]
  ) -> [String] {
    zip(values, values.dropFirst()).flatMap { low, high in
      compare(
        "\(name) BETWEEN {\(low), \(high)}",
        stored.filter("%K BETWEEN {%@, %@}", name, low, high)
      ) { cell in
        let value = cell[keyPath: path]
        guard let lower = Oracle.order(value, low), let upper = Oracle.order(value, high) else {
          return false
        }
        return lower >= 0 && upper <= 0
      }
    }
  }
}

extension MatrixColumn {
  /// Every type of property with its boundary values, including null for optional properties.
  static let all: [MatrixColumn] = numbers + others + optionals

  private static let numbers: [MatrixColumn] = [
    .ordered("int", { \.int }) { ints },
    .ordered("int8", { \.int8 }) { [0, 1, -1, .min, .max, 42] },
    .ordered("int16", { \.int16 }) { [0, 1, -1, .min, .max, 42] },
    .ordered("int32", { \.int32 }) { [0, 1, -1, .min, .max, 42] },
    .ordered("int64", { \.int64 }) { [0, 1, -1, .min, .max, 42] },
    .ordered("float", { \.float }) { floats },
    .ordered("double", { \.double }) { doubles },
    .ordered("decimal", { \.decimal }) { decimals },
    .ordered("date", { \.date }) { dates },
    .ordered("level", { \.level }) { [.low, .middle, .high] },
    .ordered("warmth", { \.warmth }) { [Celsius(0), Celsius(-40), Celsius(36.6)] },
  ]

  private static let others: [MatrixColumn] = [
    .plain("bool", { \.bool }) { [true, false] },
    .ordered("string", { \.string }) { strings },
    .ordered("data", { \.data }) { datas },
    .plain("objectId", { \.objectId }) { ids },
    .plain("uuid", { \.uuid }) { uuids },
    .ordered("shade", { \.shade }) { [.amber, .blue, .coral] },
  ]

  private static let optionals: [MatrixColumn] = [
    .plain("maybeBool", { \.maybeBool }) { [nil, true, false] },
    .ordered("maybeInt", { \.maybeInt }) { [nil] + ints },
    .ordered("maybeInt8", { \.maybeInt8 }) { [nil, 0, .min, .max] },
    .ordered("maybeFloat", { \.maybeFloat }) { [nil] + floats },
    .ordered("maybeDouble", { \.maybeDouble }) { [nil] + doubles },
    .ordered("maybeString", { \.maybeString }) { [nil] + strings },
    .ordered("maybeData", { \.maybeData }) { [nil] + datas },
    .ordered("maybeDate", { \.maybeDate }) { [nil] + dates },
    .plain("maybeObjectId", { \.maybeObjectId }) { [nil] + ids },
    .plain("maybeUUID", { \.maybeUUID }) { [nil] + uuids },
    .ordered("maybeDecimal", { \.maybeDecimal }) { [nil] + decimals },
    .ordered("maybeShade", { \.maybeShade }) { [nil, .amber, .blue, .coral] },
    .ordered("maybeLevel", { \.maybeLevel }) { [nil, .low, .middle, .high] },
    .ordered("maybeWarmth", { \.maybeWarmth }) { [nil, Celsius(0), Celsius(-40)] },
  ]

  private static let ints = [0, 1, -1, .min, .max, 1_000_000]
  private static let floats: [Float] = [
    0, -0.0, 1.5, -1.5, .nan, .infinity, -.infinity, .greatestFiniteMagnitude,
    .leastNonzeroMagnitude,
  ]
  private static let doubles = [
    0, -0.0, 1.5, -1.5, .nan, .infinity, -.infinity, .greatestFiniteMagnitude,
    .leastNonzeroMagnitude,
  ]
  private static let decimals: [Decimal128] = [0, 1, -1, 1.5, 123_456_789, -0.001]
  private static let dates = [0, 1, -1, 0.25, 700_000_000.5, -60_000_000_000].map {
    Date(timeIntervalSinceReferenceDate: $0)
  }
  private static let strings = [
    "", "a", "A", "b", "aa", "é", "e\u{301}", "Ж", "日本", "🎉", "a\u{0}b", "z", "%@", "'",
  ]
  private static let datas = [
    Data(), Data([0]), Data([0, 0]), Data([255]), Data([1, 2, 3]), Data([1, 2]),
  ]
  private static let ids = [
    ObjectId(), ObjectId("11223344556677889900aabb"), ObjectId("ffffffffffffffffffffffff"),
  ]
  private static let uuids = [
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
    UUID(uuid: (255, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255)),
  ]
}
