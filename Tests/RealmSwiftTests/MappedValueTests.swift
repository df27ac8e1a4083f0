import CairnModelTestSupport
import CairnTestSupport
import Foundation
import RealmSwift
import Testing

/// Aggregates and sort orders of enumerations, custom types, optionals and Booleans, with plain
/// Swift as the oracle.
@Suite struct MappedValueTests {
  let realm: Realm
  let ship: Ship
  private let ranks: [Rank] = [.captain, .mate, .admiral, .mate]
  private let spares: [Rank?] = [nil, .captain, .mate, nil]
  private let watches = [45.0, 15, 90, 15]

  init() throws {
    let ship = Ship("Ark")
    for number in 0..<4 {
      let sailor = Sailor(number, "s\(number)", ranks[number], watch: watches[number])
      sailor.spare = spares[number]
      sailor.rest = number == 2 ? nil : Watch(watches[number] / 2)
      sailor.isAboard = number % 2 == 0
      sailor.isWell = [nil, true, false, true][number]
      ship.crew.append(sailor)
    }
    ship.ranks.append(objectsIn: ranks)
    ship.spares.append(objectsIn: spares)
    ship.watches.append(objectsIn: watches.map { Watch($0) })
    ship.flags.append(objectsIn: [true, false, true])
    realm = try TestRealm(ship).realm
    self.ship = ship
  }

  private var sailors: Results<Sailor> { realm.objects(Sailor.self).sorted(byKeyPath: "number") }

  @Test(arguments: [true, false]) func totalsOfCollections(isStored: Bool) {
    let ship = isStored ? ship : Ship(value: ship)
    #expect(ship.ranks.min() == .mate)
    #expect(ship.ranks.max() == .admiral)
    let rankMean: Double? = ship.ranks.average()
    #expect(rankMean == 2.25)
    #expect(ship.spares.min() == .mate)
    #expect(ship.spares.max() == .captain)
    #expect(ship.watches.min() == Watch(15))
    #expect(ship.watches.max() == Watch(90))
    #expect(ship.watches.sum() == Watch(165))
    let watchMean: Double? = ship.watches.average()
    #expect(watchMean == 41.25)
    let none = List<Watch>()
    #expect(none.max() == nil)
    #expect(none.sum() == Watch(0))
    #expect(List<Rank?>().min() == nil)
  }

  @Test func totalsOfProperties() {
    #expect(sailors.min(of: \.rank) == .mate)
    #expect(sailors.max(of: \.rank) == .admiral)
    #expect(sailors.max(of: \.spare) == .captain)
    #expect(sailors.min(of: \.watch) == Watch(15))
    #expect(sailors.sum(of: \.watch) == Watch(165))
    #expect(sailors.sum(of: \.rest) == Watch(37.5))
    let mean: Double? = sailors.average(of: \.watch)
    #expect(mean == 41.25)
    let rank: Rank? = sailors.max(ofProperty: "rank")
    #expect(rank == .admiral)
    let watch: Watch = sailors.sum(ofProperty: "watch")
    #expect(watch == Watch(165))
    let least: Watch? = sailors.min(ofProperty: "rest")
    #expect(least == Watch(7.5))
    let loose = List<Sailor>()
    loose.append(objectsIn: [Sailor(1, "a", .captain, watch: 3), Sailor(2, "b", watch: 4)])
    #expect(loose.sum(of: \.watch) == Watch(7))
    #expect(loose.max(of: \.rank) == .captain)
  }

  /// Two captains do not add up to a rank, so the sum is a programming error.
  @Test func aSumWithoutACaseEndsTheProgram() {
    Misuse.trap("list: a sum without a case")
  }

  @Test func orderOfObjects() {
    #expect(sailors.sorted(by: \.rank).map(\.number) == [1, 3, 0, 2])
    #expect(sailors.sorted(by: \.spare).map(\.number) == [0, 3, 2, 1])
    #expect(sailors.sorted(by: \.watch, ascending: false).map(\.number) == [2, 0, 1, 3])
    #expect(sailors.sorted(by: \.rest).map(\.number) == [2, 1, 3, 0])
    #expect(sailors.sorted(by: \.isAboard).map(\.number) == [1, 3, 0, 2])
    #expect(sailors.sorted(by: \.isWell).map(\.number) == [0, 2, 1, 3])
    let tags = sailors.map(\.tag.uuidString).sorted()
    #expect(sailors.sorted(by: \.tag).map(\.tag.uuidString) == tags)
  }

  @Test func orderOfValues() {
    #expect(ship.ranks.sorted(ascending: false).first == .admiral)
    let ranks: Results<Rank> = ship.ranks.sorted()
    #expect(Array(ranks) == [.mate, .mate, .captain, .admiral])
    let spares: Results<Rank?> = ship.spares.sorted()
    #expect(Array(spares) == [nil, nil, .mate, .captain])
    let watches: Results<Watch> = ship.watches.sorted(ascending: false)
    #expect(watches.map(\.minutes) == [90, 45, 15, 15])
    let flags: Results<Bool> = ship.flags.sorted()
    #expect(Array(flags) == [false, true, true])
    let sections = ship.ranks.sectioned(by: { $0 == .mate })
    #expect(sections.allKeys == [true, false])
  }
}
