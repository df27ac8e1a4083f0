import CairnGeometry
import CairnQuery
import CairnSQL
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

/// Joins of PostGIS, next to those of the store.
@Suite(.enabled(if: PostgresCluster.isInstalled, "\(PostgresCluster.reason)"))
struct PostgresJoinTests {
  private struct Question {
    let left: String
    let right: String
    let relation: SQLJoin.Relation
    let edges: GeoPolygon.Edges?

    var condition: JoinQuery.Condition {
      switch relation {
      case .within: .relation(.within, edges: edges ?? .planar)
      case .intersects: .relation(.intersects, edges: edges ?? .planar)
      case .touches: .relation(.touches, edges: .planar)
      case .crosses: .relation(.crosses, edges: .planar)
      case .overlaps: .relation(.overlaps, edges: .planar)
      case .equals: .relation(.equals, edges: .planar)
      case .contains: .relation(.contains, edges: edges ?? .planar)
      case .distance(let distance): .distance(distance, edges: edges ?? .geodesic)
      }
    }
  }

  @Test func everyRelationAgreesWithTheStore() throws {
    let seed = Soak.seed(21)
    var random = SplitMix64(seed: seed)
    let server = try #require(PostgresCluster.shared)
    let world = SQLWorld(rows: 60, random: &random)
    let comparison = try StoreComparison(world, dialect: .postgis)
    let questions = try Self.questions(&random)
    let join = SQLJoin(SQLWorld.table, as: "a", SQLWorld.table, as: "b", dialect: .postgis)
    let conditions = try questions.map {
      try join.condition($0.relation, $0.left, $0.right, edges: $0.edges)
    }
    let script = try conditions.flatMap { condition in
      try [condition.possible, condition.certain].map { bound in
        var part = condition
        (part.possible, part.certain) = (bound, bound)
        let pairs = try join.select(part, columns: ["a.id", "b.id"]).fragment.text(.postgis)
        return
          "SELECT coalesce(string_agg(\"a.id\" * 1000 + \"b.id\" || '', ','), '') FROM (\(pairs)) AS r;\n"
      }
    }
    let answers = try server.run(world.postgres(schema: "joins_\(seed)") + script.joined())
    try #require(answers.count == 2 * questions.count)
    var (exact, excess, pairs) = (0, 0, 0)
    for (number, question) in questions.enumerated() {
      let (possible, certain) = (keys(answers[2 * number]), keys(answers[2 * number + 1]))
      let expected = try Self.pairs(question, of: comparison.table)
      let message: Comment =
        "seed \(seed): \(question)\n\(conditions[number].possible.text(.postgis))"
      #expect(expected.subtracting(possible) == [], message)
      #expect(certain.subtracting(expected) == [], message)
      if conditions[number].isExact { exact += 1 }
      if question.left != "area", question.right != "area" {
        // Only pairs within a millimetre of the distance are doubtful; at no distance, all are.
        let isDoubtful = question.relation == .distance(try #require(.kilometers(0)))
        #expect(isDoubtful || possible.count - certain.count < 5, message)
        (excess, pairs) = (excess + possible.count - expected.count, pairs + expected.count)
      }
    }
    #expect(exact > 5 && pairs > 1500 && excess < 20, "seed \(seed)")
  }

  /// Every relation of every two properties.
  private static func questions(_ random: inout SplitMix64) throws -> [Question] {
    let properties = SQLWorld.locations + ["area"]
    var questions: [Question] = []
    for left in properties {
      for right in properties {
        for edges in [GeoPolygon.Edges.planar, .geodesic] {
          for relation in [SQLJoin.Relation.within, .intersects, .contains] {
            questions.append(
              Question(left: left, right: right, relation: relation, edges: edges))
          }
          let kilometres = random.pick([0, 0.001, 50, 600, 3000, 9000, 15_000, 20_100])
          let degrees = random.pick([0.001, 1, 10, 100])
          let distance =
            edges == .planar ? Distance.degrees(degrees) : .kilometers(kilometres)
          questions.append(
            Question(
              left: left, right: right, relation: .distance(try #require(distance)), edges: edges))
        }
      }
    }
    return questions
  }

  private static func pairs(_ question: Question, of table: Table) throws -> Set<Int> {
    func input(_ name: String) -> JoinQuery.Input {
      JoinQuery.Input(table: SQLWorld.name, path: PropertyPath(name))
    }
    let query = JoinQuery(
      left: input(question.left), right: input(question.right), on: question.condition)
    let pairs = try JoinExecution(query, left: table, right: table).pairs()
    return Set(
      pairs.compactMap { pair in
        pair.right.flatMap { right in
          guard case .int(let a) = table.value(0, at: pair.left),
            case .int(let b) = table.value(0, at: right)
          else { return nil }
          return Int(a * 1000 + b)
        }
      })
  }

  private func keys(_ line: String) -> Set<Int> {
    Set(line.split(separator: ",").compactMap { Int($0) })
  }

  @Test func theIndexOfTheRightTableIsUsed() throws {
    let server = try #require(PostgresCluster.shared)
    func table(_ name: String) -> SQLTable {
      SQLTable(
        name: name, schema: "indexed_join",
        columns: [
          SQLColumn("id", type: .int), SQLColumn("home", type: .location(.geometry(srid: 4326))),
        ], key: ["id"])
    }
    let join = SQLJoin(table("few"), as: "f", table("many"), as: "m", dialect: .postgis)
    let statements = try [
      join.condition(.distance(try #require(.kilometers(20))), "home", "home"),
      join.condition(.within, "home", "home"),
      join.condition(.distance(try #require(.degrees(0.1))), "home", "home", edges: .planar),
    ].map { try join.select($0, columns: ["f.id", "m.id"]).fragment.text(.postgis) }
    let lines = try server.run(
      """
      CREATE SCHEMA indexed_join; SET search_path = indexed_join, public;
      CREATE TABLE many AS SELECT i AS id, ST_Point(i * 7919 % 36000 / 100.0 - 180,
        i * 104729 % 18000 / 100.0 - 90, 4326) AS home FROM generate_series(1, 20000) AS i;
      CREATE TABLE few AS SELECT * FROM many WHERE id % 1000 = 0;
      CREATE INDEX ON many USING gist (home); ANALYZE many; ANALYZE few;
      \(statements.map { "EXPLAIN \($0);\nSELECT 'end';\n" }.joined())
      """)
    let plans = lines.split(separator: "end").map { $0.joined(separator: "\n") }
    #expect(plans.count == 3)
    for plan in plans { #expect(plan.contains("many_home_idx"), "\(plan)") }
  }
}
