import Cairn
import Foundation
import Testing

/// One property of `Cell`, with the values that are stored in it and asked for.
struct MatrixColumn: Sendable, CustomTestStringConvertible {
  let name: String
  /// Asks everything there is to ask; gives what went wrong.
  let check: @Sendable (MatrixWorld) -> [String]
  /// Puts the value of that number into a cell.
  let fill: @Sendable (Cell, Int) -> Void

  var testDescription: String { name }
}

extension MatrixColumn {
  /// A property that is asked for equality only.
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

  /// A property that has an order.
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

/// The cells in a store, and the same in an array.
final class MatrixWorld {
  let cells: [Cell]
  let stored: Results<Cell>

  init(_ realm: Realm) throws {
    func made() -> [Cell] {
      let cells = (0..<MatrixWorld.size).map { number in
        let cell = Cell()
        cell.number = number
        for (place, column) in MatrixColumn.all.enumerated() {
          column.fill(cell, number &* (2 * place + 1) &+ place)
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

  /// The numbers of the cells that the store finds, and of those that should be found.
  func compare(
    _ what: String, _ found: Results<Cell>, _ expected: (Cell) -> Bool
  ) -> [String] {
    let numbers = found.map(\.number).sorted()
    let wanted = cells.filter(expected).map(\.number)
    return numbers == wanted ? [] : ["\(what): \(numbers) instead of \(wanted)"]
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
    // Only `<= nil` and `>= nil` speak of nulls.
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
