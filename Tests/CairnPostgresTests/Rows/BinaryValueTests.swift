import CairnValues
import Testing

@testable import CairnPostgres

/// Values in binary form whose bytes are not what a server sends.
@Suite struct BinaryValueTests {
  private static func bytes<Number: FixedWidthInteger>(_ numbers: [Number]) -> [UInt8] {
    numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
  }

  /// The number of dimensions, a flag, the type of the elements, their number and the lower bound,
  /// then the size and the bytes of each element.
  private static func array(count: Int32, _ elements: [Int32]) -> [UInt8] {
    bytes([1, 0, 23, count, 1]) + bytes(elements.flatMap { [4, $0] })
  }

  @Test func anArrayIsRead() throws {
    let values = try Self.array(count: 2, [7, -8]).withUnsafeBytes {
      try BinaryArray.values($0, of: .int32)
    }
    #expect(values == [.int(7), .int(-8)])
  }

  @Test(arguments: [-1, .min, 3, .max] as [Int32])
  func anArrayOfAnotherNumberOfElementsIsDamaged(count: Int32) {
    let bytes = Self.array(count: count, [7, -8])
    let problem = #expect(throws: ValueProblem.self) {
      try bytes.withUnsafeBytes { try BinaryArray.values($0, of: .int32) }
    }
    #expect(problem?.text == ValueProblem.damaged.text)
  }

  @Test(arguments: 0..<20)
  func anArrayThatEndsEarlyIsDamaged(size: Int) {
    let bytes = Self.array(count: 2, [7, -8]).prefix(size)
    #expect(throws: ValueProblem.self) {
      try Array(bytes).withUnsafeBytes { try BinaryArray.values($0, of: .int32) }
    }
  }

  /// The number of groups of four digits, their weight, the sign, the decimals, and the groups.
  private static func numeric(_ words: [UInt16]) throws -> Decimal128 {
    try bytes(words).withUnsafeBytes { try BinaryValue.numeric($0) }
  }

  @Test func aNumericIsRead() throws {
    #expect(try Self.numeric([2, 0, 0, 4, 12, 3400]) == Decimal128(text: "12.34"))
    #expect(try Self.numeric([1, 0, 0x4000, 0, 9999]) == Decimal128(text: "-9999"))
  }

  /// The weight is a power of 10000, and the number one digit.
  @Test(arguments: [(1535, 9999, 0), (-1544, 1, 6176)] as [(Int16, UInt16, UInt16)])
  func theGreatestAndTheLeastNumericAreRead(weight: Int16, group: UInt16, scale: UInt16) throws {
    let value = try Self.numeric([1, UInt16(bitPattern: weight), 0, scale, group])
    #expect(value == Decimal128(text: "\(group)E\(Int(weight) * 4)") && !value.isInfinite)
  }

  @Test(arguments: [(1536, 10, 0), (2250, 1, 0), (-1545, 9, 6180)] as [(Int16, UInt16, UInt16)])
  func aNumericOutOfRangeIsNamed(weight: Int16, group: UInt16, scale: UInt16) throws {
    let problem = #expect(throws: ValueProblem.self) {
      try Self.numeric([1, UInt16(bitPattern: weight), 0, scale, group])
    }
    #expect(problem?.reason == "a number is out of range" && problem?.isOfRow == true)
  }

  @Test(arguments: [10_000, .max] as [UInt16])
  func aNumericOfAGroupOfFiveDigitsIsDamaged(group: UInt16) {
    let problem = #expect(throws: ValueProblem.self) { try Self.numeric([1, 0, 0, 0, group]) }
    #expect(problem?.text == ValueProblem.damaged.text)
  }
}
