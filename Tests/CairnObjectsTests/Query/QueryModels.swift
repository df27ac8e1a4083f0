import CairnGeometry
import CairnObjects
import CairnValues
import FoundationEssentials

enum Fur: String, PersistableEnum {
  case curly
  case short
  case long
}

enum Degree: Int, PersistableEnum {
  case low = 1
  case high = 9
}

/// Stored as a text.
struct Street: CustomPersistable, Hashable {
  var text: String
  init(_ text: String) { self.text = text }
  init(persistedValue: String) { text = persistedValue }
  var persistableValue: String { text }
}

/// Stored as a number, of which some stand for nothing.
struct EvenNumber: FailableCustomPersistable, Hashable {
  var number: Int
  init?(persistedValue: Int) {
    guard persistedValue.isMultiple(of: 2) else { return nil }
    number = persistedValue
  }
  var persistableValue: Int { number }
}

/// Latitude and longitude zero.
var originPoint: GeoPoint { GeoPoint(latitude: 0, longitude: 0) ?? GeoPoint._default() }

/// One property of every simple type, and of each of them one that may be null.
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

/// Inherits all of it.
class AskedElse: Asked {
  @Persisted var own = 0
}
