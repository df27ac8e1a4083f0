import Cairn
import CairnModelTestSupport
import Foundation
import Testing

/// Aggregates over the elements of a list, in conditions.
@Suite struct AggregateConditionTests {
  let temporary: TemporaryRealm
  var keepers: Results<Keeper> { temporary.realm.objects(Keeper.self) }

  init() throws {
    temporary = try TemporaryRealm()
    let realm = temporary.realm
    try realm.write {
      for (number, ages) in [[4, 6], [6, 9, 11], [1, 1], [], [5]].enumerated() {
        let keeper = Keeper()
        keeper.number = number
        keeper.hounds.append(objectsIn: ages.map { Hound("h", age: $0) })
        realm.add(keeper)
      }
    }
  }

  @Test func closures() {
    #expect(keepers.where { $0.hounds.age.avg == 5 }.map(\.number) == [0, 4])
    #expect(keepers.where { $0.hounds.age.min > 5 }.map(\.number) == [1])
    #expect(keepers.where { $0.hounds.age.max < 2 }.map(\.number) == [2])
    #expect(keepers.where { $0.hounds.count > 2 }.map(\.number) == [1])
    #expect(keepers.where { $0.hounds.age.sum > 10 }.map(\.number) == [1])
    #expect(keepers.where { $0.hounds.age.sum == 0 }.map(\.number) == [3])
  }

  @Test func texts() {
    #expect(keepers.filter("hounds.@avg.age == 5").map(\.number) == [0, 4])
    #expect(keepers.filter("hounds.@min.age > 5").map(\.number) == [1])
    #expect(keepers.filter("hounds.@max.age < 2").map(\.number) == [2])
    #expect(keepers.filter("hounds.@count > 2").map(\.number) == [1])
    #expect(keepers.filter("hounds.@sum.age > 10").map(\.number) == [1])
    #expect(keepers.filter("hounds.@min.age == nil").map(\.number) == [3])
  }

  @Test func subqueries() {
    let found = keepers.where { ($0.hounds.age > 5 && $0.hounds.age < 10).count >= 2 }
    #expect(found.map(\.number) == [1])
    let same = keepers.filter("SUBQUERY(hounds, $h, $h.age > 5 AND $h.age < 10).@count >= 2")
    #expect(same.map(\.number) == [1])
    #expect(keepers.where { $0.hounds.age > 5 }.map(\.number) == [0, 1])
    #expect(keepers.filter("NONE hounds.age > 5").map(\.number) == [2, 3, 4])
    #expect(keepers.where { $0.hounds.age.contains(4...6) }.map(\.number) == [0, 1, 4])
  }
}
