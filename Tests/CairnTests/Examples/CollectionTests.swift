import Cairn
import CairnModelTestSupport
import Foundation
import Testing

/// Maps and sets of simple values.
@Suite struct CollectionTests {
  let temporary: TemporaryRealm
  var hounds: Results<Hound> { temporary.realm.objects(Hound.self) }

  init() throws {
    let (bruno, asta) = (Hound("Bruno"), Hound("Asta"))
    bruno.parksByTown["Ulm"] = "Meadow"
    bruno.parksByTown["Bern"] = "Rose garden"
    bruno.townsSeen.insert(objectsIn: ["Ulm", "Kiel"])
    asta.townsSeen.insert(objectsIn: ["Ulm", "Kiel", "Graz"])
    temporary = try TemporaryRealm(bruno, asta, Hound("Cleo"))
  }

  @Test func maps() {
    var lines: [String] = []
    for hound in hounds.where({ $0.parksByTown.count >= 1 }) {
      if hound.parksByTown.keys.contains("Ulm") {
        lines.append("\(hound.name) likes a park in Ulm")
      }
      for element in hound.parksByTown {
        lines.append("\(element.key): \(element.value)")
      }
    }
    #expect(lines == ["Bruno likes a park in Ulm", "Bern: Rose garden", "Ulm: Meadow"])
  }

  @Test func conditionsOnMaps() {
    #expect(hounds.where { $0.parksByTown["Ulm"] == "Meadow" }.map(\.name) == ["Bruno"])
    #expect(hounds.where { $0.parksByTown["Kiel"] == "Meadow" }.isEmpty)
    #expect(hounds.where { $0.parksByTown.keys == "Bern" }.map(\.name) == ["Bruno"])
    #expect(hounds.where { $0.parksByTown.values.contains("garden") }.map(\.name) == ["Bruno"])
    #expect(hounds.where { $0.parksByTown.contains("Meadow") }.map(\.name) == ["Bruno"])
    #expect(hounds.filter("parksByTown['Ulm'] == 'Meadow'").map(\.name) == ["Bruno"])
    #expect(hounds.filter("parksByTown.@allKeys == %@", "Bern").map(\.name) == ["Bruno"])
  }

  @Test func sets() throws {
    let visitors = hounds.where { $0.townsSeen.contains("Kiel") }
    #expect(visitors.map(\.name) == ["Bruno", "Asta"])
    let (bruno, asta) = (try #require(visitors.first), try #require(visitors.last))
    #expect("\(bruno.townsSeen)".contains("Ulm"))
    #expect(bruno.townsSeen.intersects(asta.townsSeen))
    #expect(bruno.townsSeen.isSubset(of: asta.townsSeen))
    #expect(!asta.townsSeen.isSubset(of: bruno.townsSeen))
    #expect(hounds.where { $0.townsSeen.containsAny(in: ["Graz", "Wien"]) }.count == 1)
    #expect(hounds.filter("'Kiel' IN townsSeen").count == 2)
    #expect(hounds.filter("ANY townsSeen IN %@", ["Graz", "Wien"]).count == 1)
  }
}
