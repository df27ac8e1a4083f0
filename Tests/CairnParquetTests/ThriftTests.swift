import CairnSystem
import Testing

@testable import CairnParquet

@Suite struct ThriftTests {
  @Test func valuesAreReadAsTheyWereWritten() throws {
    var random = SeededGenerator(seed: 7)
    let numbers = (0..<40).map { _ in Int64.random(in: .min ... .max, using: &random) }
    var writer = ThriftWriter()
    writer.structure { writer in
      writer.int32(1, -5)
      writer.text(3, "Zürich")
      writer.bool(40, true)
      writer.list(41, of: .int64, count: numbers.count) { writer in
        for number in numbers { writer.element(number) }
      }
      writer.structure(42) { $0.int64(1, .min) }
      writer.byte(43, -1)
    }
    var found: [String] = []
    var list: [Int64] = []
    try writer.bytes.parsed { (bytes) throws(ParquetError) in
      var reader = ThriftReader(bytes)
      try reader.structure { (reader, field) throws(ParquetError) in
        switch field.id {
        case 1: found.append("\(try reader.int32())")
        case 3: found.append(try reader.text())
        case 40: found.append("\(field.type)")
        case 41:
          try reader.list(of: .int64) { (reader) throws(ParquetError) in
            list.append(try reader.int())
          }
        default: return false
        }
        return true
      }
      #expect(reader.cursor.remaining == 0)
    }
    #expect(found == ["-5", "Zürich", "yes"])
    #expect(list == numbers)
  }

  @Test func deepNestingIsAnError() {
    // A structure whose first field is a structure, and so on.
    let bytes = [UInt8](repeating: 0x1C, count: 1000)
    #expect(throws: ParquetError.self) {
      try bytes.parsed { (bytes) throws(ParquetError) in
        var reader = ThriftReader(bytes)
        try reader.structure { (_, _) in false }
      }
    }
  }

  @Test func aListLongerThanTheBytesIsAnError() {
    // A list of 2 000 000 integers in 4 bytes.
    let bytes: [UInt8] = [0x19, 0xF5, 0x80, 0x89, 0x7A]
    #expect(throws: ParquetError.self) {
      try bytes.parsed { (bytes) throws(ParquetError) in
        var reader = ThriftReader(bytes)
        try reader.structure { (_, _) in false }
      }
    }
  }
}
