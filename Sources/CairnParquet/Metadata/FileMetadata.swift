/// The types in which values are stored, with Parquet's numbers.
enum PhysicalType: Int32, Sendable {
  case boolean = 0
  case int32
  case int64
  case int96
  case float
  case double
  case byteArray
  case fixedByteArray

  /// The size of a value in bytes; nil for bools, for byte arrays, and for arrays whose size the column
  /// states.
  var size: Int? {
    switch self {
    case .boolean, .byteArray, .fixedByteArray: nil
    case .int32, .float: 4
    case .int64, .double: 8
    case .int96: 12
    }
  }
}

/// Parts of a second.
enum TimeUnit: Sendable, Equatable {
  case milliseconds, microseconds, nanoseconds

  /// The number of them in a second.
  var perSecond: Int64 {
    switch self {
    case .milliseconds: 1000
    case .microseconds: 1_000_000
    case .nanoseconds: 1_000_000_000
    }
  }
}

/// The meaning of stored values.
enum LogicalType: Sendable, Equatable {
  case string
  case map
  case list
  case decimal(precision: Int, scale: Int)
  case date
  case time(TimeUnit)
  case timestamp(TimeUnit, isLocal: Bool)
  case integer(bits: Int, isSigned: Bool)
  /// A column of only nulls.
  case unknown
  case json
  case bson
  case uuid
  case float16
  case variant
  /// Geometries in WKB, with straight edges.
  case geometry(crs: String?)
  /// Geometries in WKB, with edges on the earth.
  case geography(crs: String?)
  case interval
  /// A type that the format has got later.
  case other
}

/// A node of the schema, in the order of the file: each node, then its children.
struct SchemaElement: Sendable {
  /// The number of values that a node has in its parent.
  enum Repetition: Int32, Sendable {
    case required = 0, optional, repeated
  }

  var name = ""
  /// The type of the values; nil for a group.
  var type: PhysicalType?
  /// The size of a fixed byte array.
  var length = 0
  var repetition = Repetition.required
  var childCount = 0
  var logical: LogicalType?
}

/// The least and the greatest value of a column chunk, in the form of PLAIN without lengths, as far as
/// they are known.
struct ColumnStatistics: Sendable {
  var least: [UInt8]?
  var greatest: [UInt8]?
  var nullCount: Int64?
}

/// The box of the geometries of a column chunk.
struct BoxStatistics: Sendable {
  var xmin = Double.nan
  var xmax = Double.nan
  var ymin = Double.nan
  var ymax = Double.nan
}

/// A column of a row group.
struct ColumnChunk: Sendable {
  var type = PhysicalType.boolean
  var path: [String] = []
  var codec = Codec.uncompressed
  var valueCount: Int64 = 0
  var packedSize: Int64 = 0
  var unpackedSize: Int64 = 0
  var dataOffset: Int64 = 0
  var dictionaryOffset: Int64?
  var statistics: ColumnStatistics?
  var box: BoxStatistics?
  /// Whether the values lie in another file.
  var isElsewhere = false
  /// Whether the values are encrypted.
  var isEncrypted = false
  /// The number of a codec that this program does not know.
  var unknownCodec: Int32?

  /// The offset of the first page. Some writers give 0 for a dictionary that they did not write.
  var start: Int64 {
    guard let dictionaryOffset, dictionaryOffset > 0, dictionaryOffset < dataOffset else {
      return dataOffset
    }
    return dictionaryOffset
  }
}

/// Rows that are stored together.
struct RowGroup: Sendable {
  var columns: [ColumnChunk] = []
  var rowCount: Int64 = 0
  /// The index of the first row in the file.
  var firstRow: Int64 = 0

  /// The index of the row behind the last one.
  var endRow: Int64 { firstRow + rowCount }
}

/// The description of a file at its end.
///
/// Source: parquet.thrift of apache/parquet-format.
struct FileMetadata: Sendable {
  var elements: [SchemaElement] = []
  var rowCount: Int64 = 0
  var groups: [RowGroup] = []
  /// The notes of programs, by their names.
  var notes: [String: String] = [:]
  /// Whether the bounds of each column are in the order of its type. Without an order they mean nothing.
  var areOrdered: [Bool] = []

  init(_ bytes: UnsafeRawBufferPointer) throws(ParquetError) {
    var reader = ThriftReader(bytes)
    var (elements, groups, notes) = ([SchemaElement](), [RowGroup](), [String: String]())
    var areOrdered: [Bool] = []
    try reader.structure { (reader, field) throws(ParquetError) in
      switch (field.id, field.type) {
      case (2, .list):
        try reader.list(of: .structure) { (reader) throws(ParquetError) in
          elements.append(try SchemaElement(&reader))
        }
      case (4, .list):
        try reader.list(of: .structure) { (reader) throws(ParquetError) in
          groups.append(try RowGroup(&reader))
        }
      case (5, .list):
        try reader.list(of: .structure) { (reader) throws(ParquetError) in
          try Self.readNote(&reader, into: &notes)
        }
      case (7, .list):
        try reader.list(of: .structure) { (reader) throws(ParquetError) in
          areOrdered.append(try Self.isTypeOrder(&reader))
        }
      default: return false
      }
      return true
    }
    (self.elements, self.notes, self.groups) = (elements, notes, groups)
    self.areOrdered = areOrdered
    try countRows()
  }

  /// Adds up the rows of the groups. Some writers state another number for the file.
  private mutating func countRows() throws(ParquetError) {
    var total: Int64 = 0
    for index in groups.indices {
      groups[index].firstRow = total
      let (sum, overflows) = total.addingReportingOverflow(groups[index].rowCount)
      guard groups[index].rowCount >= 0, !overflows, sum <= Int64(1) << 48 else {
        throw ParquetError("row group \(index + 1) has \(groups[index].rowCount) rows")
      }
      total = sum
    }
    rowCount = total
  }

  /// Reads the order of a column: a union whose first member is the order of the type.
  private static func isTypeOrder(_ reader: inout ThriftReader) throws(ParquetError) -> Bool {
    var isOrder = false
    try reader.structure { (_, field) throws(ParquetError) in
      isOrder = field.id == 1
      return false
    }
    return isOrder
  }

  private static func readNote(
    _ reader: inout ThriftReader, into notes: inout [String: String]
  ) throws(ParquetError) {
    var (key, value) = ("", "")
    try reader.structure { (reader, field) throws(ParquetError) in
      switch (field.id, field.type) {
      case (1, .binary): key = try reader.text()
      case (2, .binary): value = try reader.text()
      default: return false
      }
      return true
    }
    notes[key] = value
  }
}

extension RowGroup {
  fileprivate init(_ reader: inout ThriftReader) throws(ParquetError) {
    var group = RowGroup()
    try reader.structure { (reader, field) throws(ParquetError) in
      switch (field.id, field.type) {
      case (1, .list):
        try reader.list(of: .structure) { (reader) throws(ParquetError) in
          group.columns.append(try ColumnChunk(&reader))
        }
      case (3, .int64): group.rowCount = try reader.int()
      default: return false
      }
      return true
    }
    self = group
  }
}

extension ColumnChunk {
  fileprivate init(_ reader: inout ThriftReader) throws(ParquetError) {
    var chunk = ColumnChunk()
    var isDescribed = false
    try reader.structure { (reader, field) throws(ParquetError) in
      switch (field.id, field.type) {
      case (1, .binary): chunk.isElsewhere = try !reader.bytes().isEmpty
      case (3, .structure):
        isDescribed = true
        try reader.structure { (reader, field) throws(ParquetError) in
          try chunk.read(field, &reader)
        }
      case (8, .structure):
        chunk.isEncrypted = true
        return false
      default: return false
      }
      return true
    }
    chunk.isEncrypted = chunk.isEncrypted || !isDescribed
    self = chunk
  }

  /// Reads a field of the description of a column chunk.
  private mutating func read(
    _ field: ThriftField, _ reader: inout ThriftReader
  ) throws(ParquetError) -> Bool {
    switch (field.id, field.type) {
    case (1, .int32):
      guard let type = PhysicalType(rawValue: try reader.int32()) else { throw ThriftReader.damage }
      self.type = type
    case (3, .list):
      var path: [String] = []
      try reader.list(of: .binary) { (reader) throws(ParquetError) in
        path.append(try reader.text())
      }
      self.path = path
    case (4, .int32):
      let number = try reader.int32()
      if let known = Codec(rawValue: number) { codec = known } else { unknownCodec = number }
    case (5, .int64): valueCount = try reader.int()
    case (6, .int64): unpackedSize = try reader.int()
    case (7, .int64): packedSize = try reader.int()
    case (9, .int64): dataOffset = try reader.int()
    case (11, .int64): dictionaryOffset = try reader.int()
    case (12, .structure): statistics = try ColumnStatistics(&reader)
    case (17, .structure): box = try BoxStatistics(inStatistics: &reader)
    default: return false
    }
    return true
  }
}

extension ColumnStatistics {
  /// Reads statistics. The older fields of the bounds compare bytes as signed, so they are not read.
  fileprivate init(_ reader: inout ThriftReader) throws(ParquetError) {
    var statistics = ColumnStatistics()
    try reader.structure { (reader, field) throws(ParquetError) in
      switch (field.id, field.type) {
      case (3, .int64): statistics.nullCount = try reader.int()
      case (5, .binary): statistics.greatest = Array(try reader.bytes())
      case (6, .binary): statistics.least = Array(try reader.bytes())
      default: return false
      }
      return true
    }
    self = statistics
  }
}

extension BoxStatistics {
  fileprivate init?(inStatistics reader: inout ThriftReader) throws(ParquetError) {
    var found: BoxStatistics?
    try reader.structure { (reader, field) throws(ParquetError) in
      guard field.id == 1, field.type == .structure else { return false }
      var box = BoxStatistics()
      try reader.structure { (reader, field) throws(ParquetError) in
        guard field.type == .double, 1...4 ~= field.id else { return false }
        let value = try reader.double()
        switch field.id {
        case 1: box.xmin = value
        case 2: box.xmax = value
        case 3: box.ymin = value
        default: box.ymax = value
        }
        return true
      }
      found = box
      return true
    }
    guard let found else { return nil }
    self = found
  }
}
