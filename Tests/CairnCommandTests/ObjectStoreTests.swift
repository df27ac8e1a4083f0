import Cairn
import Foundation
import Testing

class ShellCity: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String
  @Persisted var mayor: ShellPerson?
  @Persisted var tags: List<String>
  @Persisted var place: GeoPoint?
  @Persisted var area: ShellArea?
}

class ShellPerson: Object {
  @Persisted var name: String
}

class ShellArea: EmbeddedObject {
  @Persisted var size: Double
}

/// The shell reads what objects wrote.
@Suite struct ObjectStoreTests {
  private func store(_ scratch: Scratch) throws -> String {
    let realm = try Realm(fileURL: URL(fileURLWithPath: scratch["s"]))
    try realm.write {
      for id in 0..<3 {
        realm.create(
          ShellCity.self,
          value: [
            "id": id, "name": "city \(id)", "mayor": ["name": "mayor \(id)"], "tags": ["a", "b"],
            "place": ["type": "Point", "coordinates": [Double(id), 50.0]] as [String: Any],
            "area": ["size": 2.5],
          ] as [String: Any])
      }
    }
    return scratch["s"]
  }

  @Test func schema() throws {
    let scratch = try Scratch()
    defer { withExtendedLifetime(scratch) {} }
    let lines = try Command.lines("schema", store(scratch))
    #expect(lines.contains("ShellCity: 3 rows"))
    #expect(lines.contains("ShellPerson: 3 rows"))
    #expect(
      lines.contains { $0.contains("id") && $0.contains("int") && $0.contains("primary key") })
    #expect(lines.contains { $0.contains("place") && $0.contains("spatial index") })
    #expect(lines.contains { $0.contains("mayor") && $0.contains("ShellPerson") })
    #expect(lines.contains { $0.contains("tags") && $0.contains("list") })
  }

  @Test func query() throws {
    let scratch = try Scratch()
    defer { withExtendedLifetime(scratch) {} }
    let path = try store(scratch)
    #expect(
      try Command.lines(
        "query", path, "ShellCity", "name == 'city 2'", "--select", "id,name,place", "--format",
        "csv")
        == ["id,name,latitude,longitude", "2,city 2,50.0,2.0"])
    #expect(try Command.lines("query", path, "ShellCity", "--format", "jsonl").count == 3)
    #expect(try Command.lines("count", path, "ShellCity", "--bbox", "0.5,40,5,60") == ["2"])
  }
}
