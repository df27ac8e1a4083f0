import CairnGeometry
import CairnStorage
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnQuery

/// Groups by parts of dates and by cells, and medians, percentiles, deviations and distinct counts,
/// against plain loops and Foundation's calendar.
@Suite struct GroupKeyTests {
  private static let columns = [
    BulkColumn(name: "id", type: .int, isOptional: false),
    BulkColumn(name: "time", type: .date, isOptional: true),
    BulkColumn(name: "place", type: .point, isOptional: true),
  ]

  /// A table of dates and places, with nulls; the dates are often at the turn of a day.
  private func withTable(
    _ random: inout SplitMix64,
    body: (Table, [(time: Double?, place: Position?)], inout SplitMix64) throws -> Void
  ) throws {
    let temporary = try TemporaryStore()
    let rows = (0..<9000).map { _ -> (time: Double?, place: Position?) in
      let day = Double(random.below(60_000) - 40_000) * 86_400
      let time = random.pick([day, day - 0.25, day + 3600, day + Double(random.below(86_400))])
      return (
        random.chance(0.1) ? nil : time, random.chance(0.1) ? nil : random.position()
      )
    }
    let load = try BulkLoad(
      store: temporary.store, table: "Event", columns: Self.columns, location: 2, primaryKey: 0,
      indexed: [], onConflict: .error)
    let batch = ColumnBatch(columns: Self.columns)
    for (id, row) in rows.enumerated() {
      batch.columns[0].append(.int(Int64(id)))
      batch.columns[1].append(row.time.map { .date($0) } ?? .null)
      batch.columns[2].append(row.place.map { .point($0) } ?? .null)
    }
    try load.add(batch, number: 0)
    _ = try load.finish()
    let snapshot = try temporary.store.snapshot()
    let table = try #require(snapshot.table("Event"))
    try body(table, rows, &random)
  }

  private func expectGroups(
    _ table: Table, by keys: [GroupKey], equal rows: [[Value]], _ random: inout SplitMix64
  ) throws {
    var expected: [[Value]: Int] = [:]
    for row in rows { expected[row, default: 0] += 1 }
    let groups = try execution(TableQuery(table: "Event"), table, &random).groups(by: keys)
    #expect(groups.count == expected.count)
    for group in groups {
      #expect(expected[group.values] == group.count, "\(group.values)")
    }
  }

  @Test(arguments: ["UTC", "+05:45", "-03:30"])
  func partsOfDates(zone: String) throws {
    var random = SplitMix64(seed: 11)
    let rules = try #require(TimeZoneRules(offset: zone))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(
      TimeZone(secondsFromGMT: rules.offset(at: 0)))
    try withTable(&random) { table, rows, random in
      func values(_ part: CalendarPart) -> [Value] {
        rows.map { row in
          guard let time = row.time else { return .null }
          // The Gregorian calendar of Foundation has Julian dates before 1582; these are later.
          let date = Date(timeIntervalSinceReferenceDate: time)
          let parts = calendar.dateComponents([.year, .month, .day, .hour], from: date)
          let (year, month, day) = (parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
          switch part {
          case .year: return .int(Int64(year))
          case .month: return .int(Int64(month))
          case .day: return .int(Int64(day))
          case .hour: return .int(Int64(parts.hour ?? 0))
          case .date: return .string(String(format: "%04d-%02d-%02d", year, month, day))
          }
        }
      }
      for part in CalendarPart.allCases {
        try expectGroups(
          table, by: [GroupKey("time", derivation: .calendar(part, in: rules))],
          equal: values(part).map { [$0] }, &random)
      }
      let (years, months) = (values(.year), values(.month))
      try expectGroups(
        table,
        by: [
          GroupKey("time", derivation: .calendar(.year, in: rules)),
          GroupKey("time", derivation: .calendar(.month, in: rules)),
        ], equal: zip(years, months).map { [$0, $1] }, &random)
    }
  }

  @Test func cells() throws {
    var random = SplitMix64(seed: 12)
    try withTable(&random) { table, rows, random in
      for grid in [
        CellGrid.degrees(try #require(DegreeGrid(size: 10))),
        .geohash(try #require(GeohashGrid(length: 2))),
        .hexagons(try #require(HexagonGrid(width: 1_000_000))),
      ] {
        try expectGroups(
          table, by: [GroupKey("place", derivation: .cell(of: grid))],
          equal: rows.map { row in
            guard let place = row.place else { return [.null] }
            // A stored location is rounded to 1e-7 degrees, unless that loses digits.
            return [.int(grid.code(longitude: place.longitude, latitude: place.latitude))]
          }, &random)
      }
    }
  }

  @Test func keysMustFitTheirProperties() throws {
    var random = SplitMix64(seed: 13)
    try withTable(&random) { table, _, _ in
      let execution = try Execution(TableQuery(table: "Event"), on: table)
      let grid = CellGrid.degrees(try #require(DegreeGrid(size: 10)))
      for key in [
        GroupKey("id", derivation: .calendar(.year, in: .utc)),
        GroupKey("time", derivation: .cell(of: grid)), GroupKey("nothing"),
        GroupKey("nothing", derivation: .cell(of: grid)),
      ] {
        #expect(throws: QueryError.self) { _ = try execution.groups(by: [key]) }
      }
    }
  }

  // MARK: Figures

  /// The percentile of sorted numbers, interpolated linearly.
  private func percentile(_ percent: Double, of sorted: [Double]) -> Double? {
    guard let last = sorted.last else { return nil }
    let place = percent / 100 * Double(sorted.count - 1)
    let index = Int(place)
    guard index + 1 < sorted.count else { return last }
    let part = place - Double(index)
    // Infinity times 0 is not a number.
    if part == 0 || sorted[index] == sorted[index + 1] { return sorted[index] }
    return sorted[index] * (1 - part) + sorted[index + 1] * part
  }

  private func number(_ value: Value) -> Double? {
    switch value {
    case .int(let number): Double(number)
    case .float(let number): Double(number)
    case .double(let number), .date(let number): number
    case .decimal(let number): Double(number.description)
    default: nil
    }
  }

  private func expectFigures(
    _ summary: Summary, _ values: [Value], _ figures: SummaryFigures, _ name: String
  ) {
    let present = values.filter { !$0.isNull }
    #expect(summary.count == present.count, "\(name)")
    let different = Set(present.filter { !$0.isNaN }).count
    let hasNaN = present.contains(where: \.isNaN)
    #expect(summary.distinctCount == different + (hasNaN ? 1 : 0), "\(name)")
    let numbers = present.compactMap(number).filter { !$0.isNaN }.sorted()
    for (percent, found) in zip(figures.percentiles, summary.percentiles) {
      guard let expected = percentile(percent, of: numbers) else {
        #expect(found == .null, "\(name)")
        continue
      }
      // Interpolation loses digits of the greater of two numbers.
      let greatest = numbers.reduce(1) { max($0, abs($1)) }
      let near = number(found).map {
        $0 == expected || $0.isNaN && expected.isNaN || abs($0 - expected) <= 1e-12 * greatest
      }
      #expect(near ?? false, "\(name) p\(percent): \(found), \(expected)")
    }
    guard let first = present.first, first.isNumber, numbers.count > 1 else {
      #expect(summary.deviation == .null, "\(name)")
      return
    }
    let mean = numbers.reduce(0) { $0 + $1 / Double(numbers.count) }
    let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let expected = (squares / Double(numbers.count - 1)).squareRoot()
    guard expected.isFinite, let found = number(summary.deviation) else { return }
    #expect(abs(found - expected) <= 1e-6 * max(expected, 1), "\(name): \(found), \(expected)")
  }

  @Test(arguments: 21...UInt64(Soak.count(21, long: 24)))
  func figures(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let temporary = try TemporaryStore()
    try RandomTable.load(0..<5000, into: temporary.store, &random)
    let snapshot = try temporary.store.snapshot()
    let table = try #require(snapshot.table(RandomTable.name))
    let naive = NaiveTable(table)
    let names = RandomTable.columns.map(\.0).filter { !["d", "f"].contains($0) }
    let figures = SummaryFigures(
      percentiles: [50, 0, 99.5, 100, 25, 50], hasDeviation: true, hasDistinctCount: true)
    for query in [
      TableQuery(table: RandomTable.name),
      TableQuery(table: RandomTable.name, predicate: try Predicate(parsing: "pop < 100")),
      TableQuery(table: RandomTable.name, sort: [.property("n", ascending: true)], limit: 700),
      TableQuery(table: RandomTable.name, predicate: try Predicate(parsing: "id == 3")),
      TableQuery(table: RandomTable.name, predicate: try Predicate(parsing: "FALSEPREDICATE")),
    ] {
      let rows = naive.keys(query).map { key in naive.rows[key].values }
      let execution = try execution(query, table, &random)
      let summaries = try execution.summaries(of: names, figures: figures)
      for (name, summary) in zip(names, summaries) {
        expectFigures(
          summary, rows.map { naive.value(name, $0) }, figures, "seed \(seed), \(name), \(query)")
      }
      let groups = try execution.groups(
        by: [GroupKey("kind"), GroupKey("flag")], summarising: ["pop", "price", "text", "when"],
        figures: figures)
      #expect(groups.reduce(0) { $0 + $1.count } == rows.count)
      for group in groups {
        let members = rows.filter {
          [naive.value("kind", $0), naive.value("flag", $0)] == group.values
        }
        for (name, summary) in zip(["pop", "price", "text", "when"], group.summaries) {
          expectFigures(
            summary, members.map { naive.value(name, $0) }, figures,
            "seed \(seed), \(group.values), \(name)")
        }
      }
    }
  }

  /// Numbers in orders that are bad for a selection by pivots.
  @Test func percentilesOfDifficultOrders() {
    var random = SplitMix64(seed: 5)
    for count in [1, 2, 3, 17, 18, 100, 5000] {
      let rising: [Double] = (0..<count).map { Double($0) }
      let few: [Double] = (0..<count).map { Double($0 % 3) }
      let hill: [Double] = (0..<count).map { Double(min($0, count - $0)) }
      let mixed: [Double] = (0..<count).map { _ in Double(random.below(50)) }
      let infinite: [Double] = rising.map { $0 > 5 ? .infinity : $0 < 3 ? -.infinity : $0 }
      let orders: [[Double]] = [
        rising, rising.reversed(), Array(repeating: 3, count: count), few, hill, mixed, infinite,
      ]
      for numbers in orders {
        var shuffled = numbers
        let percents = [0, 10, 50, 99.9, 100.0]
        let sorted = numbers.sorted()
        let found = shuffled.percentiles(percents)
        for (percent, value) in zip(percents, found) {
          let expected = percentile(percent, of: sorted) ?? .nan
          #expect(
            value == expected || expected.isNaN || abs((value ?? 0) - expected) < 1e-9,
            "\(count) \(percent)")
        }
        #expect(shuffled.sorted() == sorted)
      }
    }
  }
}

extension Value {
  fileprivate var isNumber: Bool {
    switch self {
    case .int, .float, .double, .decimal: true
    default: false
    }
  }
}
