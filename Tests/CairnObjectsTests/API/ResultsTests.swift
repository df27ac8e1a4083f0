import CairnObjects
import Testing

@Suite struct ResultsTests {
  static func names(_ results: Results<DynamicObject>) -> [String] {
    results.compactMap { $0["name"] as? String }
  }

  @Test func collection() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let cities = try world.realm().dynamicObjects("City")
    #expect(Self.names(cities) == World.cities.map(\.name))
    #expect(cities.count == 7)
    #expect(!cities.isEmpty)
    #expect(cities.first?["name"] as? String == "Bonn")
    #expect(cities.last?["name"] as? String == "Aachen")
    #expect(cities[3]["name"] as? String == "Lyon")
    #expect(cities[2..<4].map { $0["name"] as? String } == ["Paris", "Lyon"])
    #expect(cities.prefix(2).count == 2)
    #expect(cities.reversed().first?["name"] as? String == "Aachen")
    #expect(cities.index(of: cities[4]) == 4)
  }

  @Test func filters() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let cities = try world.realm().dynamicObjects("City")
    #expect(Self.names(cities.filter("country == 'DE'")) == ["Bonn", "Köln", "Aachen"])
    #expect(
      Self.names(cities.filter("country == %@ AND population > %d", "DE", 300_000)) == [
        "Bonn", "Köln",
      ])
    #expect(Self.names(cities.filter("country == 'DE'").filter("capital == true")) == ["Bonn"])
    #expect(Self.names(cities.filter("%K IN %@", "name", ["Suva", "Lyon"])) == ["Lyon", "Suva"])
    #expect(
      Self.names(cities.filter("population BETWEEN %@", 93_000...330_000)) == [
        "Bonn", "Suva", "Aachen",
      ])
    #expect(Self.names(cities.filter("country == %@", nil as String?)) == ["Nowhere"])
    #expect(Self.names(cities.filter("name LIKE[c] 'k?l*'")) == ["Köln"])
    #expect(Self.names(cities.filter("name ==[cd] 'koln'")) == ["Köln"])
    #expect(Self.names(cities.filter("budget == 0.1")) == ["Suva"])
    #expect(Self.names(cities.filter("founded < '2001-01-03'")) == ["Bonn"])
    #expect(Self.names(cities.filter("area != 105.4")).contains("Nowhere"))
    #expect(Self.names(cities.filter("FALSEPREDICATE")).isEmpty)
    let nothing = cities.filter("name == 'x'")
    #expect(nothing.isEmpty && nothing.first == nil && nothing.last == nil && nothing.count == 0)
  }

  @Test func invalidPredicateStringsThrow() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let cities = try world.realm().dynamicObjects("City")
    #expect(throws: PredicateError.self) { try Predicate("name ==") }
    let misspelt = try Predicate("nmae == %@", "Bonn")
    let error = try #require(throws: PredicateError.self) { try cities.filter(misspelt) }
    #expect(
      error.message == "Property 'nmae' not found in object of type 'City'. Did you mean 'name'?")
    #expect(error.column == 1)
    let bonn = try cities.filter(Predicate("name == %@", "Bonn"))
    #expect(Self.names(bonn) == ["Bonn"])
    #expect(throws: PredicateError.self) { try Predicate("name == %@", Unusable()) }
    #expect(throws: PredicateError.self) { try Predicate("name IN %@", [Unusable()]) }
  }

  private struct Unusable {}

  @Test func rangesAsArguments() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let cities = try world.realm().dynamicObjects("City")
    func names(_ format: String, _ argument: Any?) throws -> [String] {
      Self.names(try cities.filter(Predicate(format, argument)).sorted(byKeyPath: "name"))
    }
    let all = Self.names(cities.sorted(byKeyPath: "name"))
    #expect(try names("name IN %@", "Bonn"..."Lyon") == all.filter { "Bonn"..."Lyon" ~= $0 })
    #expect(try names("name BETWEEN %@", "Bonn"..."Lyon") == all.filter { "Bonn"..."Lyon" ~= $0 })
    #expect(try names("name IN %@", "Bonn"..<"Lyon") == all.filter { "Bonn"..<"Lyon" ~= $0 })
    #expect(
      try names("NOT name IN %@", "Bonn"..<"Lyon") == all.filter { !("Bonn"..<"Lyon" ~= $0) })
  }

  @Test func order() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let cities = try world.realm().dynamicObjects("City")
    #expect(
      Self.names(cities.sorted(byKeyPath: "name"))
        == ["Aachen", "Bonn", "Köln", "Lyon", "Nowhere", "Paris", "Suva"])
    #expect(Self.names(cities.sorted(byKeyPath: "population")).first == "Nowhere")
    #expect(Self.names(cities.sorted(byKeyPath: "population", ascending: false)).last == "Nowhere")
    // The later sort takes precedence; the earlier one breaks ties.
    #expect(
      Self.names(cities.sorted(byKeyPath: "name").sorted(byKeyPath: "country"))
        == ["Nowhere", "Aachen", "Bonn", "Köln", "Suva", "Lyon", "Paris"])
    #expect(
      Self.names(cities.sorted(by: ["country", SortDescriptor(keyPath: "name", ascending: false)]))
        == ["Nowhere", "Köln", "Bonn", "Aachen", "Suva", "Paris", "Lyon"])
    #expect(
      SortDescriptor(keyPath: "a").reversed() == SortDescriptor(keyPath: "a", ascending: false))
    let sorted = cities.sorted(byKeyPath: "population", ascending: false)
    #expect(sorted[0]["name"] as? String == "Paris")
    #expect(sorted[6]["name"] as? String == "Nowhere")
    #expect(sorted.filter("country == 'DE'").first?["name"] as? String == "Köln")
  }

  @Test func distinctAndLimit() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let cities = try world.realm().dynamicObjects("City")
    #expect(Self.names(cities.distinct(by: ["country"])) == ["Bonn", "Paris", "Suva", "Nowhere"])
    #expect(
      Self.names(cities.sorted(byKeyPath: "population", ascending: false).distinct(by: ["country"]))
        == ["Paris", "Köln", "Suva", "Nowhere"])
    #expect(
      Self.names(cities.distinct(by: ["country"]).filter("population < 1000000")) == [
        "Bonn", "Lyon", "Suva",
      ])
    #expect(Self.names(cities.limit(2)) == ["Bonn", "Köln"])
    #expect(Self.names(cities.limit(2, offset: 3)) == ["Lyon", "Suva"])
    #expect(cities.limit(2, offset: 3)[1]["name"] as? String == "Suva")
    #expect(cities.limit(5, offset: 5).count == 2)
    #expect(cities.limit(0).isEmpty)
    #expect(Self.names(cities.limit(4).limit(2)) == ["Bonn", "Köln"])
    #expect(Self.names(cities.limit(4, offset: 1).limit(9, offset: 2)) == ["Lyon", "Suva"])
    #expect(
      Self.names(cities.sorted(byKeyPath: "population", ascending: false).limit(2)) == [
        "Paris", "Köln",
      ])
  }

  @Test func anEmptyClass() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let nothing = try world.realm().dynamicObjects("Empty")
    #expect(nothing.isEmpty && nothing.count == 0 && nothing.first == nil && nothing.last == nil)
    #expect(nothing.sum(ofProperty: "value") as Int == 0)
    #expect(nothing.max(ofProperty: "value") as Int? == nil)
    #expect(nothing.average(ofProperty: "value") as Double? == nil)
    #expect(nothing.aggregate(of: ["value"], by: ["value"]).isEmpty)
  }

  @Test func description() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let companies = try world.realm().dynamicObjects("Company").filter("name == 'company2'")
    #expect(
      companies.description == """
        Results<Company> (
        \t[0] Company {
        \t\tname = company2;
        \t\tlocation = (47.9, -121.85);
        \t\tbranch = (null);
        \t}
        )
        """)
  }

  @Test func explanation() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let text = try world.realm().dynamicObjects("City").filter("country == 'DE'").explain()
    #expect(text.contains("matches     3"))
  }
}
