import Cairn
import CairnFormats
import CairnModelTestSupport
import CairnStorage
import CairnTestSupport
import Foundation
import Testing

/// Imports of collections, embedded objects and links.
@Suite(.tags(.untrusted)) struct NestedImportTests {
  private static let formats: [(ExportFormat, String)] = [
    (.csv, "csv"), (.tsv, "tsv"), (.json, "json"), (.jsonLines, "jsonl"), (.geoJSON, "geojson"),
    (.geoJSONLines, "geojsonl"),
  ]

  @Test @MainActor func randomObjectsSurviveARoundTrip() async throws {
    let seed = Soak.seed(107)
    var random = RandomThings(seed: seed)
    let count = Soak.count(15, long: 40)
    for (format, name) in Self.formats {
      let (folder, source) = try (TemporaryFolder(), TestRealm().realm)
      try source.write { random.fill(source, count: count) }
      let file = URL(fileURLWithPath: folder["things.\(name)"])
      try source.objects(NestedThing.self).export(to: file, format: format)
      let store = TemporaryStore()
      let target = try store.realm()
      try target.write {
        for topic in source.objects(NestedTopic.self) {
          target.create(NestedTopic.self, value: [topic.name])
        }
      }
      let summary = try await target.importFile(file, as: NestedThing.self)
      #expect(summary.inserted == count && summary.rejected == 0, "\(name), seed \(seed)")
      let (before, after) = (Self.fingerprints(source), Self.fingerprints(target))
      #expect(before == after, "\(name), seed \(seed)")
      let noteCount = try Self.noteCount(store)
      let expected = source.objects(NestedThing.self).reduce(0) { $0 + Self.noteCount($1) }
      #expect(noteCount == expected, "\(name), seed \(seed)")
      let report = try Store.verify(store.path)
      #expect(report.findings.isEmpty, "\(name), seed \(seed): \(report.findings)")
    }
  }

  /// The number of embedded objects in a store.
  private static func noteCount(_ store: TemporaryStore) throws -> Int {
    try Store.open(store.path, mode: .readOnly).snapshot().table("NestedRemark")?.liveCount ?? 0
  }

  /// The number of embedded objects that belong to an object.
  private static func noteCount(_ thing: NestedThing) -> Int {
    let named = thing.notesByName.asKeyValueSequence().compactMap(\.value)
    return (Array(thing.notes) + named + [thing.note].compactMap { $0 }).reduce(0) {
      $0 + noteCount($1)
    }
  }

  private static func noteCount(_ note: NestedRemark) -> Int {
    note.replies.reduce(1) { $0 + noteCount($1) }
  }

  @Test @MainActor func collectionsOfValuesAreLoadedInBulk() async throws {
    let seed = Soak.seed(108)
    let count = Soak.count(300, long: 1000)
    var random = RandomThings(seed: seed)
    let source = try TestRealm().realm
    try source.write {
      for id in 0..<count { source.add(random.values(id)) }
    }
    for (format, name) in Self.formats {
      let (folder, store) = try (TemporaryFolder(), TemporaryStore())
      let file = URL(fileURLWithPath: folder["values.\(name)"])
      try source.objects(NestedValues.self).export(to: file, format: format)
      let target = try store.realm()
      var options = ImportOptions()
      options.condition = try Predicate("id >= 10")
      let preview = try await target.previewImport(
        of: file, as: NestedValues.self, options: options)
      #expect(preview.summary.inserted == count - 10 && target.objects(NestedValues.self).isEmpty)
      try await target.importFile(file, as: NestedValues.self, options: options)
      let (before, after) = (
        source.objects(NestedValues.self).where { $0.id >= 10 }.sorted(by: \.id),
        target.objects(NestedValues.self).sorted(by: \.id)
      )
      #expect(before.count == after.count)
      let isSame = zip(before, after).allSatisfy { one, other in
        one.spot == other.spot && Array(one.ints) == Array(other.ints)
          && Array(one.texts) == Array(other.texts) && Set(one.words) == Set(other.words)
          && one.counts.asKeyValueSequence().allSatisfy { other.counts[$0.key] == $0.value }
          && one.counts.count == other.counts.count
      }
      #expect(isSame, "\(name), seed \(seed)")
      let report = try Store.verify(store.path)
      #expect(report.findings.isEmpty, "\(name), seed \(seed): \(report.findings)")
    }
  }

  /// Texts of CSV that do not fit, and the message.
  static let misfits: [(header: String, value: String, message: String)] = [
    ("ints", "[1,\"x\"]", "`ints[1]` is `\"x\"`, which is not a valid int"),
    ("ints", "[1,null]", "`ints[1]` is null, but needs a value"),
    ("ints", "[1,[2]]", "`ints[1]` is `[2]`, which is not a valid int"),
    ("ints", "7", "`ints` is `7`, which is not a JSON array"),
    ("ints", "[1,", "`ints` is `[1,`, which is not a JSON array"),
    ("ints", "[1.5]", "`ints[0]` is `1.5`, which is not a valid int"),
    ("ints", "[9223372036854775808]", "`ints[0]` is `9223372036854775808`"),
    ("dates", "[\"today\"]", "`dates[0]` is `\"today\"`, which is not a valid date"),
    ("ids", "[\"12\"]", "`ids[0]` is `\"12\"`, which is not a valid"),
    ("flags", "[1]", "`flags[0]` is `1`, which is not a valid bool"),
    ("counts", "{\"a\":1,\"a\":2}", "`counts.a` is repeated"),
    ("counts", "[]", "`counts` is `[]`, which is not a JSON object"),
    ("note", "{\"text\":\"a\",\"colour\":1}", "`note.colour` is not a property of the class"),
    ("note", "{}", "`note.text` is missing"),
    ("note", "[]", "`note` is `[]`, which is not a JSON object"),
    ("note", "{\"text\":\"a\",\"text\":\"b\"}", "`note.text` is repeated"),
    (
      "notes", "[{\"text\":\"a\",\"replies\":[{\"text\":\"b\",\"numbers\":[true]}]}]",
      "`notes[0].replies[0].numbers[0]` is `true`, which is not a valid int"
    ),
    ("notes", "[null]", "`notes[0]` is null"),
    (
      "note", "{\"text\":\"a\",\"spot\":{\"latitude\":91,\"longitude\":0}}",
      "`note.spot` is `{\"latitude\":91"
    ),
    ("topics", "[{}]", "`topics[0]` is `{}`, which is not a valid key of the class NestedTopic"),
  ]

  @Test(arguments: misfits.indices) @MainActor
  func valuesThatDoNotFitAreRejectedWithTheirLine(index: Int) async throws {
    let (header, value, message) = Self.misfits[index]
    let realm = try TestRealm().realm
    let quoted = "\"" + value.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    let text = "id,lat,lon,\(header)\n1,,,\n2,1,1,\(quoted)\n3,2,2,\n"
    let error = await #expect(throws: ImportError.self) {
      try await realm.importData(Data(text.utf8), as: NestedThing.self, named: "things.csv")
    }
    let row = try #require(error?.row)
    #expect(row.line == 3 && row.property == header)
    #expect(row.reason.hasPrefix(message), "\(row.reason)")
    #expect(realm.objects(NestedThing.self).isEmpty)
    var options = ImportOptions()
    options.onError = .skip
    let summary = try await realm.importData(
      Data(text.utf8), as: NestedThing.self, named: "things.csv", options: options)
    #expect(summary.inserted == 2 && summary.rejected == 1)
    #expect(realm.objects(NestedThing.self).sorted(by: \.id).map(\.id) == [1, 3])
  }

  @Test @MainActor func aMissingObjectEndsTheImport() async throws {
    let store = TemporaryStore()
    let realm = try store.realm()
    try realm.write { _ = realm.create(NestedTopic.self, value: ["a"]) }
    for (property, value, key, owner) in [
      ("topic", "\"b\"", "b", "NestedTopic"), ("topics", "[\"a\",\"b\"]", "b", "NestedTopic"),
      ("next", "7", "7", "NestedThing"), ("topicsByName", "{\"x\":\"b\"}", "b", "NestedTopic"),
      ("note", "{\"text\":\"\",\"about\":\"b\"}", "b", "NestedTopic"),
    ] {
      let text = """
        {"id":1,"lat":1,"lon":1,"topic":"a"}
        {"id":2,"lat":1,"lon":1,"\(property)":\(value)}
        """
      let error = await #expect(throws: ImportError.self) {
        var options = ImportOptions()
        options.onError = .skip
        try await realm.importData(
          Data(text.utf8), as: NestedThing.self, named: "t.jsonl", options: options)
      }
      let name = property == "note" ? "about" : property
      #expect(
        error?.message
          == "t.jsonl:2: `\(name)` links to the object `\(key)` of the class \(owner), "
          + "which does not exist", "\(property)")
      #expect(realm.objects(NestedThing.self).isEmpty)
      #expect(try Self.noteCount(store) == 0)
    }
  }

  @Test @MainActor func objectsMayLinkToLaterOnesAndToThemselves() async throws {
    let realm = try TestRealm().realm
    let text = "id,lat,lon,next,others\n1,1,1,2,\"[2,1,2]\"\n2,1,1,1,\n3,1,1,3,[3]\n"
    try await realm.importData(Data(text.utf8), as: NestedThing.self)
    let things = realm.objects(NestedThing.self).sorted(by: \.id)
    #expect(things.map { $0.next?.id } == [2, 1, 3])
    #expect(things.map { $0.others.map(\.id) } == [[2, 1, 2], [], [3]])
  }

  @Test @MainActor func takenKeysFollowThePolicy() async throws {
    let store = TemporaryStore()
    let realm = try store.realm()
    let text = "id,lat,lon,note,others\n1,1,1,\"{\"\"text\"\":\"\"a\"\"}\",[1]\n"
    try await realm.importData(Data(text.utf8), as: NestedThing.self)
    let error = await #expect(throws: ImportError.self) {
      try await realm.importData(Data(text.utf8), as: NestedThing.self)
    }
    #expect(error?.message.contains("the primary key 'id' 1 exists already (record 1)") == true)
    let later =
      "id,lat,lon,note,others\n1,1,1,\"{\"\"text\"\":\"\"b\"\"}\",[2]\n2,1,1,,\n"
      + "1,1,1,\"{\"\"text\"\":\"\"c\"\"}\",[1]\n"
    var options = ImportOptions()
    options.onConflict = .skip
    let skipped = try await realm.importData(
      Data(later.utf8), as: NestedThing.self, options: options)
    #expect(skipped.inserted == 1 && skipped.conflictsSkipped == 2)
    #expect(realm.objects(NestedThing.self).compactMap { $0.note?.text } == ["a"])
    options.onConflict = .replace
    let replaced = try await realm.importData(
      Data(later.utf8), as: NestedThing.self, options: options)
    #expect(replaced.inserted == 0 && replaced.replaced == 3)
    #expect(realm.objects(NestedThing.self).compactMap { $0.note?.text } == ["c"])
    #expect(try Self.noteCount(store) == 1)
    #expect(realm.object(ofType: NestedThing.self, forPrimaryKey: 1)?.others.map(\.id) == [1])
  }

  @Test @MainActor func propertiesThatNoFileCanFillAreNamed() async throws {
    let realm = try TestRealm().realm
    for (name, reason) in [
      ("anything", "text does not tell the types of its values"),
      ("nameless", "objects of the class NestedNameless have no primary key"),
    ] {
      let error = await #expect(throws: ImportError.self) {
        try await realm.importData(Data("id,\(name)\n1,[]\n".utf8), as: NestedRefused.self)
      }
      #expect(error?.message.contains("`\(name)` is of type") == true)
      #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }
  }
}

// The oracle: every value of every object as text.
extension NestedImportTests {
  private static func fingerprints(_ realm: Realm) -> [String] {
    realm.objects(NestedThing.self).sorted(by: \.id).map { thing in
      var parts = ["\(thing.id)", "\(thing.spot.debugDescription)", "\(thing.title ?? "-")"]
      parts += [
        "\(Array(thing.ints))", "\(Array(thing.doubles))", "\(Array(thing.texts))",
        "\(Array(thing.flags))", "\(Array(thing.dates.map(\.timeIntervalSinceReferenceDate)))",
        "\(Array(thing.ids.map(\.stringValue)))", "\(thing.uuids.map(\.uuidString).sorted())",
        "\(thing.words.sorted())", "\(thing.floats.sorted())",
        "\(Array(thing.decimals.map(\.description)))", "\(Array(thing.blobs.map { Array($0) }))",
        "\(thing.counts.asKeyValueSequence().map { "\($0.key)=\($0.value)" }.sorted())",
        "\(thing.labels.asKeyValueSequence().map { "\($0.key)=\($0.value ?? "-")" }.sorted())",
      ]
      parts += [
        fingerprint(thing.note), "\(Array(thing.notes.map { fingerprint($0) }))",
        "\(thing.notesByName.asKeyValueSequence().map { $0.key + fingerprint($0.value) }.sorted())",
        "\(thing.topic?.name ?? "-")", "\(Array(thing.topics.map(\.name)))",
        "\(thing.topicSet.map(\.name).sorted())",
        "\(thing.topicsByName.asKeyValueSequence().map { "\($0.key)=\($0.value?.name ?? "-")" }.sorted())",
        "\(thing.next?.id ?? -1)", "\(Array(thing.others.map(\.id)))",
      ]
      return parts.joined(separator: "|")
    }
  }

  private static func fingerprint(_ note: NestedRemark?) -> String {
    guard let note else { return "-" }
    let replies = Array(note.replies.map { fingerprint($0) })
    return "(\(note.text);\(note.weight.debugDescription);\(note.at.debugDescription);"
      + "\(note.spot.debugDescription);\(Array(note.numbers));\(replies);\(note.about?.name ?? "-"))"
  }
}

/// Random objects.
private struct RandomThings {
  private var random: SplitMix64
  private static let alphabet = Array("aB\"\\,;\n\t'{}[]:äß€😀 0.é")

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private mutating func below(_ end: Int) -> Int { Int.random(in: 0..<end, using: &random) }

  private mutating func text() -> String {
    String((0..<below(6)).map { _ in Self.alphabet[below(Self.alphabet.count)] })
  }

  private mutating func list<T>(_ make: (inout RandomThings) -> T) -> [T] {
    (0..<below(5)).map { _ in make(&self) }
  }

  private mutating func maybe<T>(_ make: (inout RandomThings) -> T) -> T? {
    below(3) == 0 ? nil : make(&self)
  }

  private mutating func int() -> Int {
    below(2) == 0 ? below(100) - 50 : Int(bitPattern: UInt(random.next()))
  }

  private mutating func double() -> Double {
    below(2) == 0 ? Double(below(1000)) / 8 : Double.random(in: -1e9...1e9, using: &random)
  }

  private mutating func date() -> Date {
    Date(timeIntervalSince1970: Double(below(2_000_000_000)) + Double(below(1000)) / 1000)
  }

  private mutating func point() -> GeoPoint? {
    GeoPoint(
      latitude: Double(below(1_800_000) - 900_000) / 10_000,
      longitude: Double(below(3_600_000) - 1_800_000) / 10_000)
  }

  private mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  private mutating func hex(_ count: Int) -> String {
    bytes(count).map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
  }

  private mutating func key() -> String { "k\(below(1000))ä\"" }

  /// Returns an object whose collections hold values.
  mutating func values(_ id: Int) -> NestedValues {
    let values = NestedValues()
    values.id = id
    values.spot = maybe { $0.point() } ?? nil
    values.ints.append(objectsIn: list { $0.int() })
    values.texts.append(objectsIn: list { $0.maybe { $0.text() } })
    values.words.insert(objectsIn: list { $0.text() })
    for _ in 0..<below(4) { values.counts[key()] = double() }
    return values
  }

  private mutating func note(_ topics: [NestedTopic], depth: Int = 0) -> NestedRemark {
    let note = NestedRemark()
    note.text = text()
    note.weight = maybe { $0.double() }
    note.at = maybe { $0.date() }
    note.spot = maybe { $0.point() } ?? nil
    note.numbers.append(objectsIn: list { $0.int() })
    if depth < 2 { note.replies.append(objectsIn: list { $0.note(topics, depth: depth + 1) }) }
    note.about = maybe { topics[$0.below(topics.count)] }
    return note
  }

  /// Adds objects that link to each other and to topics.
  mutating func fill(_ realm: Realm, count: Int) {
    let topics = (0..<5).map { realm.create(NestedTopic.self, value: ["topic \($0)"]) }
    var things: [NestedThing] = []
    for id in 0..<count {
      let thing = thing(id, topics)
      realm.add(thing)
      things.append(thing)
    }
    for thing in things {
      thing.next = maybe { things[$0.below(count)] }
      thing.others.append(objectsIn: list { things[$0.below(count)] })
    }
  }

  private mutating func thing(_ id: Int, _ topics: [NestedTopic]) -> NestedThing {
    let thing = NestedThing()
    thing.id = id
    thing.spot = maybe { $0.point() } ?? nil
    thing.title = maybe { "t" + $0.text() }
    thing.ints.append(objectsIn: list { $0.int() })
    thing.doubles.append(objectsIn: list { $0.maybe { $0.double() } })
    thing.texts.append(objectsIn: list { $0.maybe { $0.text() } })
    thing.flags.append(objectsIn: list { $0.below(2) == 0 })
    thing.dates.append(objectsIn: list { $0.date() })
    thing.ids.append(objectsIn: list { (try? ObjectId(string: $0.hex(12))) ?? ObjectId.generate() })
    thing.uuids.insert(
      objectsIn: list { $0.hex(16) }.compactMap { hex in
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { range in
          String(Array(hex)[range])
        }
        return UUID(uuidString: parts.joined(separator: "-"))
      })
    thing.words.insert(objectsIn: list { $0.text() })
    thing.floats.insert(objectsIn: list { Float($0.double()) })
    thing.decimals.append(objectsIn: list { Decimal128(value: $0.int()) })
    thing.blobs.append(objectsIn: list { Data($0.bytes($0.below(9))) })
    for _ in 0..<below(4) { thing.counts[key()] = int() }
    for _ in 0..<below(4) { thing.labels[key()] = .some(maybe { "l" + $0.text() }) }
    thing.note = maybe { $0.note(topics) }
    thing.notes.append(objectsIn: list { $0.note(topics) })
    for _ in 0..<below(3) { thing.notesByName[key()] = .some(maybe { $0.note(topics) }) }
    thing.topic = maybe { topics[$0.below(topics.count)] }
    thing.topics.append(objectsIn: list { topics[$0.below(topics.count)] })
    thing.topicSet.insert(objectsIn: list { topics[$0.below(topics.count)] })
    for _ in 0..<below(3) {
      thing.topicsByName[key()] = .some(maybe { topics[$0.below(topics.count)] })
    }
    return thing
  }
}
