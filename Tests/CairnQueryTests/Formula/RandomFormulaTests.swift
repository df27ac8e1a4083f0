import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnQuery

/// Random formulas over a table, compared row by row with a tree that the test evaluates itself. A
/// failure prints its seed.
@Suite struct RandomFormulaTests {
  /// A formula as the test builds it.
  private indirect enum Tree {
    case int(Int64)
    case double(Double)
    case column(Int)
    case negation(Tree)
    case operation(Character, Tree, Tree)

    /// The text, with all parentheses or with only the necessary ones.
    func text(_ random: inout SplitMix64, _ names: [String]) -> String {
      switch self {
      case .int(let number): return "\(number)"
      case .double(let number): return "\(number)"
      case .column(let index): return names[index]
      case .negation(let tree): return "-" + tree.grouped(&random, names)
      case .operation(let sign, let a, let b):
        let gap = random.chance(0.7) ? " " : ""
        return a.grouped(&random, names) + gap + String(sign) + gap + b.grouped(&random, names)
      }
    }

    private func grouped(_ random: inout SplitMix64, _ names: [String]) -> String {
      let text = text(&random, names)
      if case .operation = self { return "(" + text + ")" }
      return random.chance(0.1) ? "(" + text + ")" : text
    }

    /// The number of a row: `(nil, nil)` is null, and nil an overflow.
    func number(_ row: [Value]) -> (int: Int64?, double: Double?)? {
      switch self {
      case .int(let number): return (number, nil)
      case .double(let number): return (nil, number)
      case .column(let index):
        switch row[index] {
        case .int(let number): return (number, nil)
        case .double(let number): return (nil, number)
        default: return (nil, nil)
        }
      case .negation(let tree):
        guard let number = tree.number(row) else { return nil }
        guard let int = number.int else { return (nil, number.double.map { -$0 }) }
        return int == .min ? nil : (-int, nil)
      case .operation(let sign, let a, let b):
        guard let a = a.number(row), let b = b.number(row) else { return nil }
        return Self.combined(sign, a, b)
      }
    }

    private static func combined(
      _ sign: Character, _ a: (int: Int64?, double: Double?), _ b: (int: Int64?, double: Double?)
    ) -> (int: Int64?, double: Double?)? {
      if let x = a.int, let y = b.int, sign != "/" {
        let result =
          switch sign {
          case "+": x.addingReportingOverflow(y)
          case "-": x.subtractingReportingOverflow(y)
          default: x.multipliedReportingOverflow(by: y)
          }
        return result.overflow ? nil : (result.partialValue, nil)
      }
      guard let x = a.double ?? a.int.map(Double.init), let y = b.double ?? b.int.map(Double.init)
      else { return (nil, nil) }
      switch sign {
      case "+": return (nil, x + y)
      case "-": return (nil, x - y)
      case "*": return (nil, x * y)
      default: return (nil, y == 0 ? nil : x / y)
      }
    }
  }

  private static let names = ["n", "m", "x", "y"]

  private static func tree(_ random: inout SplitMix64, depth: Int) -> Tree {
    if depth == 0 || random.chance(0.2) {
      switch random.below(6) {
      case 0: return .int(random.chance(0.1) ? .max / 3 : Int64(random.below(7)))
      case 1: return .double(Double(random.below(50)) / 8)
      default: return .column(random.below(names.count))
      }
    }
    if random.chance(0.15) { return .negation(tree(&random, depth: depth - 1)) }
    let sign = random.pick(["+", "-", "*", "/"] as [Character])
    return .operation(sign, tree(&random, depth: depth - 1), tree(&random, depth: depth - 1))
  }

  private static func row(_ random: inout SplitMix64) -> [Value] {
    let numbers: [Value] = [
      .int(Int64(random.below(1000)) - 500), .int(Int64(random.below(3))),
      .double(Double(random.below(1000)) / 100), .double(random.chance(0.3) ? 0 : 1e17),
    ]
    return numbers.map { random.chance(0.15) ? .null : $0 }
  }

  @Test(arguments: [71, 72, 73] as [UInt64]) func computeAsTheTreeDoes(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let temporary = try TemporaryStore()
    let write = try temporary.store.beginWrite()
    _ = try write.createTable(
      "Thing",
      columns: Self.names.enumerated().map { column($1, $0 < 2 ? .int : .double) })
    try write.commit()
    var rows = (0..<4500).map { _ in Self.row(&random) }
    try temporary.store.write { transaction in
      let writer = try #require(transaction.table("Thing"))
      for row in rows { try writer.insert(row) }
    }
    // In an open transaction, rows are read from edited chunks.
    let transaction = try temporary.store.beginWrite()
    let writer = try #require(transaction.table("Thing"))
    for key in stride(from: 0, to: 4000, by: 7) {
      rows[key][0] = .int(Int64(key))
      try writer.set(rows[key][0], position: 0, at: key)
    }
    for _ in 0..<60 {
      try compare(Self.tree(&random, depth: 4), writer.table, rows, &random)
    }
    transaction.rollback()
  }

  private func compare(
    _ tree: Tree, _ table: Table, _ rows: [[Value]], _ random: inout SplitMix64
  ) throws {
    let text = tree.text(&random, Self.names)
    let formula = try Formula(parsing: text).bound(to: table.schema)
    let evaluator = FormulaEvaluator(formula, on: table)
    for isSorted in [true, false] {
      let start = random.below(rows.count - FormulaVector.capacity)
      let count = random.chance(0.5) ? FormulaVector.capacity : 1 + random.below(100)
      let run = Array(start..<start + count)
      let keys = isSorted ? run : run.shuffled(using: &random)
      let expected = keys.map { tree.number(rows[$0]) }
      do throws(FormulaError) {
        let results = try evaluator.evaluate(keys[...])
        let differing = expected.indices.first { row in
          guard let number = expected[row] else { return true }
          let value: Value =
            number.int.map { .int($0) } ?? number.double.map { .double($0) } ?? .null
          return results.value(row) != value
        }
        if let row = differing {
          Issue.record(
            "\(text) in row \(keys[row]): \(results.value(row)), not \(expected[row] as Any)")
        }
      } catch {
        let first = expected.firstIndex { $0 == nil }
        #expect(first != nil, "\(text): \(error)")
        let row = keys.firstIndex(of: error.key)
        #expect(row.map { expected[$0] == nil } == true, "\(text) in row \(error.key)")
      }
    }
  }
}
