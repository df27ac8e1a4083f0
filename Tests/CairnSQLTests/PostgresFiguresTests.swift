import CairnQuery
import CairnSQL
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

/// Figures of groups in PostGIS, next to those of the store.
@Suite(.enabled(if: PostgresCluster.isInstalled, "\(PostgresCluster.reason)"))
struct PostgresFiguresTests {
  @Test func groupsAgreeWithTheStore() throws {
    let seed = Soak.seed(20)
    var random = SplitMix64(seed: seed)
    let server = try #require(PostgresCluster.shared)
    let world = SQLWorld(rows: 300, random: &random)
    let comparison = try StoreComparison(world, dialect: .postgis)
    let groupings = [["flag"], ["kind"], ["n", "flag"], ["day"], ["dec"], ["d"], []]
    let names = ["n", "big", "f", "d", "dec", "kind", "uid"]
    let predicate = Predicate(.compare(.property("n"), .less, .value(.int(8)), []))
    let questions = groupings.flatMap { grouping in names.map { (grouping, $0) } }
    let script = try questions.map { grouping, name in
      let figures = try comparison.compiler.figures(
        of: [name], by: grouping, condition: comparison.condition(predicate))
      #expect(figures.columns.prefix(grouping.count + 1) == (grouping + ["count"])[...])
      // Texts may contain line feeds, so they are left out.
      let titles = areNumbers(name) ? "\"count\", sum, min, max, avg" : "\"count\""
      return "SELECT 'next';\nSELECT \(titles) FROM (\(figures.fragment.text(.postgis))) AS r;\n"
    }
    let lines = try server.run(world.postgres(schema: "groups_\(seed)") + script.joined())
    let answers = lines.split(omittingEmptySubsequences: false) { $0 == "next" }
      .dropFirst()
    #expect(answers.count == questions.count)
    let query = TableQuery(table: SQLWorld.name, predicate: predicate)
    let execution = try Execution(query, on: comparison.table)
    for ((grouping, name), answer) in zip(questions, answers) {
      let expected = try summaries(execution, of: name, by: grouping)
      let message: Comment = "seed \(seed): \(name) by \(grouping)"
      #expect(answer.count == expected.count, message)
      for (line, summary) in zip(answer, expected) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        check(fields, summary, message)
      }
    }
  }

  private func areNumbers(_ name: String) -> Bool { name != "kind" && name != "uid" }

  private func summaries(
    _ execution: Execution, of name: String, by grouping: [String]
  ) throws -> [Summary] {
    if grouping.isEmpty { return try execution.summaries(of: [name]) }
    return try execution.groups(by: grouping.map { GroupKey($0) }, summarising: [name])
      .compactMap(\.summaries.first)
  }

  /// Compares the fields of a line: the count, then with numbers the sum, the least, the greatest
  /// and the mean.
  private func check(_ fields: [String], _ summary: Summary, _ message: Comment) {
    #expect(fields.first == "\(summary.count)", message)
    guard fields.count == 5 else { return }
    let values = [summary.sum, summary.minimum, summary.maximum, summary.average]
    for (field, value) in zip(fields.dropFirst(), values) {
      guard let number = Double(field), let other = Double(value.plainText) else {
        #expect(field.isEmpty && value.isNull, "\(message): \(field) \(value)")
        continue
      }
      let isSame =
        number == other || (number.isNaN && other.isNaN)
        || abs(number - other) <= 1e-9 * max(abs(number), 1)
      #expect(isSame, "\(message): \(number) \(other)")
    }
  }

  @Test func figuresOfAnInexactConditionAreErrors() throws {
    let predicate = try Predicate(parsing: "kind MATCHES 'a'")
    let error = try #require(throws: SQLError.self) {
      try predicate.figures(.postgis, table: SQLWorld.table, by: ["kind"])
    }
    #expect(error.description.contains("MATCHES is decided here"))
  }

  @Test func namesDoNotCollide() throws {
    let table = SQLTable(
      name: "t", columns: [SQLColumn("count", type: .int), SQLColumn("size", type: .double)])
    let figures = try SQLCompiler(table, dialect: .duckdb).figures(of: ["size"], by: ["count"])
    #expect(figures.columns == ["by.count", "count", "sum", "min", "max", "avg"])
    #expect(figures.remarks == ["the last digits of the sum and the mean of 'size' may differ"])
    let both = try Predicate(parsing: "count > 1").figures(
      .postgis, table: table, of: ["count", "size"])
    #expect(both.columns.prefix(2) == ["count.count", "count.sum"] && both.columns.count == 10)
  }
}
