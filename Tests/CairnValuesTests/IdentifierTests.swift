import CairnTestSupport
import CairnValues
import Testing

@Suite(.tags(.untrusted)) struct IdentifierTests {
  @Test func objectIds() throws {
    let id = try ObjectId(string: "11223344556677889900AABB")
    #expect(id.stringValue == "11223344556677889900aabb")
    #expect("\(id)" == "11223344556677889900aabb")
    #expect(id == ObjectId("11223344556677889900aabb"))
    #expect(ObjectId().stringValue == String(repeating: "0", count: 24))
    #expect(id.secondsSince1970 == 0x1122_3344)
    #expect(
      id.withStoredBytes { Array($0) } == [
        0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0, 0xAA, 0xBB,
      ])
    #expect(id.withStoredBytes { ObjectId(storedBytes: $0) } == id)
  }

  @Test(arguments: [
    "", "1122", "11223344556677889900aabg", "11223344556677889900aabb0", "  223344556677889900aabb",
  ])
  func rejectsOtherObjectIds(_ text: String) {
    #expect(ObjectId(digits: text) == nil)
    #expect(throws: ValueError.self) { try ObjectId(string: text) }
  }

  @Test func objectIdsSortByTheirBytes() {
    let ids = [
      "000000000000000000000000", "000000000000000000000001", "0000000000000000ffffffff",
      "000000000000000100000000", "7fffffffffffffffffffffff", "800000000000000000000000",
    ].compactMap { ObjectId(digits: $0) }
    #expect(ids.count == 6)
    for (place, id) in ids.enumerated() {
      for (otherPlace, other) in ids.enumerated() {
        #expect((id < other) == (place < otherPlace), "\(id) \(other)")
      }
    }
  }

  @Test func generatedObjectIdsDiffer() {
    let ids = (0..<1000).map { _ in ObjectId.generate() }
    #expect(Set(ids).count == 1000)
    #expect(ids.allSatisfy { $0.secondsSince1970 > 1_600_000_000 })
  }

  @Test func uuids() throws {
    let id = try #require(UUIDBytes("123E4567-e89b-12d3-a456-426614174000"))
    #expect("\(id)" == "123e4567-e89b-12d3-a456-426614174000")
    #expect(id.high == 0x123E_4567_E89B_12D3 && id.low == 0xA456_4266_1417_4000)
    #expect(id.withStoredBytes { UUIDBytes(storedBytes: $0) } == id)
    #expect(id.withStoredBytes { Array($0.prefix(4)) } == [0x12, 0x3E, 0x45, 0x67])
    #expect(UUIDBytes(high: 0, low: .max) < UUIDBytes(high: 1, low: 0))
  }

  @Test(arguments: [
    "", "123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400",
    "123e4567-e89b-12d3-a456-4266141740000", "123e4567-e89b-12d3-a456_426614174000",
    "g23e4567-e89b-12d3-a456-426614174000",
  ])
  func rejectsOtherUUIDs(_ text: String) {
    #expect(UUIDBytes(text) == nil)
  }
}
