/// The encodings of values, with Parquet's numbers.
enum Encoding: Int32, Sendable {
  case plain = 0
  /// Indexes of a dictionary, in files of older writers.
  case plainDictionary = 2
  case rle = 3
  case bitPacked = 4
  case deltaBinaryPacked = 5
  case deltaLengthByteArray = 6
  case deltaByteArray = 7
  case rleDictionary = 8
  case byteStreamSplit = 9
}

/// The bytes before a page.
struct PageHeader {
  /// The kind of a page.
  enum Kind {
    case data
    case index
    case dictionary
    /// Data whose levels are not packed.
    case dataV2(definitionSize: Int, repetitionSize: Int, isPacked: Bool)
  }

  private(set) var kind = Kind.index
  private(set) var unpackedSize = 0
  private(set) var packedSize = 0
  /// The CRC-32 of the page; nil if the writer has left it out.
  private(set) var checksum: UInt32?
  private(set) var valueCount = 0
  private(set) var encoding = Encoding.plain
  private(set) var definitionEncoding = Encoding.rle
  private(set) var repetitionEncoding = Encoding.rle
  /// The size of the header itself in bytes.
  private(set) var size = 0

  /// Reads a header from the beginning of some bytes.
  ///
  /// - Throws: ``ParquetError/truncated`` also if the bytes end within the header.
  init(_ bytes: UnsafeRawBufferPointer) throws(ParquetError) {
    var reader = ThriftReader(bytes)
    var header = PageHeader()
    var type: Int32?
    try reader.structure { (reader, field) throws(ParquetError) in
      switch (field.id, field.type) {
      case (1, .int32): type = try reader.int32()
      case (2, .int32): header.unpackedSize = Int(try reader.int32())
      case (3, .int32): header.packedSize = Int(try reader.int32())
      case (4, .int32): header.checksum = UInt32(bitPattern: try reader.int32())
      case (5, .structure): try header.readData(&reader)
      case (7, .structure): try header.readDictionary(&reader)
      case (8, .structure): try header.readDataV2(&reader)
      default: return false
      }
      return true
    }
    guard let type, header.unpackedSize >= 0, header.packedSize >= 0, header.valueCount >= 0 else {
      throw ParquetError("the header of the page is damaged")
    }
    switch (type, header.kind) {
    case (0, .data), (2, .dictionary), (3, .dataV2), (1, _): break
    case (0...3, _): throw ParquetError("the header of the page lacks a part")
    // Pages of later versions of the format may be passed over.
    default: header.kind = .index
    }
    header.size = reader.cursor.offset
    self = header
  }

  private init() {}

  private static func encoding(_ number: Int32) throws(ParquetError) -> Encoding {
    guard let encoding = Encoding(rawValue: number) else {
      throw ParquetError("the page has the encoding \(number), which Cairn does not know")
    }
    return encoding
  }

  private mutating func readData(_ reader: inout ThriftReader) throws(ParquetError) {
    var header = self
    header.kind = .data
    try reader.structure { (reader, field) throws(ParquetError) in
      switch (field.id, field.type) {
      case (1, .int32): header.valueCount = Int(try reader.int32())
      case (2, .int32): header.encoding = try Self.encoding(try reader.int32())
      case (3, .int32): header.definitionEncoding = try Self.encoding(try reader.int32())
      case (4, .int32): header.repetitionEncoding = try Self.encoding(try reader.int32())
      default: return false
      }
      return true
    }
    self = header
  }

  private mutating func readDictionary(_ reader: inout ThriftReader) throws(ParquetError) {
    var header = self
    header.kind = .dictionary
    try reader.structure { (reader, field) throws(ParquetError) in
      switch (field.id, field.type) {
      case (1, .int32): header.valueCount = Int(try reader.int32())
      case (2, .int32): header.encoding = try Self.encoding(try reader.int32())
      default: return false
      }
      return true
    }
    self = header
  }

  private mutating func readDataV2(_ reader: inout ThriftReader) throws(ParquetError) {
    var header = self
    var (definitionSize, repetitionSize, isPacked) = (0, 0, true)
    try reader.structure { (reader, field) throws(ParquetError) in
      switch (field.id, field.type) {
      case (1, .int32): header.valueCount = Int(try reader.int32())
      case (4, .int32): header.encoding = try Self.encoding(try reader.int32())
      case (5, .int32): definitionSize = Int(try reader.int32())
      case (6, .int32): repetitionSize = Int(try reader.int32())
      case (7, .no): isPacked = false
      case (7, .yes): isPacked = true
      default: return false
      }
      return true
    }
    header.kind = .dataV2(
      definitionSize: definitionSize, repetitionSize: repetitionSize, isPacked: isPacked)
    self = header
  }
}
