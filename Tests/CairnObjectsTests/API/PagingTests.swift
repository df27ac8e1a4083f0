import CairnModelTestSupport
import CairnObjects
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Random access, paging and iteration of larger results, compared with an array.
@Suite struct PagingTests {
  struct Line {
    let key: Int
    let rank: Int64
    let flag: Bool
  }

  static func store(_ lines: [Line]) throws -> TemporaryStore {
    let file = TemporaryStore()
    try Store.open(file.path, mode: .create).write { transaction in
      let table = try transaction.createTable(
        "Line",
        columns: [
          ColumnSchema(id: 0, name: "key", type: .int, position: 0),
          ColumnSchema(id: 1, name: "rank", type: .int, position: 1),
          ColumnSchema(id: 2, name: "flag", type: .bool, position: 2),
        ])
      for line in lines {
        try table.insert([.int(Int64(line.key)), .int(line.rank), .bool(line.flag)])
      }
    }
    return file
  }

  @Test func pagesOfEveryOrder() throws {
    let seed = Soak.seed(126)
    var random = SplitMix64(seed: seed)
    let lines = (0..<9000).map { key in
      Line(
        key: key, rank: Int64.random(in: 0..<500, using: &random), flag: Bool.random(using: &random)
      )
    }
    let file = try Self.store(lines)
    defer { withExtendedLifetime(file) {} }
    let all = try file.realm().dynamicObjects("Line")
    let byRank = lines.sorted { ($0.rank, $0.key) < ($1.rank, $1.key) }
    try Self.check(lines, &random, seed) { all }
    try Self.check(lines.filter(\.flag), &random, seed) { all.filter("flag == true") }
    try Self.check(byRank, &random, seed) { all.sorted(byKeyPath: "rank") }
    try Self.check(byRank.filter { !$0.flag }, &random, seed) {
      all.filter("flag != true").sorted(byKeyPath: "rank")
    }
    try Self.check(Array(byRank[100..<4100]), &random, seed) {
      all.sorted(byKeyPath: "rank").limit(4000, offset: 100)
    }
    try Self.check(Array(lines[8990...]), &random, seed) { all.limit(4000, offset: 8990) }
    try Self.check(lines.filter { $0.rank == 1000 }, &random, seed) { all.filter("rank == 1000") }
  }

  private static func check(
    _ expected: [Line], _ random: inout SplitMix64, _ seed: UInt64,
    _ results: () -> Results<DynamicObject>
  ) throws {
    #expect(results().map { $0["key"] as? Int } == expected.map(\.key), "seed \(seed)")
    #expect(results().count == expected.count, "seed \(seed)")
    #expect(results().first?["key"] as? Int == expected.first?.key, "seed \(seed)")
    #expect(results().last?["key"] as? Int == expected.last?.key, "seed \(seed)")
    let pages = results()
    for _ in 0..<40 where !expected.isEmpty {
      let place = Int.random(in: 0..<expected.count, using: &random)
      #expect(pages[place]["key"] as? Int == expected[place].key, "seed \(seed), index \(place)")
      #expect(pages.index(of: pages[place]) == place, "seed \(seed), index \(place)")
    }
  }
}
