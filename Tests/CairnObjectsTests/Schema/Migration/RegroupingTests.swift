import CairnModelTestSupport
import CairnObjects
import CairnStorage
import CairnTestSupport
import Testing

private enum Before {
  class Jar: Object {
    @Persisted var numbers: List<Int>
    @Persisted var gaps: List<Int?>
    @Persisted var words: MutableSet<String>
    @Persisted var beans: List<Bean>
    @Persisted var mixed: List<AnyRealmValue>
    @Persisted var last: MutableSet<Bean>
  }

  class Bean: Object { @Persisted var size = 0 }
}

private enum After {
  class Jar: Object {
    @Persisted var numbers: MutableSet<Int>
    @Persisted var gaps: MutableSet<Int>
    @Persisted var words: List<String>
    @Persisted var beans: MutableSet<Bean>
    @Persisted var mixed: MutableSet<AnyRealmValue>
    @Persisted var last: List<Bean>
    @Persisted var best: Bean?
    @Persisted var lid: Lid?
    @Persisted var byName: Map<String, Bean?>
  }

  class Bean: Object { @Persisted var size = 0 }

  class Lid: EmbeddedObject { @Persisted var width = 0 }
}

/// Lists that become sets and sets that become lists, and the objects that a migration puts into
/// collections by name.
@Suite struct RegroupingTests {
  private let file = TemporaryStore()

  private func migrated(_ block: @escaping MigrationBlock = { _, _ in }) throws -> Realm {
    let types: [ObjectBase.Type] = [After.Jar.self, After.Bean.self, After.Lid.self]
    return try Realm(
      configuration: Realm.Configuration(
        fileURL: file.url, schemaVersion: 1, migrationBlock: block, objectTypes: types))
  }

  private func fill(_ body: (Realm) -> Void) throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: file.url, objectTypes: [Before.Jar.self, Before.Bean.self]))
    try realm.write { body(realm) }
  }

  @Test func elementsAreKept() throws {
    try fill { realm in
      let jar = Before.Jar()
      let beans = (0..<3).map { Before.Bean(value: ["size": $0]) }
      jar.numbers.append(objectsIn: [3, 1, 3, -2])
      jar.gaps.append(objectsIn: [4, nil, 4])
      jar.words.insert(objectsIn: ["b", "a"])
      jar.beans.append(objectsIn: [beans[2], beans[0], beans[2], beans[1]])
      jar.mixed.append(objectsIn: [.int(1), .string("x"), .int(1), .object(beans[0])])
      jar.last.insert(objectsIn: beans.prefix(2))
      realm.add([jar, Before.Jar()])
      realm.delete(beans[1])
    }
    let realm = try migrated()
    let jars = realm.objects(After.Jar.self)
    #expect(jars.count == 2)
    #expect(Array(jars[0].numbers) == [-2, 1, 3])
    #expect(Array(jars[0].gaps) == [0, 4])
    #expect(Array(jars[0].words) == ["a", "b"])
    #expect(jars[0].beans.map(\.size).sorted() == [0, 2])
    #expect(jars[0].mixed.count == 3 && jars[0].mixed.contains(.string("x")))
    #expect(jars[0].last.map(\.size) == [0])
    #expect(jars[1].numbers.isEmpty && jars[1].words.isEmpty && jars[1].beans.isEmpty)
    #expect(realm.objects(After.Jar.self).where { $0.beans.size == 2 }.count == 1)
    try realm.write { jars[0].numbers.insert(2) }
    #expect(Array(jars[0].numbers) == [-2, 1, 2, 3])
    #expect(try Store.verify(file.path).lostPages == 0)
  }

  /// More rows than a chunk has, with collections that lie outside of their chunk.
  @Test func largeCollectionsOfManyRows() throws {
    try fill { realm in
      for row in 0..<5000 {
        let jar = Before.Jar()
        jar.numbers.append(objectsIn: [row, row + 1, row])
        if row % 500 == 0 { jar.words.insert(objectsIn: (0..<400).map { "\(row) \($0)" }) }
        if row == 4999 { jar.numbers.append(objectsIn: (0..<2000).reversed()) }
        realm.add(jar)
      }
    }
    let jars = try migrated().objects(After.Jar.self)
    for row in [0, 1, 500, 4095, 4096, 4500, 4998] {
      #expect(Array(jars[row].numbers) == [row, row + 1])
      #expect(Set(jars[row].words).count == (row % 500 == 0 ? 400 : 0), "\(row)")
    }
    #expect(Array(jars[4999].numbers) == Array(0..<2000) + [4999, 5000])
    #expect(try Store.verify(file.path).lostPages == 0)
  }

  /// A migration sets links by name to objects that it makes, and to values of new objects.
  @Test func objectsThatAMigrationAdds() throws {
    try fill { realm in realm.add(Before.Jar(value: ["beans": [["size": 1]]])) }
    let realm = try migrated { migration, _ in
      migration.enumerateObjects(ofType: "Jar") { old, new in
        guard let new else { return }
        new["last"] = [After.Bean(value: ["size": 2]), ["size": 3], [4]]
        new.dynamicList("last").append(migration.create("Bean", value: ["size": 5]))
        new["best"] = ["size": 6]
        new["lid"] = ["width": 7]
        new["byName"] = ["x": After.Bean(value: ["size": 8]), "y": nil] as [String: Any?]
        #expect(old?["beans"] is List<DynamicObject>)
        #expect(new["best"] is DynamicObject)
      }
    }
    let jar = try #require(realm.objects(After.Jar.self).first)
    #expect(jar.last.map(\.size) == [2, 3, 4, 5])
    #expect(jar.best?.size == 6 && jar.lid?.width == 7)
    #expect(jar.byName["x"]??.size == 8 && jar.byName.keys == ["x", "y"])
    #expect(realm.objects(After.Bean.self).count == 7)
    #expect(try Store.verify(file.path).lostPages == 0)
  }
}
