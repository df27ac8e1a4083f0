import CairnGeometry
import CairnObjects
import CairnValues

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

enum Fur: String, PersistableEnum {
  case curly
  case short
  case long
}

enum Degree: Int, PersistableEnum {
  case low = 1
  case high = 9
}

/// A street, stored as a string.
struct Street: CustomPersistable, Hashable {
  var text: String
  init(_ text: String) { self.text = text }
  init(persistedValue: String) { text = persistedValue }
  var persistableValue: String { text }
}

/// An even number, stored as an integer. Odd integers have no value.
struct EvenNumber: FailableCustomPersistable, Hashable {
  var number: Int
  init?(persistedValue: Int) {
    guard persistedValue.isMultiple(of: 2) else { return nil }
    number = persistedValue
  }
  var persistableValue: Int { number }
}

/// The point at latitude and longitude zero.
var originPoint: GeoPoint { GeoPoint(latitude: 0, longitude: 0) ?? GeoPoint._default() }

/// A required and an optional property of every simple type.
class Asked: Object {
  @Persisted var bool = false
  @Persisted var int = 0
  @Persisted var int8: Int8 = 0
  @Persisted var int16: Int16 = 0
  @Persisted var int32: Int32 = 0
  @Persisted var int64: Int64 = 0
  @Persisted var float: Float = 0
  @Persisted var double = 0.0
  @Persisted var string = ""
  @Persisted var data = Data()
  @Persisted var date = Date(timeIntervalSinceReferenceDate: 0)
  @Persisted var objectId: ObjectId
  @Persisted var uuid: UUID
  @Persisted var decimal: Decimal128
  @Persisted var coat = Fur.curly
  @Persisted var rank = Degree.low
  @Persisted var address = Street("")
  @Persisted var point = originPoint
  @Persisted var boolOptional: Bool?
  @Persisted var intOptional: Int?
  @Persisted var floatOptional: Float?
  @Persisted var doubleOptional: Double?
  @Persisted var stringOptional: String?
  @Persisted var dataOptional: Data?
  @Persisted var dateOptional: Date?
  @Persisted var objectIdOptional: ObjectId?
  @Persisted var uuidOptional: UUID?
  @Persisted var decimalOptional: Decimal128?
  @Persisted var coatOptional: Fur?
  @Persisted var rankOptional: Degree?
  @Persisted var addressOptional: Street?
  @Persisted var even: EvenNumber?
  @Persisted var pointOptional: GeoPoint?
  @Persisted var other: Asked?

  var initial: String { string.first.map(String.init) ?? "" }
  var same: String { string }
}

/// A subclass with all inherited properties.
class AskedElse: Asked {
  @Persisted var own = 0
}

class Leaf: Object {
  @Persisted var name = ""
  @Persisted var size = 0
  @Persisted var flag = false
  @Persisted var tags: List<String>
  @Persisted(originProperty: "leaves") var boughs: LinkingObjects<Bough>
}

class Nest: EmbeddedObject {
  @Persisted var type = "Point"
  @Persisted var coordinates: List<Double>
  @Persisted var label: String?
}

class Bough: Object {
  @Persisted var leaves: List<Leaf>
  @Persisted var leafSet: MutableSet<Leaf>
  @Persisted var leafMap: Map<String, Leaf?>
  @Persisted var main: Leaf?
  @Persisted var numbers: List<Int>
  @Persisted var halves: List<Double?>
  @Persisted var words: MutableSet<String>
  @Persisted var dates: List<Date>
  @Persisted var scores: Map<String, Int>
  @Persisted var notes: Map<String, String?>
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var nest: Nest?
  @Persisted var nests: List<Nest>
  @Persisted var parts: List<Bough>
}

/// A class with other property names in the store.
class OtherwiseNamed: Object {
  @Persisted var title = ""
  @Persisted var rank = 0
  @Persisted var other: OtherwiseNamed?

  override class func propertiesMapping() -> [String: String] {
    ["title": "the_title", "rank": "other_rank", "other": "link"]
  }
}
