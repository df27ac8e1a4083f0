import Cairn
import Foundation

/// An embedded object with values, a collection and embedded objects of its own class.
class NestedRemark: EmbeddedObject {
  @Persisted var text = ""
  @Persisted var weight: Double?
  @Persisted var at: Date?
  @Persisted var spot: GeoPoint?
  @Persisted var numbers: List<Int>
  @Persisted var replies: List<NestedRemark>
  @Persisted var about: NestedTopic?
}

/// The target of links.
class NestedTopic: Object {
  @Persisted(primaryKey: true) var name = ""
}

/// A class without a primary key, which no file can name.
class NestedNameless: Object {
  @Persisted var name = ""
}

/// A class with collections, embedded objects and links.
class NestedThing: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var spot: GeoPoint?
  @Persisted var title: String?
  @Persisted var ints: List<Int>
  @Persisted var doubles: List<Double?>
  @Persisted var texts: List<String?>
  @Persisted var flags: List<Bool>
  @Persisted var dates: List<Date>
  @Persisted var ids: List<ObjectId>
  @Persisted var uuids: MutableSet<UUID>
  @Persisted var words: MutableSet<String>
  @Persisted var floats: MutableSet<Float>
  @Persisted var decimals: List<Decimal128>
  @Persisted var blobs: List<Data>
  @Persisted var counts: Map<String, Int>
  @Persisted var labels: Map<String, String?>
  @Persisted var note: NestedRemark?
  @Persisted var notes: List<NestedRemark>
  @Persisted var notesByName: Map<String, NestedRemark?>
  @Persisted var topic: NestedTopic?
  @Persisted var topics: List<NestedTopic>
  @Persisted var topicSet: MutableSet<NestedTopic>
  @Persisted var topicsByName: Map<String, NestedTopic?>
  @Persisted var next: NestedThing?
  @Persisted var others: List<NestedThing>
}

/// A class whose collections hold values only.
class NestedValues: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var spot: GeoPoint?
  @Persisted var ints: List<Int>
  @Persisted var texts: List<String?>
  @Persisted var words: MutableSet<String>
  @Persisted var counts: Map<String, Double>
}

/// A class with properties that no file can fill.
class NestedRefused: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var anything: List<AnyRealmValue>
  @Persisted var nameless: NestedNameless?
}
