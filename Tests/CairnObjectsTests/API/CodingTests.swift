import CairnModelTestSupport
import CairnObjects
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

enum Binding: String, PersistableEnum, Codable {
  case paper, cloth
}

class Volume: Object, Codable {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var title = "untitled"
  @Persisted var pages: Int
  @Persisted var price: Decimal128?
  @Persisted var printed: Date?
  @Persisted var cover: Data?
  @Persisted var code: UUID?
  @Persisted var binding = Binding.cloth
  @Persisted var found: GeoPoint?
  @Persisted var author: Author?
  @Persisted var weight: Float?
  @Persisted var note: Note?
}

class Author: Object, Codable {
  @Persisted var name: String

  enum CodingKeys: String, CodingKey {
    case name = "full_name"
  }
}

class Note: EmbeddedObject, Codable {
  @Persisted var text: String?
}

@Suite struct CodingTests {
  private static let json = """
    {"id":"11223344556677889900aabb","title":"Ways","pages":12,"price":"2.50","printed":5,"cover":"AQI=",
    "code":"00000000-0000-0000-0000-000000000007","binding":"paper",
    "found":{"type":"Point","coordinates":[7.1,50.7]},"author":{"full_name":"Ann"},"note":{"text":"good"}}
    """

  private func decoded(_ json: String = json) throws -> Volume {
    try JSONDecoder().decode(Volume.self, from: Data(json.utf8))
  }

  private func encoded(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func check(_ volume: Volume) throws {
    #expect(volume.id == ObjectId("11223344556677889900aabb"))
    #expect(volume.title == "Ways")
    #expect(volume.pages == 12)
    #expect(volume.price == "2.50")
    #expect(volume.printed == Date(timeIntervalSinceReferenceDate: 5))
    #expect(volume.cover == Data([1, 2]))
    #expect(volume.code?.uuidString == "00000000-0000-0000-0000-000000000007")
    #expect(volume.binding == .paper)
    #expect(volume.found == GeoPoint(latitude: 50.7, longitude: 7.1))
    #expect(volume.author?.name == "Ann")
    #expect(volume.weight == nil)
    #expect(volume.note?.text == "good")
  }

  @Test func decodesEveryProperty() throws { try check(decoded()) }

  @Test func roundTrip() throws {
    let text = try encoded(decoded())
    try check(decoded(text))
    #expect(text.contains("\"author\":{\"full_name\":\"Ann\"}"))
    #expect(text.contains("\"weight\":null"))
  }

  @Test func managedObjectsEncodeToo() throws {
    let file = TemporaryStore()
    let realm = try file.realm()
    let volume = try decoded()
    let before = try encoded(volume)
    try realm.write { realm.add(volume) }
    #expect(try encoded(volume) == before)
    #expect(try encoded(realm.objects(Volume.self).first) == before)
    try check(volume)
  }

  @Test func aGeneratedIdIsStableFromItsFirstRead() throws {
    let volume = Volume()
    let text = try encoded(volume)
    #expect(text.contains(volume.id.stringValue))
    #expect(volume.id != Volume().id)
  }

  @Test func nullsAndAbsentKeys() throws {
    let volume = try decoded(
      #"{"id":"11223344556677889900aabb","title":"a","pages":1,"binding":"cloth","author":null}"#)
    #expect(volume.author == nil)
    #expect(volume.price == nil)
    #expect(throws: DecodingError.self) { try decoded(#"{"title":"a"}"#) }
    #expect(throws: DecodingError.self) {
      try decoded(Self.json.replacing("paper", with: "stone"))
    }
    #expect(throws: DecodingError.self) {
      try decoded(Self.json.replacing("50.7", with: "95"))
    }
    #expect(throws: DecodingError.self) {
      try decoded(Self.json.replacing("Point", with: "Line"))
    }
  }

  @Test func theDecodersDateStrategyApplies() throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let json = Self.json.replacing("\"printed\":5", with: "\"printed\":\"2001-01-01T00:00:05Z\"")
    #expect(
      try decoder.decode(Volume.self, from: Data(json.utf8)).printed
        == Date(timeIntervalSinceReferenceDate: 5))
  }
}
