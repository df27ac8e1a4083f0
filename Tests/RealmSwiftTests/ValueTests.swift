import CairnTestSupport
import Foundation
import RealmSwift
import Testing

/// The members of Realm's value types.
@Suite struct ValueTests {
  @Test func decimalsFromAnyValue() {
    let values: [(Any, String)] = [
      (5, "5"), (Int8(-3), "-3"), (UInt64.max, "18446744073709551615"), (0.5, "0.5"),
      (Float(0.25), "0.25"), ("12.75", "12.75"), (Decimal(string: "3.14159") as Any, "3.14159"),
      (NSNumber(value: 42), "42"), (NSNumber(value: 0.1), "0.1"), (Decimal128(7), "7"),
    ]
    for (value, text) in values {
      #expect(Decimal128(value: value) == Decimal128(text), "\(value)")
    }
    #expect(Decimal128(number: NSNumber(value: -2.5)) == -2.5)
    #expect(Decimal128(Decimal(string: "0.001") ?? 0) == 0.001)
    #expect(Decimal128(Decimal.nan).isNaN)
  }

  @Test(arguments: ["x", "", "1,5"]) func textThatIsNotADecimalEndsTheProgram(text: String) {
    Misuse.trap("Decimal128: '\(text)'")
    #expect(throws: (any Error).self) { try Decimal128(string: text) }
  }

  @Test func membersOfDecimals() throws {
    let number = try Decimal128(string: "12.50")
    #expect(number.stringValue == "12.50")
    #expect(number.doubleValue == 12.5)
    #expect(number.decimalValue == Decimal(string: "12.5"))
    #expect(try Decimal128(string: "1E+6000").decimalValue.isNaN)
    #expect(Decimal128.nan.decimalValue.isNaN)
    #expect(Decimal128.max.stringValue == "9.999999999999999999999999999999999E6144")
    #expect(Decimal128.min == -Decimal128.max)
    #expect(Decimal128.nan.isSignaling && Decimal128.nan.isSignalingNaN && !number.isSignaling)
    #expect(Decimal128(3).distance(to: 10) == 7)
    #expect(Decimal128(3).advanced(by: 4) == 7)
    #expect(Decimal128(-3).magnitude == 3)
    #expect(Decimal128(exactly: 5) == 5)
    let stride: Decimal128.Stride = 1
    #expect(stride / 4 == 0.25)
  }

  @Test func membersOfObjectIds() throws {
    let moment = Date(timeIntervalSince1970: 1_700_000_000.75)
    let id = ObjectId(timestamp: moment, machineId: 0x1234_5678, processId: 0x1_ABCD)
    #expect(id.stringValue.hasPrefix("6553f100" + "345678" + "abcd"))
    #expect(id.timestamp == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(id != ObjectId(timestamp: moment, machineId: 0x1234_5678, processId: 0x1_ABCD))
    #expect(abs(ObjectId.generate().timestamp.timeIntervalSinceNow) < 3600)
    #expect(ObjectId().timestamp == Date(timeIntervalSince1970: 0))
    #expect(try ObjectId(string: id.stringValue) == id)
    let data = try JSONEncoder().encode([id])
    #expect(try JSONDecoder().decode([ObjectId].self, from: data) == [id])
    #expect(ObjectId("000000000000000000000001") < ObjectId("000000000000000000000002"))
  }

  @Test func sortDescriptors() {
    let byName = RealmSwift.SortDescriptor(keyPath: "name")
    #expect(byName.description == "SortDescriptor(keyPath: name, direction: ascending)")
    #expect("\(byName.reversed())" == "SortDescriptor(keyPath: name, direction: descending)")
    #expect(byName == "name")
    #expect(byName != byName.reversed())
    #expect(RealmSwift.SortDescriptor(keyPath: \Sailor.ship?.name).keyPath == "ship.name")
  }
}
