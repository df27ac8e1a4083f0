import CairnQuery
import CairnSQL
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

/// Conditions that PostGIS decides, next to the executor of the store.
@Suite(.enabled(if: PostgresCluster.isInstalled, "\(PostgresCluster.reason)"))
struct PostgresConditionTests {
  @Test func everyConditionAgreesWithTheStore() throws {
    let seed = Soak.seed(2_906_100_153_513_727_362)
    var random = SplitMix64(seed: seed)
    let server = try #require(PostgresCluster.shared)
    let world = SQLWorld(rows: 300, random: &random)
    let comparison = try StoreComparison(world, dialect: .postgis)
    var conditions = RandomConditions(world: world, random: random)
    let questions = try (0..<Soak.count(1000, long: 20_000)).map { _ in
      try comparison.question(conditions.node())
    }
    let script = questions.enumerated().map { number, question in
      question.script(number: number, asParameters: number % 4 == 0)
    }
    let answers = try server.run(world.postgres(schema: "conditions_\(seed)") + script.joined())
    #expect(answers.count == 2 * questions.count)
    var exact = 0
    for (number, question) in questions.enumerated() {
      let (possible, certain) = (keys(answers[2 * number]), keys(answers[2 * number + 1]))
      let message: Comment =
        "seed \(seed): \(question.predicate)\n\(question.possible.text(.postgis))\n\(question.certain.text(.postgis))"
      #expect(question.expected.subtracting(possible) == [], message)
      #expect(certain.subtracting(question.expected) == [], message)
      if question.isExact { exact += 1 }
    }
    #expect(exact > questions.count / 4, "seed \(seed)")
  }

  private func keys(_ line: String) -> Set<Int> {
    Set(line.split(separator: ",").compactMap { Int($0) })
  }
}

/// The rows of a store that meet conditions, next to the conditions as SQL.
struct StoreComparison {
  private let folder: TemporaryFolder
  private let store: Store
  let table: Table
  let compiler: SQLCompiler

  init(_ world: SQLWorld, dialect: SQLDialect) throws {
    folder = try TemporaryFolder()
    store = try Store.open(folder.file(), mode: .create)
    try world.load(into: store)
    table = try #require(try store.snapshot().table(SQLWorld.name))
    compiler = SQLCompiler(SQLWorld.table, dialect: dialect)
  }

  func condition(_ predicate: Predicate) throws -> SQLCondition {
    try compiler.condition(try predicate.bound(to: table.schema))
  }

  func question(_ node: PredicateNode) throws -> SQLQuestion {
    let predicate = Predicate(node)
    let condition = try condition(predicate)
    let rows = try Execution(TableQuery(table: SQLWorld.name, predicate: predicate), on: table)
    return SQLQuestion(
      predicate: "\(predicate)", expected: Set(rows.keys()), possible: condition.possible,
      certain: condition.certain)
  }
}

/// A condition as SQL, with the rows that meet it.
struct SQLQuestion {
  let predicate: String
  let expected: Set<Int>
  let possible: SQLFragment
  let certain: SQLFragment

  var isExact: Bool { possible == certain }

  /// Two statements for psql, each with the keys that meet one bound in one line.
  func script(number: Int, asParameters: Bool) -> String {
    [possible, certain].enumerated().map { index, bound in
      let select: SQLFragment =
        "SELECT coalesce(string_agg(\(name: "id")::text, ','), '') FROM \(name: SQLWorld.name) WHERE \(bound)"
      guard asParameters else { return select.text(.postgis) + ";\n" }
      let statement = select.statement(.postgis)
      let values = statement.parameters.map { value in
        value.parameterText.map { SQLFragment("\(literal: .text($0))").text(.postgis) } ?? "NULL"
      }
      let name = "s\(number)_\(index)"
      return "PREPARE \(name) AS \(statement.text);\nEXECUTE \(name)"
        + (values.isEmpty ? "" : "(\(values.joined(separator: ", ")))") + ";\n"
    }.joined()
  }
}
