import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.tags(.threads)) struct FrozenCollectionTests {
  private func filled(_ file: TemporaryStore) throws -> (Realm, Library) {
    let realm = try file.realm()
    let library = try realm.write {
      let member = realm.create(Member.self, value: ["id": 1] as [String: Any])
      realm.create(ReadingClub.self, value: ["name": "Pals", "members": [member]] as [String: Any])
      return realm.create(Library.self, value: CollectionValueTests.value)
    }
    return (realm, library)
  }

  @Test func frozenCollectionsDoNotChange() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let (realm, library) = try filled(file)
    let member = try #require(realm.objects(Member.self).first)
    let results = realm.objects(Library.self).filter("name != 'City'").sorted(byKeyPath: "name")
      .freeze()
    let years = library.years.freeze()
    let branches = library.branches.freeze()
    let tags = library.tags.freeze()
    let opening = library.opening.freeze()
    let clubs = member.clubs.freeze()
    let sorted = library.years.sorted(ascending: false).freeze()
    let nested = try #require(library.anything.dictionaryValue).freeze()
    try realm.write {
      library.years.append(5)
      library.tags.removeAll()
      library.opening["mon"] = "closed"
      library.anything = 5
      realm.delete(library.branches)
      realm.delete(realm.objects(ReadingClub.self))
    }
    #expect(results.map(\.name) == ["B", "North", "South"])
    #expect(Array(years) == [1990, 2001])
    #expect(branches.map(\.name) == ["North", "South"])
    #expect(branches.filter("name == 'South'").count == 1)
    #expect(Set(tags) == ["old", "quiet"])
    #expect(opening["mon"] == "9-17")
    #expect(clubs.map(\.name) == ["Pals"])
    #expect(Array(sorted) == [2001, 1990])
    #expect(nested["b"] == true)
    #expect(
      results.isFrozen && years.isFrozen && tags.isFrozen && opening.isFrozen && clubs.isFrozen)
    #expect(branches[0].isFrozen)
    #expect(!library.years.isFrozen)
    #expect(results.thaw()?.map(\.name) == ["B"])
    #expect(years.thaw().map { Array($0) } == [1990, 2001, 5])
    #expect(opening.thaw()?["mon"] == "closed")
    #expect(tags.thaw()?.isEmpty == true)
    #expect(clubs.thaw()?.isEmpty == true)
    #expect(nested.thaw() == nil)
    try realm.write { realm.deleteAll() }
    #expect(years.thaw() == nil)
    #expect(sorted.thaw() == nil)
    #expect(branches.sorted(byKeyPath: "name").thaw() == nil)
    #expect(clubs.thaw() == nil)
    #expect(years.freeze() === years)
  }

  @Test func frozenCollectionsAreSentBetweenTasks() async throws {
    let file = TemporaryStore()
    let (realm, library) = try filled(file)
    let results = Frozen(realm.objects(Library.self).sorted(byKeyPath: "name"))
    let years = Frozen(library.years)
    let tags = Frozen(library.tags)
    let opening = Frozen(library.opening)
    try realm.write { realm.deleteAll() }
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          (0..<200).filter { _ in
            let results = results.value
            return results.map(\.name) == ["B", "City", "North", "South"] && results.count == 4
              && results[1].branches.count == 2 && results.last?.name == "South"
              && results.filter("name == 'City'").count == 1 && years.value[1] == 2001
              && tags.value.contains("old") && opening.value["tue"] == "9-20"
          }.count
        }
      }
      for await right in group { #expect(right == 200) }
    }
  }

  @Test func programmingErrors() {
    let loose = Misuse.trap("frozen: a list outside of a realm")
    #expect(loose.contains("Unmanaged collections cannot be frozen."))
    let written = Misuse.trap("frozen: changing a list")
    #expect(written.contains("Attempting to modify a frozen"))
    let thread = Misuse.trap("thread: results of another")
    #expect(thread.contains("Realm accessed from incorrect thread: it belongs to thread 0x"))
  }
}
