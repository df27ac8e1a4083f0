import Cairn
import CairnTestSupport
import Foundation
import Testing

class NestedToy: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var place: GeoPoint?
}

class NestedNote: Object {
  @Persisted var text: String
}

class NestedAddress: EmbeddedObject {
  @Persisted var city: String
  @Persisted var rooms: List<Int>
  @Persisted var inner: NestedAddress?
}

class NestedDog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var place: GeoPoint?
  @Persisted var tags: List<String>
  @Persisted var sizes: MutableSet<Int>
  @Persisted var scores: Map<String, Double?>
  @Persisted var dates: List<Date>
  @Persisted var bytes: List<Data>
  @Persisted var places: List<GeoPoint>
  @Persisted var toy: NestedToy?
  @Persisted var note: NestedNote?
  @Persisted var toys: List<NestedToy>
  @Persisted var toysByName: Map<String, NestedToy?>
  @Persisted var address: NestedAddress?
  @Persisted var homes: List<NestedAddress>
  @Persisted var anything: AnyRealmValue
  @Persisted var things: List<AnyRealmValue>
}

/// The output of collections, links, embedded objects and mixed values.
@Suite struct NestedOutputTests {
  private func store(_ scratch: TemporaryFolder) throws -> String {
    let realm = try Realm(fileURL: URL(fileURLWithPath: scratch["s"]))
    try realm.write {
      let ball = NestedToy()
      ball.name = "ball \"1\""
      ball.place = GeoPoint(latitude: 1.5, longitude: 2.5)
      let gone = NestedToy()
      gone.name = "gone"
      let note = NestedNote()
      note.text = "hi"
      realm.add([ball, gone])
      realm.add(note)
      let full = NestedDog()
      full.id = 1
      full.place = GeoPoint(latitude: 47, longitude: 8)
      full.tags.append(objectsIn: ["a,b", "\"q\"", "ü\n"])
      full.sizes.insert(objectsIn: [3, 1])
      full.scores["k\"1"] = 1.5
      full.scores["none"] = .some(nil)
      full.dates.append(Date(timeIntervalSinceReferenceDate: 0.5))
      full.bytes.append(Data([1, 2, 3]))
      if let place = GeoPoint(latitude: -1, longitude: 3) { full.places.append(place) }
      full.toy = ball
      full.note = note
      full.toys.append(objectsIn: [ball, gone, ball])
      full.toysByName["x"] = ball
      full.toysByName["y"] = gone
      let address = NestedAddress()
      address.city = "Bern"
      address.rooms.append(objectsIn: [1, 2])
      let inner = NestedAddress()
      inner.city = "inner"
      address.inner = inner
      full.address = address
      let home = NestedAddress()
      home.city = "Zug"
      full.homes.append(home)
      full.anything = .object(ball)
      full.things.append(objectsIn: [
        .int(5), .string("x"), .none, .bool(true), .double(1.25),
        .date(Date(timeIntervalSinceReferenceDate: 0)),
        .data(Data([255])), .object(ball), .object(gone),
      ])
      realm.add(full)
      let empty = NestedDog()
      empty.id = 2
      empty.place = GeoPoint(latitude: 46, longitude: 7)
      realm.add(empty)
      realm.delete(gone)
    }
    return scratch["s"]
  }

  private static let expected: [String: String] = [
    "tags": #"["a,b","\"q\"","ü\n"]"#, "sizes": "[1,3]", "scores": #"{"k\"1":1.5,"none":null}"#,
    "dates": #"["2001-01-01T00:00:00.500Z"]"#, "bytes": #"["AQID"]"#,
    "places": #"[{"latitude":-1.0,"longitude":3.0}]"#, "toy": #""ball \"1\"""#, "note": "0",
    "toys": #"["ball \"1\"","ball \"1\""]"#, "toysByName": #"{"x":"ball \"1\"","y":null}"#,
    "address": #"{"city":"Bern","rooms":[1,2],"inner":{"city":"inner","rooms":[],"inner":null}}"#,
    "homes": #"[{"city":"Zug","rooms":[],"inner":null}]"#, "anything": #""ball \"1\"""#,
    "things": #"[5,"x",null,true,1.25,"2001-01-01","/w==","ball \"1\"",null]"#,
  ]
  private static let expectedEmpty: [String: String] = [
    "tags": "[]", "sizes": "[]", "scores": "{}", "dates": "[]", "bytes": "[]", "places": "[]",
    "toy": "null", "note": "null", "toys": "[]", "toysByName": "{}", "address": "null",
    "homes": "[]", "anything": "null", "things": "[]",
  ]

  @Test func jsonContainsNestedValues() throws {
    let scratch = try TemporaryFolder()
    let path = try store(scratch)
    for (row, expected) in [Self.expected, Self.expectedEmpty].enumerated() {
      for (name, json) in expected {
        for format in ["jsonl", "geojsonl"] {
          let lines = try Command.lines(
            "query", path, "NestedDog", "id == \(row + 1)", "--select", name, "--format", format)
          #expect(lines.count == 1 && lines[0].contains("\"\(name)\":\(json)}"), "\(lines)")
          #expect(throws: Never.self) {
            try JSONSerialization.jsonObject(with: Data(lines[0].utf8))
          }
        }
      }
    }
    // All at once, each under its name.
    for format in ["json", "geojson"] {
      let text = try Command.run("export", path, "NestedDog", "--output", "-", "--format", format)
      #expect(text.code == 0)
      for json in Self.expected.values { #expect(text.output.contains(json), "\(json)") }
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(text.output.utf8)) }
    }
  }

  @Test func aMapShowsCollectionsAsText() throws {
    let scratch = try TemporaryFolder()
    let path = try store(scratch)
    let page = try Command.run(
      "query", path, "NestedDog", "id == 1", "--select", "sizes,scores", "--format", "html")
    #expect(page.code == 0, "\(page.errors)")
    #expect(page.output.contains(#","[1,3]","{\"k\\\"1\":1.5,\"none\":null}"]"#))
  }

  @Test func csvAndTablesContainNestedValuesAsText() throws {
    let scratch = try TemporaryFolder()
    let path = try store(scratch)
    for (name, json) in Self.expected where !json.hasPrefix("\"") {
      let csv = try Command.run(
        "query", path, "NestedDog", "id == 1", "--select", name, "--format", "csv")
      let text = csv.output.dropFirst(name.count + 1).dropLast()
      let quoted = String(text)
      let plain =
        quoted.hasPrefix("\"")
        ? String(quoted.dropFirst().dropLast()).replacingOccurrences(of: "\"\"", with: "\"")
        : quoted
      #expect(plain == json)
      let table = try Command.lines("query", path, "NestedDog", "id == 1", "--select", name)
      #expect(table.last?.trimmingCharacters(in: .whitespaces) == json)
      let markdown = try Command.lines(
        "query", path, "NestedDog", "id == 1", "--select", name, "--format", "markdown")
      #expect(markdown.last?.hasPrefix("| ") == true)
    }
    let keys = try Command.lines(
      "query", path, "NestedDog", "id == 1", "--select", "toy,note,anything", "--format", "tsv")
    #expect(keys.last == ["\"ball \"\"1\"\"\"", "0", "\"ball \"\"1\"\"\""].joined(separator: "\t"))
  }

  @Test func pathsLeadThroughObjects() throws {
    let scratch = try TemporaryFolder()
    let path = try store(scratch)
    let names =
      "id,address.city,address.inner.city,toy.name,toy.place.latitude,toy.place.wkt,address.rooms,note.text"
    let lines = try Command.lines(
      "query", path, "NestedDog", "--select", names, "--sort", "id", "--format", "csv")
    #expect(
      lines == [
        names, "1,Bern,inner,\"ball \"\"1\"\"\",1.5,POINT (2.5 1.5),\"[1,2]\",hi", "2,,,,,,,",
      ])
    for (sort, ids) in [
      ("address.city", ["1", "2"]), ("address.city:desc", ["2", "1"]),
      ("toy.name,id:desc", ["1", "2"]),
    ] {
      let sorted = try Command.lines(
        "query", path, "NestedDog", "--select", "id", "--sort", sort, "--format", "csv")
      #expect(Array(sorted.dropFirst()) == ids, "\(sort)")
    }
    for wrong in ["address.town", "tags.x", "toys.name", "id.x", "toy.", ".toy", "homes.city"] {
      let outcome = try Command.run("query", path, "NestedDog", "--select", wrong)
      #expect(outcome.code == 64 && outcome.errors.contains("has no column"), "\(outcome.errors)")
    }
  }

  @Test func deepNestingIsAnError() throws {
    let scratch = try TemporaryFolder()
    let realm = try Realm(fileURL: URL(fileURLWithPath: scratch["s"]))
    try realm.write {
      let dog = NestedDog()
      dog.id = 1
      realm.add(dog)
      var address = NestedAddress()
      dog.address = address
      for _ in 0..<600 {
        let next = NestedAddress()
        next.city = "x"
        address.inner = next
        guard let stored = address.inner else { break }
        address = stored
      }
    }
    let outcome = try Command.run("query", scratch["s"], "NestedDog", "--format", "json")
    #expect(outcome.code == 65 && outcome.errors.contains("512"), "\(outcome.errors)")
    #expect(
      try Command.lines("query", scratch["s"], "NestedDog", "--select", "id", "--format", "csv")
        .last == "1")
  }
}
