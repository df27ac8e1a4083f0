import Cairn
import Foundation

enum Shade: String, PersistableEnum {
  case amber
  case blue
  case coral
}

enum Level: Int, PersistableEnum {
  case low = -1
  case middle = 0
  case high = 7
}

/// Stored as a number.
struct Celsius: CustomPersistable, Hashable, Comparable {
  var degrees: Double
  init(_ degrees: Double) { self.degrees = degrees }
  init(persistedValue: Double) { degrees = persistedValue }
  var persistableValue: Double { degrees }
  static func < (a: Celsius, b: Celsius) -> Bool { a.degrees < b.degrees }
}

/// A property of every simple type, and of each one that may be null.
class Cell: Object {
  @Persisted var number = 0
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
  @Persisted var shade = Shade.amber
  @Persisted var level = Level.low
  @Persisted var warmth = Celsius(0)
  @Persisted var maybeBool: Bool?
  @Persisted var maybeInt: Int?
  @Persisted var maybeInt8: Int8?
  @Persisted var maybeFloat: Float?
  @Persisted var maybeDouble: Double?
  @Persisted var maybeString: String?
  @Persisted var maybeData: Data?
  @Persisted var maybeDate: Date?
  @Persisted var maybeObjectId: ObjectId?
  @Persisted var maybeUUID: UUID?
  @Persisted var maybeDecimal: Decimal128?
  @Persisted var maybeShade: Shade?
  @Persisted var maybeLevel: Level?
  @Persisted var maybeWarmth: Celsius?
  @Persisted var next: Cell?
}
