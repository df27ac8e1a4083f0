import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

/// Programming errors end the program with a message.
@Suite struct ProgrammingErrorTests {
  @Test func aMisspeltPropertyInALiteral() {
    let text = Misuse.trap("dynamic: a misspelt property in a filter")
    #expect(
      text.contains("Property 'nmae' not found in object of type 'City'. Did you mean 'name'?"))
    #expect(text.contains("  nmae == 'x'\n  ^"))
  }

  @Test func anUnknownClass() {
    let text = Misuse.trap("dynamic: a misspelt class")
    #expect(text.contains("Object type 'Cty' is not managed by the Realm. Did you mean 'City'?"))
  }

  @Test func anIndexBeyondTheResults() {
    let text = Misuse.trap("dynamic: an index beyond the end")
    #expect(text.contains("Index 7 is out of bounds (must be less than 7)."))
  }

  @Test func aSumOfStringsAndOtherMistakes() {
    Misuse.trap("dynamic: a sum of strings")
    Misuse.trap("dynamic: a filter after a limit")
    Misuse.trap("dynamic: sorting by a missing property")
    Misuse.trap("dynamic: reading a missing property")
    Misuse.trap("dynamic: within, with two locations")
    Misuse.trap("dynamic: an object by the key of a class without keys")
  }
}

private class Town: Object {
  @Persisted var country: String?
  @Persisted var population: Int?
  @Persisted var area = 0.0
  @Persisted var budget: Decimal128
}

/// Calls without explicit types.
@Suite struct InferenceTests {
  private let file = TemporaryStore()

  @Test func typesAreInferred() throws {
    let realm = try file.realm()
    try realm.write {
      for (country, population, area) in [("a", 1, 2.0), ("a", nil, 4), (nil, 4, 6)]
        as [(String?, Int?, Double)]
      {
        realm.create(
          Town.self,
          value: [
            "country": country as Any, "population": population as Any, "area": area, "budget": 3,
          ])
      }
    }
    let towns = realm.objects(Town.self)
    let groups = towns.aggregate(of: \.population, by: \.country)
    #expect(groups.map(\.key) == [nil, "a"] && groups.map(\.sum) == [4, 1])
    let area = towns.average(of: \.area)
    #expect(area == 4)
    let population = towns.average(of: \.population)
    #expect(population == 2.5)
    let budget = towns.average(of: \.budget)
    #expect(budget == 3 as Decimal128)
    let float: Float? = towns.average(of: \.area)
    #expect(float == 4)
    let decimal: Decimal128? = towns.average(of: \.population)
    #expect(decimal == 2.5 as Decimal128)
  }
}
