import CairnModelTestSupport
import CairnObjects
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

enum Ward: String, PersistableEnum {
  case north, south
}

enum Grade: Int, PersistableEnum {
  case low = 1
  case high = 2
}

struct Celsius: CustomPersistable, Equatable {
  var degrees: Double
  init(degrees: Double) { self.degrees = degrees }
  init(persistedValue: Double) { degrees = persistedValue }
  var persistableValue: Double { degrees }
}

struct Even: FailableCustomPersistable, Equatable {
  var number: Int
  init(_ number: Int) { self.number = number }
  init?(persistedValue: Int) {
    guard persistedValue.isMultiple(of: 2) else { return nil }
    number = persistedValue
  }
  var persistableValue: Int { number }
}

class Spot: EmbeddedObject {
  @Persisted var x = 0.0
  @Persisted var y = 0.0
}

struct Vector: CustomPersistable, Equatable {
  var x = 0.0
  var y = 0.0
  init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
  init(persistedValue: Spot) { self.init(x: persistedValue.x, y: persistedValue.y) }
  var persistableValue: Spot {
    let spot = Spot()
    spot.x = x
    spot.y = y
    return spot
  }
}

/// A property of every type except collections.
class Everything: Object {
  @Persisted var int: Int
  @Persisted var int8: Int8
  @Persisted var int16: Int16
  @Persisted var int32: Int32
  @Persisted var int64: Int64
  @Persisted var bool: Bool
  @Persisted var float: Float
  @Persisted var double: Double
  @Persisted var string: String
  @Persisted var data: Data
  @Persisted var date: Date
  @Persisted var objectId: ObjectId
  @Persisted var decimal: Decimal128
  @Persisted var uuid: UUID
  @Persisted var point = originPoint
  @Persisted var ward: Ward
  @Persisted var grade: Grade
  @Persisted var celsius: Celsius
  @Persisted var even: Even
  @Persisted var vector: Vector

  @Persisted var optInt: Int?
  @Persisted var optInt8: Int8?
  @Persisted var optInt16: Int16?
  @Persisted var optInt32: Int32?
  @Persisted var optInt64: Int64?
  @Persisted var optBool: Bool?
  @Persisted var optFloat: Float?
  @Persisted var optDouble: Double?
  @Persisted var optString: String?
  @Persisted var optData: Data?
  @Persisted var optDate: Date?
  @Persisted var optObjectId: ObjectId?
  @Persisted var optDecimal: Decimal128?
  @Persisted var optUUID: UUID?
  @Persisted var optPoint: GeoPoint?
  @Persisted var optWard: Ward?
  @Persisted var optGrade: Grade?
  @Persisted var optCelsius: Celsius?
  @Persisted var optEven: Even?
  @Persisted var optVector: Vector?
  @Persisted var spot: Spot?
  @Persisted var other: Everything?
}

@Suite struct PropertyTypeTests {
  /// Sets a property of an unmanaged object, adds the object, and reads the property back, through
  /// a second object and from a new realm; then sets it again on the managed object.
  private func check<Value: Equatable>(
    _ property: ReferenceWritableKeyPath<Everything, Value>, _ values: [Value],
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let scratch = TemporaryStore()
    let realm = try scratch.realm()
    for value in values {
      let object = Everything()
      object[keyPath: property] = value
      #expect(object[keyPath: property] == value, sourceLocation: location)
      try realm.write { realm.add(object) }
      #expect(object[keyPath: property] == value, sourceLocation: location)
    }
    let objects = realm.objects(Everything.self)
    #expect(objects.map { $0[keyPath: property] } == values, sourceLocation: location)
    let reopened = try scratch.realm().objects(Everything.self)
    #expect(reopened.map { $0[keyPath: property] } == values, sourceLocation: location)
    let turned = Array(values.reversed())
    try realm.write {
      for (object, value) in zip(objects, turned) {
        object[keyPath: property] = value
        #expect(object[keyPath: property] == value, sourceLocation: location)
      }
    }
    #expect(objects.map { $0[keyPath: property] } == turned, sourceLocation: location)
  }

  @Test func integers() throws {
    try check(\.int, [0, 1, -1, .min, .max])
    try check(\.int8, [0, 1, -1, .min, .max])
    try check(\.int16, [0, 1, -1, .min, .max])
    try check(\.int32, [0, 1, -1, .min, .max])
    try check(\.int64, [0, 1, -1, .min, .max])
  }

  @Test func optionalIntegers() throws {
    try check(\.optInt, [nil, 0, .min, .max])
    try check(\.optInt8, [nil, 0, .min, .max])
    try check(\.optInt16, [nil, 0, .min, .max])
    try check(\.optInt32, [nil, 0, .min, .max])
    try check(\.optInt64, [nil, 0, .min, .max])
  }

  @Test func numbers() throws {
    try check(\.bool, [true, false])
    try check(\.optBool, [nil, true, false])
    let floats: [Float] = [0, -1.5, .infinity, -.infinity, .leastNonzeroMagnitude, .pi]
    try check(\.float, floats)
    try check(\.optFloat, [nil] + floats)
    let doubles: [Double] = [
      0, -1.5, .infinity, .leastNonzeroMagnitude, 0.1, .greatestFiniteMagnitude,
    ]
    try check(\.double, doubles)
    try check(\.optDouble, [nil] + doubles)
    let decimals: [Decimal128] = [0, "1.05", "-1E+6000", .greatestFiniteMagnitude]
    try check(\.decimal, decimals)
    try check(\.optDecimal, [nil] + decimals)
  }

  @Test func texts() throws {
    let texts = ["", "a", "Köln 日本 🎉", "with\0zero", String(repeating: "long ", count: 5_000)]
    try check(\.string, texts)
    try check(\.optString, [nil] + texts)
    let data = [Data(), Data([0, 255]), Data(repeating: 7, count: 20_000)]
    try check(\.data, data)
    try check(\.optData, [nil] + data)
  }

  @Test func datesIdentifiersAndPlaces() throws {
    let dates = [Date(timeIntervalSinceReferenceDate: 0.25), .distantPast, .distantFuture]
    try check(\.date, dates)
    try check(\.optDate, [nil] + dates)
    let ids = [ObjectId(), ObjectId.generate()]
    try check(\.objectId, ids)
    try check(\.optObjectId, [nil] + ids)
    let uuids = [UUID(), UUID()]
    try check(\.uuid, uuids)
    try check(\.optUUID, [nil] + uuids)
    let points = [(0.0, 0.0, 0.0), (-90, 180, 12.5), (47.6, -122.3, 0)].compactMap {
      GeoPoint(latitude: $0.0, longitude: $0.1, altitude: $0.2)
    }
    #expect(points.count == 3)
    try check(\.point, points)
    try check(\.optPoint, [nil] + points)
  }

  @Test func enumerationsAndCustomTypes() throws {
    try check(\.ward, [.south, .north])
    try check(\.optWard, [nil, .south, .north])
    try check(\.grade, [.high, .low])
    try check(\.optGrade, [nil, .high, .low])
    try check(\.celsius, [Celsius(degrees: 1.5), Celsius(degrees: -273.15)])
    try check(\.optCelsius, [nil, Celsius(degrees: 1.5)])
    try check(\.even, [Even(2), Even(-4)])
    try check(\.optEven, [nil, Even(2)])
    try check(\.vector, [Vector(x: 1, y: 2), Vector(x: 0, y: 0)])
    try check(\.optVector, [nil, Vector(x: 1, y: 2)])
  }

  @Test func defaults() throws {
    let before = Date()
    let (one, two) = (Everything(), Everything())
    let after = Date()
    #expect(one.int == 0 && one.int8 == 0 && one.int64 == 0 && !one.bool)
    #expect(one.float == 0 && one.double == 0 && one.decimal == 0)
    #expect(one.string == "" && one.data.isEmpty)
    #expect(one.objectId != two.objectId && one.objectId == one.objectId)
    #expect(one.uuid != two.uuid && one.uuid == one.uuid)
    #expect((before - 1...after + 1).contains(one.date))
    #expect(one.ward == .north && one.grade == .low)
    #expect(one.celsius == Celsius(degrees: 0) && one.vector == Vector(x: 0, y: 0))
    #expect(one.optInt == nil && one.optString == nil && one.optWard == nil && one.spot == nil)
    let id = one.objectId
    let scratch = TemporaryStore()
    let realm = try scratch.realm()
    try realm.write { realm.add(one) }
    #expect(one.objectId == id)
    #expect(realm.objects(Everything.self).first?.objectId == id)
  }

  @Test func nanIsStored() throws {
    let object = Everything()
    object.double = .nan
    object.optFloat = .nan
    let scratch = TemporaryStore()
    let realm = try scratch.realm()
    try realm.write { realm.add(object) }
    #expect(object.double.isNaN)
    #expect(object.optFloat?.isNaN == true)
  }

  @Test func storedValuesThatMeanNil() throws {
    let scratch = TemporaryStore()
    let realm = try scratch.realm()
    let object = Everything()
    object.optEven = Even(3)
    try realm.write { realm.add(object) }
    #expect(object.optEven == nil)
    #expect(realm.objects(Everything.self).filter("optEven == 3").count == 1)
  }

  @Test func objectsAndEmbeddedObjects() throws {
    let scratch = TemporaryStore()
    let realm = try scratch.realm()
    let (one, two) = (Everything(), Everything())
    one.other = two
    two.other = one
    let spot = Spot()
    spot.x = 4
    one.spot = spot
    try realm.write { realm.add(one) }
    #expect(realm.objects(Everything.self).count == 2)
    #expect(one.other?.other?.spot?.x == 4)
    #expect(spot.x == 4)
    try realm.write {
      one.other = one
      one.spot = nil
    }
    #expect(one.other?.spot == nil)
  }
}
