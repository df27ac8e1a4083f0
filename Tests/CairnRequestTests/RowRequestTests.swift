import CairnGeometry
import CairnQuery
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnRequest

/// Requests for rows, compared with every row in turn. A failure prints its seed.
@Suite struct RowRequestTests {
  private static let className = "Sighting"

  private struct Row {
    let place: Position?
    let day: Double?
    let note: String
  }

  private static let columns = [
    ColumnSchema(id: 0, name: "other", type: .int, position: 0),
    ColumnSchema(id: 0, name: "at", type: .point, isOptional: true, position: 1),
    ColumnSchema(id: 0, name: "day", type: .date, isOptional: true, position: 2),
    ColumnSchema(id: 0, name: "note", type: .string, isFullText: true, position: 3),
  ]

  private static func rows(_ random: inout SplitMix64) -> [Row] {
    (0..<600).map { _ in
      let place = Position(
        latitude: Double(random.below(41)) - 20, longitude: Double(random.below(81)) - 40)
      return Row(
        place: random.chance(0.1) ? nil : place,
        day: random.chance(0.1) ? nil : Double(random.below(40)) * 43_200,
        note: random.pick(["red kite", "black kite", "stork"]))
    }
  }

  private static func opened(_ rows: [Row]) throws -> OpenedClass {
    // Stores in memory with the same identifier are one store, and tests run at once.
    let store = try Store.openInMemory(identifier: "requests \(UInt64.random(in: 0 ... .max))")
    try store.write { transaction in
      let writer = try transaction.createTable(className, columns: columns)
      for row in rows {
        _ = try writer.insert([
          .int(1), row.place.map { .point($0) } ?? .null, row.day.map { .date($0) } ?? .null,
          .string(row.note),
        ])
      }
    }
    return try OpenedClass(store, className: className)
  }

  private static func count(_ request: RowRequest, in opened: OpenedClass) throws -> Int {
    let predicate = try request.predicate(of: opened.schema)
    return try opened.count(
      RowFetch(predicate.bound(to: opened.schema, in: opened.snapshot.schema)))
  }

  /// Boxes, dates, words and conditions in any combination, with and without rows that have no place
  /// or no date.
  @Test func conditionsHoldTogether() throws {
    let seed = Soak.seed(341)
    var random = SplitMix64(seed: seed)
    let rows = Self.rows(&random)
    let opened = try Self.opened(rows)
    var found = 0
    for _ in 0..<Soak.rounds(60) {
      var request = RowRequest()
      var tests: [(Row) -> Bool] = []
      if random.chance(0.5) {
        let (south, west) = (Double(random.below(20)) - 20, Double(random.below(40)) - 40)
        let (north, east) = (south + 15, west + 45)
        let box = try #require(GeoBox(bottomLeft: (south, west), topRight: (north, east)))
        let keeps = random.chance(0.5)
        request.areas = [.boxes([box])]
        request.keepsRowsWithoutLocation = keeps
        tests.append { row in
          row.place.map { south...north ~= $0.latitude && west...east ~= $0.longitude } ?? keeps
        }
      }
      if random.chance(0.5) {
        let first = 1 + random.below(15)
        let last = first + random.below(5)
        func text(_ day: Int) -> String { "2001-01-\(day < 10 ? "0" : "")\(day)" }
        let keeps = random.chance(0.5)
        request.dates = try DateInterval("\(text(first))/\(text(last))")
        request.keepsRowsWithoutDate = keeps
        // The last day is included.
        let seconds = Double(first - 1) * 86_400..<Double(last) * 86_400
        tests.append { row in row.day.map(seconds.contains) ?? keeps }
      }
      if random.chance(0.5) {
        request.search = "kite"
        tests.append { $0.note.contains("kite") }
      }
      if random.chance(0.5) {
        request.conditions = [try Predicate(parsing: "note BEGINSWITH 'red'")]
        tests.append { $0.note.hasPrefix("red") }
      }
      let expected = rows.filter { row in tests.allSatisfy { $0(row) } }.count
      #expect(try Self.count(request, in: opened) == expected, "\(request), seed \(seed)")
      found += expected
    }
    #expect(found > 1000)
  }

  /// Conditions on the same places in other words.
  @Test func areasAgree() throws {
    var random = SplitMix64(seed: Soak.seed(342))
    let rows = Self.rows(&random)
    let opened = try Self.opened(rows)
    let box = try #require(GeoBox(bottomLeft: (-5, -10), topRight: (10, 20)))
    let center = try #require(GeoPoint(latitude: 1, longitude: 2))
    let radius = try #require(Distance.kilometers(900))
    func count(_ areas: AreaCondition...) throws -> Int {
      var request = RowRequest()
      request.areas = areas
      return try Self.count(request, in: opened)
    }
    let placed = rows.filter { $0.place != nil }.count
    let inside = try count(.boxes([box]))
    #expect(inside > 0 && inside < placed)
    #expect(try count(.relation(.within, .box(box))) == inside)
    #expect(try count(.outside(.box(box))) == placed - inside)
    #expect(try count(.outside(.box(box)), .boxes([box])) == 0)
    let near = try count(.circle(GeoCircle(center: center, radius: radius)))
    let point = Shape.point(Position(latitude: center.latitude, longitude: center.longitude))
    #expect(try near > 0 && count(.distance(point, radius)) == near)
    let other = try #require(GeoBox(bottomLeft: (-20, -40), topRight: (-6, 40)))
    #expect(try count(.boxes([box, other])) == inside + count(.boxes([other])))
  }

  /// Geometries match if they reach into a circle or a box; a column without nulls has no condition
  /// on them.
  @Test func conditionsDependOnTheColumn() throws {
    let circle = GeoCircle(
      center: try #require(GeoPoint(latitude: 1, longitude: 2)),
      radius: try #require(Distance.kilometers(5)))
    let box = try #require(GeoBox(bottomLeft: (1, 2), topRight: (3, 4)))
    func text(_ type: ValueType, _ area: AreaCondition, isOptional: Bool) throws -> String {
      let column = ColumnSchema(
        id: 0, name: "shape", type: type, isOptional: isOptional, position: 0)
      var request = RowRequest()
      request.areas = [area]
      request.keepsRowsWithoutLocation = true
      return try request.predicate(of: .of([column])).description.lowercased()
    }
    #expect(try text(.geometry, .circle(circle), isOptional: false).contains("distance"))
    #expect(try text(.geometry, .boxes([box]), isOptional: false).contains("intersects"))
    #expect(try text(.point, .boxes([box]), isOptional: false).contains("within"))
    #expect(try !text(.point, .boxes([box]), isOptional: false).contains(" or "))
    #expect(try text(.point, .boxes([box]), isOptional: true).contains("or shape == n"))
  }

  @Test func aClassThatLacksWhatIsAskedFor() throws {
    let plain = TableSchema.of(Array(Self.columns.prefix(1)))
    var request = RowRequest()
    request.areas = [.outside(.point(Position(latitude: 1, longitude: 2)))]
    func error(_ request: RowRequest, _ schema: TableSchema) -> String {
      do throws(RequestError) { return "\(try request.predicate(of: schema))" } catch {
        return "\(error)"
      }
    }
    #expect(error(request, plain) == "location(CairnStorage.SpatialColumnError.none)")
    let schema = TableSchema.of(Self.columns)
    request.location = "place"
    #expect(error(request, schema).contains(#"unknown("place")"#))
    request.location = "note"
    #expect(error(request, schema).contains(#"otherType("note")"#))
    request.location = "at"
    #expect(error(request, schema).contains("NOT"))
    var search = RowRequest()
    search.search = "kite"
    #expect(error(search, plain) == "noFullText")
    var dates = RowRequest()
    dates.dates = try DateInterval("2001-01-01")
    #expect(error(dates, plain) == "noDate")
    #expect(error(RowRequest(), plain) == "TRUEPREDICATE")
    #expect(throws: UnknownClass.self) {
      try Self.opened([]).sibling("Kite")
    }
  }

  @Test(arguments: [
    ("2001-01-01", 0, 86_400, false), ("2001-01-01T00:00:10Z", 10, 10, true),
    ("2001-01-01/2001-01-02", 0, 172_800, false), ("../2001-01-01T00:00:00Z", nil, 0, true),
    ("2001-01-02/..", 86_400, nil, true), ("/2001-01-01", nil, 86_400, false),
    ("../..", nil, nil, true),
  ])
  func intervals(text: String, start: Double?, end: Double?, includesEnd: Bool) throws {
    let interval = try DateInterval(text)
    #expect(interval.start == start && interval.end == end && interval.text == text)
    #expect(interval.includesEnd == includesEnd)
    #expect((interval.predicate(on: "day") == nil) == (start == nil && end == nil))
  }

  @Test(arguments: [
    ("", "expected an instant"), ("..", "expected an instant"), ("today", "is not a date"),
    ("2001-01-01/2001-01-02/2001-01-03", "expected an instant"),
    ("2001-02-30", "is not a date"), ("2001-01-02/2001-01-01", "ends before it begins"),
  ])
  func otherTextsAreRefused(text: String, message: String) {
    do throws(DateIntervalError) {
      Issue.record("\(try DateInterval(text))")
    } catch {
      #expect(error.message.contains(message), "\(error.message)")
    }
  }
}

extension TableSchema {
  fileprivate static func of(_ columns: [ColumnSchema]) -> TableSchema {
    TableSchema(id: 1, name: "Sighting", columns: columns)
  }
}
