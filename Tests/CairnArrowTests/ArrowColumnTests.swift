import CArrow
import CairnIO
import CairnTestSupport
import Foundation
import Testing

@testable import CairnArrow

/// Arrow arrays, made by hand as its specification lays them out.
@Suite(.tags(.untrusted)) struct ArrowColumnTests {
  /// A description of a column, and what it needs to stay in memory.
  private final class Described {
    var schema = cairn_arrow_schema()
    private var texts: [UnsafeMutablePointer<CChar>] = []
    private let children: [Described]
    private var pointers: UnsafeMutablePointer<UnsafeMutablePointer<cairn_arrow_schema>?>?

    init(_ format: String, name: String = "x", children: [Described] = []) {
      self.children = children
      texts = [format, name].compactMap { (text: String) in strdup(text) }
      schema.format = UnsafePointer(texts[0])
      schema.name = UnsafePointer(texts[1])
      schema.n_children = Int64(children.count)
      let list = UnsafeMutablePointer<UnsafeMutablePointer<cairn_arrow_schema>?>
        .allocate(capacity: children.count)
      for (index, child) in children.enumerated() {
        let copy = UnsafeMutablePointer<cairn_arrow_schema>.allocate(capacity: 1)
        copy.initialize(to: child.schema)
        list[index] = copy
      }
      pointers = list
      schema.children = list
    }

    deinit {
      for text in texts { free(text) }
      for index in children.indices { pointers?[index]?.deallocate() }
      pointers?.deallocate()
    }

    func field() throws -> ArrowField { try ArrowField(schema) }
  }

  /// An array and its buffers. The first buffer has the bits of the rows that are not null.
  private final class Values {
    var array = cairn_arrow_array()
    private var buffers: [UnsafeMutableRawPointer?] = []
    private let list: UnsafeMutablePointer<UnsafeRawPointer?>
    private let children: UnsafeMutablePointer<UnsafeMutablePointer<cairn_arrow_array>?>
    private let kept: [Values]

    init(
      _ length: Int, valid: UInt8? = nil, offset: Int = 0, _ contents: [[UInt8]],
      children members: [Values] = []
    ) {
      for content in [valid.map { [$0] }] + contents.map(Optional.some) {
        guard let content else {
          buffers.append(nil)
          continue
        }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: content.count + 8, alignment: 16)
        memory.copyMemory(from: content, byteCount: content.count)
        buffers.append(memory)
      }
      list = .allocate(capacity: buffers.count)
      for (index, buffer) in buffers.enumerated() {
        list[index] = buffer.map { UnsafeRawPointer($0) }
      }
      children = .allocate(capacity: members.count)
      for (index, member) in members.enumerated() {
        let copy = UnsafeMutablePointer<cairn_arrow_array>.allocate(capacity: 1)
        copy.initialize(to: member.array)
        children[index] = copy
      }
      kept = members
      array.length = Int64(length)
      array.null_count = valid == nil ? 0 : -1
      array.offset = Int64(offset)
      array.n_buffers = Int64(buffers.count)
      array.buffers = list
      array.n_children = Int64(members.count)
      array.children = children
    }

    deinit {
      for buffer in buffers { buffer?.deallocate() }
      for index in kept.indices { children[index]?.deallocate() }
      children.deallocate()
      list.deallocate()
    }
  }

  private static func bytes<T>(_ values: [T]) -> [UInt8] { values.withUnsafeBytes(Array.init) }

  private func text(_ column: ArrowColumn, _ row: Int) throws -> String? {
    try column.position(row).map { try column.text(at: $0) }
  }

  @Test(
    arguments: [
      ("c", Self.bytes([Int8(-3)]), -3), ("s", Self.bytes([Int16(-300)]), -300),
      ("i", Self.bytes([Int32.min]), Int64(Int32.min)), ("l", Self.bytes([Int64.min]), Int64.min),
      ("C", [200], 200), ("S", Self.bytes([UInt16.max]), 65535),
      ("I", Self.bytes([UInt32.max]), Int64(UInt32.max)), ("L", Self.bytes([UInt64(5)]), 5),
    ] as [(String, [UInt8], Int64)])
  func integersOfAllSizes(format: String, bytes: [UInt8], expected: Int64) throws {
    let (described, values) = (Described(format), Values(1, [bytes]))
    let column = try ArrowColumn(described.field(), values.array)
    let position = try #require(column.position(0))
    #expect(try column.int(at: position) == expected)
  }

  @Test func anIntegerThatDoesNotFitIsAnError() throws {
    let (described, values) = (Described("L"), Values(1, [Self.bytes([UInt64.max])]))
    let column = try ArrowColumn(described.field(), values.array)
    let error = #expect(throws: ArrowError.self) { try column.int(at: 0) }
    #expect(error?.message.contains("18446744073709551615") == true)
  }

  @Test func nullsAndOffsetsAreRespected() throws {
    // Rows 1 to 3 of four, of which the third is null.
    let described = Described("l")
    let values = Values(3, valid: 0b1011, offset: 1, [Self.bytes([Int64(1), 2, 3, 4])])
    let column = try ArrowColumn(described.field(), values.array)
    #expect(column.position(0) == 1 && column.position(1) == nil && column.position(2) == 3)
    #expect(try column.int(at: 3) == 4)
  }

  @Test func datesCountFrom2001() throws {
    for (format, bytes) in [
      ("tdD", Self.bytes([Int32(11323)])), ("tdm", Self.bytes([Int64(11323) * 86_400_000])),
      ("tss:UTC", Self.bytes([Int64(978_307_200)])),
      ("tsn:UTC", Self.bytes([Int64(978_307_200_000_000_000)])),
    ] {
      let (described, values) = (Described(format), Values(1, [bytes]))
      let column = try ArrowColumn(described.field(), values.array)
      #expect(column.date(at: 0) == 0, "\(format)")
      #expect(column.field.type.columnType == .date)
    }
    let (described, values) = (Described("tsm:"), Values(1, [Self.bytes([Int64(-1)])]))
    let column = try ArrowColumn(described.field(), values.array)
    #expect(column.date(at: 0) == -978_307_200.001)
    #expect(column.field.isDated)
  }

  @Test func timesOfDayBecomeText() throws {
    for (format, bytes, expected) in [
      ("tts", Self.bytes([Int32(3661)]), "01:01:01"),
      ("ttm", Self.bytes([Int32(86_399_500)]), "23:59:59.5"),
      ("ttu", Self.bytes([Int64(1)]), "00:00:00.000001"),
    ] {
      let (described, values) = (Described(format), Values(1, [bytes]))
      #expect(try text(ArrowColumn(described.field(), values.array), 0) == expected)
    }
  }

  @Test func decimalsKeepAllDigits() throws {
    for (number, scale, expected) in [
      ([UInt64(12345), 0], 2, "123.45"), ([5, 0], 3, "0.005"), ([UInt64.max, UInt64.max], 0, "-1"),
      ([0, 1], 0, "18446744073709551616"), ([0, 0], 1, "0.0"),
    ] {
      let (described, values) = (Described("d:38,\(scale)"), Values(1, [Self.bytes(number)]))
      #expect(try text(ArrowColumn(described.field(), values.array), 0) == expected)
    }
    #expect(try Described("d:10,2").field().type.columnType == .double)
    #expect(try Described("d:38,2").field().type.columnType == .text)
  }

  @Test func listsAndStructuresBecomeJSON() throws {
    let strings = Values(
      3, valid: 0b101, [Self.bytes([Int32(0), 2, 2, 4]), Array("a\"b\n".utf8)])
    let lists = Values(2, [Self.bytes([Int32(0), 2, 3])], children: [strings])
    let described = Described("+l", children: [Described("u", name: "item")])
    let column = try ArrowColumn(described.field(), lists.array)
    #expect(try text(column, 0) == #"["a\"",null]"#)
    #expect(try text(column, 1) == #"["b\u000a"]"#)

    let numbers = Values(2, [Self.bytes([1.5, Double.nan])])
    let flags = Values(2, [[0b10]])
    let both = Values(2, [], children: [numbers, flags])
    let structure = Described(
      "+s", children: [Described("g", name: "n"), Described("b", name: "ok")])
    let pairs = try ArrowColumn(structure.field(), both.array)
    #expect(try text(pairs, 0) == #"{"n":1.5,"ok":false}"#)
    #expect(try text(pairs, 1) == #"{"n":null,"ok":true}"#)
  }

  /// An offset before the bytes would lead out of the buffer.
  @Test(arguments: [[-1, 2], [-9, -1], [2, 1]] as [[Int32]])
  func aTextWithFalseOffsetsIsEmpty(offsets: [Int32]) throws {
    let (described, values) = (Described("u"), Values(1, [Self.bytes(offsets), Array("ab".utf8)]))
    let column = try ArrowColumn(described.field(), values.array)
    #expect(column.bytes(at: 0).isEmpty)
  }

  @Test(arguments: [[0, 3], [-1, 3], [.max - 1, .max]] as [[Int32]])
  func aListBeyondItsValuesIsAnError(offsets: [Int32]) throws {
    let numbers = Values(2, [Self.bytes([Int64(1), 2])])
    let lists = Values(1, [Self.bytes(offsets)], children: [numbers])
    let described = Described("+l", name: "col", children: [Described("l", name: "item")])
    let column = try ArrowColumn(described.field(), lists.array)
    let error = #expect(throws: ArrowError.self) { try text(column, 0) }
    #expect(error?.message == "the column `item` lacks some of its rows")
  }

  @Test func aListBeforeItsValuesBeginsWithThem() throws {
    let numbers = Values(2, [Self.bytes([Int64(1), 2])])
    let lists = Values(1, [Self.bytes([Int32(-7), 2])], children: [numbers])
    let described = Described("+l", children: [Described("l", name: "item")])
    let column = try ArrowColumn(described.field(), lists.array)
    #expect(try text(column, 0) == "[1,2]")
  }

  @Test func aStructureWithTooFewValuesIsAnError() throws {
    let pairs = Values(2, [], children: [Values(1, [Self.bytes([1.5])])])
    let described = Described("+s", children: [Described("g", name: "n")])
    let column = try ArrowColumn(described.field(), pairs.array)
    #expect(try text(column, 0) == #"{"n":1.5}"#)
    #expect(throws: ArrowError.self) { try text(column, 1) }
  }

  @Test func aColumnNeedsAllRowsOfItsBatch() throws {
    let (described, values) = (Described("l"), Values(2, [Self.bytes([Int64(1), 2])]))
    let column = try ArrowColumn(described.field(), values.array)
    #expect(throws: Never.self) { try column.requireRows(upTo: 2) }
    #expect(throws: ArrowError.self) { try column.requireRows(upTo: 3) }
  }

  @Test func dictionariesAreLookedUp() throws {
    let words = Values(2, [Self.bytes([Int32(0), 3, 5]), Array("redno".utf8)])
    let rows = Values(4, valid: 0b0111, [[1, 0, 9, 0]])
    let (own, value) = (Described("c"), Described("u"))
    try withUnsafeMutablePointer(to: &words.array) { words in
      try withUnsafeMutablePointer(to: &value.schema) { value in
        rows.array.dictionary = words
        own.schema.dictionary = value
        let column = try ArrowColumn(own.field(), rows.array)
        #expect(column.field.type.columnType == .text)
        let texts = (0..<4).map { row in
          column.position(row).map { String(decoding: column.bytes(at: $0), as: UTF8.self) }
        }
        #expect(texts == ["no", "red", nil, nil])
      }
    }
    withExtendedLifetime((words, rows, own, value)) {}
  }

  @Test(arguments: ["+us:1,2", "+r", "w:0", "d:76,2,256", "", "+w:-1", "?"])
  func otherTypesAreAnError(format: String) {
    let error = #expect(throws: ArrowError.self) { try Described(format, name: "col").field() }
    #expect(error?.message.contains("`col`") == true)
  }
}
