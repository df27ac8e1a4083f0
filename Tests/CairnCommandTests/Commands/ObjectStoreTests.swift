import Cairn
import CairnTestSupport
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

/// The shell reads stores written by objects.
@Suite struct ObjectStoreTests {
  private func store(_ scratch: TemporaryFolder) throws -> String {
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
    let scratch = try TemporaryFolder()
    defer { withExtendedLifetime(scratch) {} }
    let lines = try Command.lines("schema", store(scratch))
    #expect(lines.contains { $0.hasPrefix("ShellCity: 3 rows, ") })
    #expect(lines.contains { $0.hasPrefix("ShellPerson: 3 rows, ") })
    #expect(
      lines.contains { $0.contains("id") && $0.contains("int") && $0.contains("primary key") })
    #expect(lines.contains { $0.contains("place") && $0.contains("spatial index") })
    #expect(lines.contains { $0.contains("mayor") && $0.contains("ShellPerson") })
    #expect(lines.contains { $0.contains("tags") && $0.contains("list") })
  }

  /// A new class takes single values; links and lists would need more than a column.
  @Test func newClasses() throws {
    let scratch = try TemporaryFolder()
    defer { withExtendedLifetime(scratch) {} }
    let path = try store(scratch)
    for (columns, said) in [
      ("*", "does not take 'mayor', a"), ("id,tags", "does not take 'tags', a list of string"),
      ("id,area", "does not take 'area', a"),
    ] {
      let outcome = try Command.run([
        "query", path, "ShellCity", "--select", columns, "--into", "Copy",
      ])
      #expect(outcome.code == 64 && outcome.errors.contains(said), "\(outcome.errors)")
    }
    let outcome = try Command.run([
      "query", path, "ShellCity", "--select", "id,name,place,mayor.name", "--into", "Copy",
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      try Command.lines("query", path, "Copy", "id == 1", "--format", "csv")
        == ["id,name,latitude,longitude,mayor.name", "1,city 1,50.0,1.0,mayor 1"])
    #expect(try Command.lines("verify", path).joined().contains("Sound"))
  }

  @Test func query() throws {
    let scratch = try TemporaryFolder()
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

  /// An imported store opens as a class whose names and types match; other columns remain
  /// unchanged.
  @Test func importedStoresOpenAsClasses() throws {
    let scratch = try TemporaryFolder()
    defer { withExtendedLifetime(scratch) {} }
    let outcome = try Command.run(
      "import", scratch["s"], Repository.data("cities.csv"), "--key", "id", "--class",
      "ShellImportedCity", "--quiet")
    try #require(outcome.code == 0)
    let realm = try Realm(fileURL: URL(fileURLWithPath: scratch["s"]))
    let cities = realm.objects(ShellImportedCity.self)
    let paris = try #require(GeoPoint(latitude: 48.8566, longitude: 2.3522))
    let around = GeoCircle(center: paris, radius: try #require(.kilometers(50)))
    let command = try Command.lines(
      "count", scratch["s"], "ShellImportedCity", "population > 50000", "--near", "48.8566,2.3522",
      "--radius", "50km")
    let found = cities.where { $0.location.geoWithin(around) && $0.population > 50_000 }
    #expect(command == ["\(found.count)"])
    #expect(found.count > 10)
    #expect(
      cities.sorted(by: \.location, distanceTo: paris).first?.name?.hasPrefix("Paris") == true)
    try realm.write {
      let village = ShellImportedCity()
      village.id = -1
      village.name = "Nowhere"
      village.location = paris
      realm.add(village)
    }
    #expect(
      try Command.lines("count", scratch["s"], "ShellImportedCity", "name == 'Nowhere'") == ["1"])
  }

  @Test func aMismatchIsReportedForEachProperty() throws {
    let scratch = try TemporaryFolder()
    defer { withExtendedLifetime(scratch) {} }
    let file = scratch["s"]
    try Data("id,name,population,lat,lon\n1,a,x,1,2\n".utf8)
      .write(to: URL(fileURLWithPath: scratch["in.csv"]))
    let outcome = try Command.run(
      "import", file, scratch["in.csv"], "--key", "id", "--class", "ShellImportedCity", "--quiet")
    try #require(outcome.code == 0)
    let error = #expect(throws: Realm.Error.self) {
      try Realm(
        configuration: Realm.Configuration(
          fileURL: URL(fileURLWithPath: file), objectTypes: [ShellImportedCity.self]))
    }
    #expect(error?.code == .schemaMismatch)
    #expect(error?.description.contains("ShellImportedCity.population") == true)
  }
}

class ShellImportedCity: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String?
  @Persisted var population: Int?
  @Persisted var location: GeoPoint?
}
