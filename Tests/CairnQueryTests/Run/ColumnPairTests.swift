import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnQuery

/// Comparisons of two columns, against the values themselves.
@Suite struct ColumnPairTests {
  private static let types: [ValueType] = [.int, .float, .double, .date, .bool]

  /// Numbers that no conversion may round, and those that compare in their own way.
  private static func numbers(_ type: ValueType) -> [Value] {
    switch type {
    case .int:
      [0, 1, -1, 255, 1 << 53, 1 << 53 + 1, -(1 << 53) - 1, .max, .min].map { .int($0) }
    case .float: [0, 1, -1, 255, 0.1, .nan, .infinity, 0x1p53].map { .float($0) }
    case .double: [0, -0.0, 1, -1, 0.1, .nan, -.infinity, 0x1p53, 0x1p63].map { .double($0) }
    case .date: [0, 1, -1, 0.5, .nan].map { .date($0) }
    default: [.bool(false), .bool(true)]
    }
  }

  @Test(arguments: [71 as UInt64, 72, 73])
  func everyPairOfTypes(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for left in Self.types {
      for right in Self.types where left == right || (left.isNumeric && right.isNumeric) {
        // Chunks of few values have narrow codes, and those with large numbers wide ones.
        let isNarrow = random.chance(0.5)
        let count = 100 + random.below(4200)
        func column(_ type: ValueType) -> [Value] {
          let values = Self.numbers(type)
          let some = isNarrow ? Array(values.prefix(2)) : values
          return (0..<count).map { _ in random.chance(0.1) ? .null : random.pick(some) }
        }
        try check(left, column(left), right, column(right))
      }
    }
  }

  /// Texts that differ in case, in marks, or in neither once they are folded.
  private static let texts = [
    "", "a", "A", "ab", "AB", "ä", "Ä", "a\u{308}", "K", "\u{212A}", "straße", "STRASSE", "é", "z",
    "a longer text", "A LONGER TEXT", "a longer tex",
  ]

  /// Chunks with and without dictionaries, also beside one another.
  @Test(arguments: [81 as UInt64, 82, 83, 84])
  func texts(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let count = 2 * ChunkShape.rows + 1 + random.below(ChunkShape.rows)
    func column(isData: Bool) -> [Value] {
      var distinct = 0
      return (0..<count).map { row in
        if row % ChunkShape.rows == 0 {
          distinct = random.pick([0, 1, Self.texts.count, 300, ChunkShape.rows])
        }
        guard distinct > 0, !random.chance(0.1) else { return .null }
        let number = random.below(distinct)
        let text =
          number < Self.texts.count ? Self.texts[number] : random.pick(["t", "T"]) + "\(number)"
        return isData ? .data(Array(text.utf8)) : .string(text)
      }
    }
    let (a, b) = (column(isData: false), column(isData: false))
    for options: StringOptions in [
      [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
    ] {
      try check(.string, a, .string, b, options: options)
    }
    try check(.data, column(isData: true), .data, column(isData: true))
  }

  private func check(
    _ type: ValueType, _ values: [Value], _ other: ValueType, _ others: [Value],
    options: StringOptions = []
  ) throws {
    let temporary = try TemporaryStore()
    let write = try temporary.store.beginWrite()
    let writer = try write.createTable(
      "Pair",
      columns: [
        ColumnSchema(id: 0, name: "a", type: type, isOptional: true, position: 0),
        ColumnSchema(id: 0, name: "b", type: other, isOptional: true, position: 1),
      ])
    for (a, b) in zip(values, others) { try writer.insert([a, b]) }
    try write.commit()
    let snapshot = try temporary.store.snapshot()
    let table = try #require(snapshot.table("Pair"))
    let isOrdered = type != .bool && options.isEmpty
    for comparison in ComparisonOperator.allCases where isOrdered || !comparison.isOrder {
      let predicate = Predicate(
        .compare(.property("a"), comparison, .expression(.property("b")), options))
      let execution = try Execution(TableQuery(table: "Pair", predicate: predicate), on: table)
      let expected = values.indices.filter {
        options.isEmpty
          ? comparison.holdsInRow(values[$0], and: others[$0])
          : comparison.holdsInRow(values[$0], and: others[$0], options: options)
      }
      #expect(execution.keys() == expected, "\(type) \(comparison.rawValue) \(other)")
      #expect(
        !options.isEmpty
          || execution.explain().description.contains("a \(comparison.rawValue) b"),
        "\(execution.explain())")
    }
    withExtendedLifetime(snapshot) {}
  }
}
