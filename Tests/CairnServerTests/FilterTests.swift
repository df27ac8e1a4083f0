import CairnTestSupport
import Foundation
import Testing

@testable import CairnServer

/// Filters in CQL2.
@Suite(.tags(.untrusted)) struct FilterTests {
  private func query(_ filter: String, _ more: String = "") -> String {
    "/collections/places/items?limit=1000&filter=\(PercentCoding.encoded(filter))\(more)"
  }

  @Test func bothFormsSelectWhatTheFilterSays() async throws {
    let seed = UInt64(20_261_123)
    var random = SplitMix64(seed: seed)
    let world = try World(rows: 120, seed: 11)
    var found = 0
    let rounds = Soak.count(250, long: 700)
    for round in 0..<rounds {
      let filter = RandomFilter.random(depth: random.below(4), &random)
      let expected = world.places.filter { filter.holds($0) == true }.map(\.id)
      let text = try await world.service.get(query(filter.text))
      #expect(
        text.ids == expected, "seed \(seed), round \(round): \(filter.text)\n\(text.text)")
      let data = try JSONSerialization.data(
        withJSONObject: filter.json, options: [.fragmentsAllowed])
      let json = String(decoding: data, as: UTF8.self)
      let other = try await world.service.get(query(json, "&filter-lang=cql2-json"))
      #expect(other.ids == expected, "seed \(seed), round \(round): \(json)\n\(other.text)")
      found += expected.count
    }
    #expect(found > rounds * 50 / 7)
  }

  @Test(arguments: [
    ("population >", "expected a value or a condition, found the end", 12),
    ("population > 3 AND", "expected a value or a condition, found the end", 18),
    ("populatio > 3", "has no property 'populatio'; did you mean 'population'?", 0),
    ("population = 'x'", "'population' is of the type int, and this value is not", 13),
    ("name = 3", "'name' is of the type string", 7),
    ("name LIKE 3", "expected a pattern", 10),
    ("population LIKE 'x'", "LIKE is for a property with text", 0),
    ("founded > 'soon'", "'founded' is of the type date", 10),
    ("founded > DATE('soon')", "'soon' is not a date", 15),
    ("population + 1 > 3", "arithmetic with properties is not available", 0),
    ("population > 1 / 0", "the result is not a number", 15),
    ("location = 3", "'location' is a point, which has no comparisons", 0),
    ("S_INTERSECTS(name, POINT(1 2))", "'name' is a string, not a geometry", 13),
    ("S_INTERSECTS(location, POINT(1))", "expected", 23),
    ("S_INTERSECTS(location, POLYGON((0 0, 1 1, 0 1, 1 0, 0 0)))", "crosses itself", 23),
    ("S_INTERSECTS(location)", "expected 2 arguments, found 1", 0),
    ("S_TOUCHES(name, POINT(1 2))", "'name' is a string, not a geometry", 10),
    ("S_COVERS(location, POINT(1 2))", "'s_covers' is not available here", 0),
    ("S_DWITHIN(location, POINT(1 2), -1, 'm')", "a distance must not be negative", 32),
    ("S_DWITHIN(location, POINT(1 2), 1, 'x')", "expected one of the units", 35),
    ("T_AFTER(name, DATE('2001-01-01'))", "'name' is a string, not a date", 8),
    ("T_AFTER(founded, 3)", "expected a date, a time or an interval", 17),
    ("A_EQUALS(name, ['a'])", "'a_equals' is not available here", 0),
    ("name IN ()", "the list is empty", 8), ("name IN 'a'", "expected '('", 8),
    ("name = 'a", "has no closing quote", 7), ("\"name = 3", "has no closing quote", 0),
    ("name", "expected a condition", 0), ("3", "expected a condition", 0),
    ("name = 'a' 'b'", "expected AND, OR or the end, found ''b''", 11),
    ("name NOT = 'a'", "expected LIKE, BETWEEN or IN", 9), ("name ~ 'a'", "unexpected", 5),
    ("(name = 'a'", "expected ')', found the end", 11), ("AND", "expected a value", 0),
    (" ", "expected a value or a condition, found the end", 1),
    ("3 = 'a'", "these two values cannot be compared", 4),
  ])
  func mistakesAreMarked(filter: String, message: String, offset: Int) async throws {
    let world = try World(rows: 3)
    let answer = try await world.service.get(query(filter))
    #expect(answer.status == 400)
    let detail = answer.json["detail"] as? String ?? ""
    #expect(detail.contains(message), "\(detail)")
    let lines = detail.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines.count >= 3 && lines.last?.prefix { $0 == " " }.count == offset + 2,
      "\(detail)")
    #expect(lines.last?.hasSuffix("^") == true)
  }

  @Test(arguments: [
    (" ", "not JSON"), ("{", "not JSON"), ("{}", "expected a member op"),
    (#"{"op":"="}"#, "has no array 'args'"), (#"{"op":"=","args":[1]}"#, "expected 2 arguments"),
    (#"{"op":"=","args":[{"property":"name"},null]}"#, "null is not a value"),
    (#"{"op":"nope","args":[]}"#, "'nope' is not available here"),
    (#"{"op":"s_intersects","args":[{"property":"location"},{"type":"X"}]}"#, "`X` is not a type"),
    (#"{"op":"s_intersects","args":[{"property":"location"},{"type":"Point"}]}"#, "coordinates"),
    (#"{"op":"t_after","args":[{"property":"founded"},{"interval":["x"]}]}"#, "two ends"),
    (#"{"op":"and","args":[]}"#, "expected conditions"),
    (#"{"op":"in","args":[{"property":"name"},"a"]}"#, "expected a list"),
  ])
  func mistakesInJSONAreExplained(filter: String, message: String) async throws {
    let world = try World(rows: 3)
    let answer = try await world.service.get(query(filter, "&filter-lang=cql2-json"))
    #expect(answer.status == 400)
    #expect((answer.json["detail"] as? String ?? "").contains(message), "\(answer.text)")
  }

  @Test func deepFiltersAreRefused() async throws {
    let world = try World(rows: 3)
    for depth in [40, 120] {
      let nested =
        String(repeating: "(", count: depth) + "TRUE" + String(repeating: ")", count: depth)
      let answer = try await world.service.get(query(nested))
      #expect(answer.status == 400 && answer.text.contains("nested more than 32"))
      let calls =
        String(repeating: "CASEI(", count: depth) + "name" + String(repeating: ")", count: depth)
      #expect(try await world.service.get(query(calls + " = 'a'")).status == 400)
      let json =
        String(repeating: #"{"op":"not","args":["#, count: depth) + "true"
        + String(repeating: "]}", count: depth)
      #expect(try await world.service.get(query(json, "&filter-lang=cql2-json")).status == 400)
    }
    let flat = (0..<500).map { "id = \($0)" }.joined(separator: " OR ")
    #expect(try await world.service.get(query(flat)).status == 200)
    let negated = String(repeating: "NOT ", count: 801) + "id = 7"
    #expect(try await world.service.get(query(negated)).ids == [14, 21])
  }

  @Test(arguments: ["-1", "*1", "^1", " div 1"])
  func longArithmeticIsRefused(step: String) async throws {
    let world = try World(rows: 3)
    let allowed = "id < 1" + String(repeating: step, count: 256)
    let answer = try await world.service.get(query(allowed))
    #expect(answer.status == 200, "\(answer.text)")
    for count in [257, 1000] {
      let tooLong = "id < 1" + String(repeating: step, count: count)
      let refused = try await world.service.get(query(tooLong))
      #expect(refused.status == 400)
      #expect((refused.json["detail"] as? String ?? "").contains("more than 256 arithmetic"))
    }
  }

  @Test func filtersHaveTheirOwnCoordinateSystem() async throws {
    let world = try World(rows: 300)
    func ids(_ filter: String, _ system: String) async throws -> [Int] {
      let answer = try await world.service.get(query(filter, "&filter-crs=\(system)"))
      #expect(answer.status == 200, "\(answer.text)")
      return answer.ids
    }
    let plain = try await ids(
      "S_INTERSECTS(location, POLYGON((-20 10, 60 10, 60 50, -20 50, -20 10)))", "CRS84")
    #expect(plain.count > 10)
    #expect(
      try await ids(
        "S_INTERSECTS(location, POLYGON((10 -20, 10 60, 50 60, 50 -20, 10 -20)))", "EPSG:4326")
        == plain)
    #expect(
      try await ids(
        "S_INTERSECTS(location, POLYGON\t((10\t-20,\n10\t60, 50\t\t60, 50 -20, 10\t-20)))",
        "EPSG:4326") == plain)
    #expect(try await ids("S_INTERSECTS(location, BBOX(10,-20,50,60))", "EPSG:4326") == plain)
    let low = "-2226389.8158654715 1118889.9748579594"
    let corners = [
      low, "6679169.447596414 1118889.9748579594", "6679169.447596414 6446275.841017158",
      "-2226389.8158654715 6446275.841017158", low,
    ]
    #expect(
      try await ids(
        "S_WITHIN(location, POLYGON((\(corners.joined(separator: ", ")))))", "EPSG:3857")
        == plain)
    let unknown = try await world.service.get(query("TRUE", "&filter-crs=EPSG:1"))
    #expect(unknown.status == 400)
    let language = try await world.service.get(query("TRUE", "&filter-lang=sql"))
    #expect(language.status == 400)
  }

  @Test func literalsOfSeveralForms() async throws {
    let world = try World(rows: 60)
    func ids(_ filter: String) async throws -> [Int] {
      let answer = try await world.service.get(query(filter))
      #expect(answer.status == 200, "\(answer.text)")
      return answer.ids
    }
    #expect(try await ids("id = 7") == [7])
    #expect(try await ids("id = 3 + 2 ^ 2") == [7])
    #expect(try await ids("id = (1 + 2) * 2 + 5 % 2") == [7])
    #expect(try await ids("7.0 = id AND id <= +7 AND id > -7e0") == [7])
    #expect(try await ids("id = 15 div 2") == [7])
    #expect(try await ids("id > .5 AND id < 7.5") == [7])
    #expect(try await ids("\"id\" NOT IN (7) AND id < 15") == [14])
    #expect(try await ids("id NOT BETWEEN 8 AND 1000") == [7])
    #expect(try await ids("name IS NOT NULL AND id = 7 OR id = 14").contains(14))
    #expect(
      try await ids("isCapital").allSatisfy { id in
        world.places.first { $0.id == id }?.isCapital == true
      })
    #expect(
      try await ids("founded >= '2001-01-05' AND founded < TIMESTAMP('2001-01-06T00:00:00Z')")
        == world.places.filter { $0.founded == 4 * 86_400 }.map(\.id))
    #expect(
      try await ids("T_INTERSECTS(INTERVAL('2001-01-05', '..'), founded)")
        == world.places.filter { ($0.founded ?? 0) >= 4 * 86_400 }.map(\.id))
    let parcels = try await world.service.get(
      "/collections/parcels/items?filter=S_EQUALS(shape,POLYGON((2%201,3%201,3%202,2%201)))")
    #expect(parcels.ids == [1])
    let inside = try await world.service.get(
      "/collections/parcels/items?filter=S_CONTAINS(shape,POINT(2.9%201.5))%20OR%20"
        + "S_INTERSECTS(shape,LINESTRING(-1%200.5,1%200.5))")
    #expect(inside.ids == [0, 1])
    for (function, shape, found) in [
      ("S_TOUCHES", "POINT(3%201)", [1]), ("S_TOUCHES", "POINT(2.9%201.5)", []),
      ("S_CROSSES", "LINESTRING(-1%200.5,1%200.5)", [0]),
      ("S_OVERLAPS", "POLYGON((2.5%200,9%200,9%209,2.5%209,2.5%200))", [1]),
    ] {
      for arguments in ["shape,\(shape)", "\(shape),shape"] {
        let parcels = try await world.service.get(
          "/collections/parcels/items?filter=\(function)(\(arguments))")
        #expect(parcels.ids == found, "\(function)(\(arguments))")
      }
    }
    let json = try await world.service.get(
      "/collections/parcels/items?filter-lang=cql2-json&filter="
        + #"%7B%22op%22:%22s_touches%22,%22args%22:[%7B%22property%22:%22shape%22%7D,"#
        + #"%7B%22type%22:%22Point%22,%22coordinates%22:[3,1]%7D]%7D"#)
    #expect(json.ids == [1])
  }
}
