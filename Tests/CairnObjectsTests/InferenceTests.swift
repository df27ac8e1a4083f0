import CairnObjects
import Testing

private class Town: Object {
  @Persisted var country: String?
  @Persisted var population: Int?
  @Persisted var area = 0.0
  @Persisted var budget: Decimal128
}

/// Calls that name no types.
@Suite struct InferenceTests {
  private let file = TemporaryStore()

  @Test func typesThatAreFound() throws {
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
