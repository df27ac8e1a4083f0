import CairnObjects

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

class Shelf: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = "shelf"
  @Persisted var height: Double?
  @Persisted var owner: Reader?
}

class Reader: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var name: String
  @Persisted var friend: Reader?
  @Persisted var favourite: Book?
}

class Book: Object {
  @Persisted var title = "untitled"
  @Persisted var pages: Int32 = 1
  @Persisted var price: Decimal128?
  @Persisted var weight: Float?
  @Persisted var isLent = false
  @Persisted var printed: Date?
  @Persisted var cover: Data?
  @Persisted var code: UUID?
  @Persisted var found: GeoPoint?
}

class Library: Object, Codable {
  @Persisted var name: String
  @Persisted var years: List<Int>
  @Persisted var ratings: List<Double?>
  @Persisted var tags: MutableSet<String>
  @Persisted var opening: Map<String, String>
  @Persisted var anything: AnyRealmValue
  @Persisted var rooms: List<Room>
  @Persisted var branches: List<Library>
  @Persisted var byCity: Map<String, Library?>
  @Persisted var entrance: Room?
}

class Room: EmbeddedObject, Codable {
  @Persisted var seats: Int
  @Persisted var windows: List<String>
}

class Member: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var libraries: List<Library>
  @Persisted(originProperty: "members") var clubs: LinkingObjects<ReadingClub>
}

class ReadingClub: Object {
  @Persisted var name: String
  @Persisted var members: List<Member>
}
