extension SchemaElement {
  init(_ reader: inout ThriftReader) throws(ParquetError) {
    var element = SchemaElement()
    var (converted, scale, precision): (Int32?, Int32, Int32) = (nil, 0, 0)
    try reader.structure { (reader, field) throws(ParquetError) in
      switch (field.id, field.type) {
      case (1, .int32):
        guard let type = PhysicalType(rawValue: try reader.int32()) else {
          throw ThriftReader.damage
        }
        element.type = type
      case (2, .int32): element.length = Int(try reader.int32())
      case (3, .int32):
        guard let repetition = Repetition(rawValue: try reader.int32()) else {
          throw ThriftReader.damage
        }
        element.repetition = repetition
      case (4, .binary): element.name = try reader.text()
      case (5, .int32): element.childCount = Int(try reader.int32())
      case (6, .int32): converted = try reader.int32()
      case (7, .int32): scale = try reader.int32()
      case (8, .int32): precision = try reader.int32()
      case (10, .structure): element.logical = try LogicalType(&reader)
      default: return false
      }
      return true
    }
    if element.logical == nil, let converted {
      element.logical = LogicalType(converted, precision: Int(precision), scale: Int(scale))
    }
    guard element.childCount >= 0, element.length >= 0 else { throw ThriftReader.damage }
    self = element
  }
}

extension LogicalType {
  /// The type that an older writer gives, by its number.
  fileprivate init?(_ converted: Int32, precision: Int, scale: Int) {
    switch converted {
    case 0, 4: self = .string
    case 1, 2: self = .map
    case 3: self = .list
    case 5: self = .decimal(precision: precision, scale: scale)
    case 6: self = .date
    case 7: self = .time(.milliseconds)
    case 8: self = .time(.microseconds)
    case 9: self = .timestamp(.milliseconds, isLocal: false)
    case 10: self = .timestamp(.microseconds, isLocal: false)
    case 11...14: self = .integer(bits: 8 << Int(converted - 11), isSigned: false)
    case 15...18: self = .integer(bits: 8 << Int(converted - 15), isSigned: true)
    case 19: self = .json
    case 20: self = .bson
    case 21: self = .interval
    default: return nil
    }
  }

  /// Reads the union of types: the number of its only field is that of the type.
  fileprivate init(_ reader: inout ThriftReader) throws(ParquetError) {
    var found = LogicalType.other
    try reader.structure { (reader, field) throws(ParquetError) in
      guard field.type == .structure else { return false }
      switch field.id {
      case 1, 4: found = .string
      case 2: found = .map
      case 3: found = .list
      case 5:
        found = try Self.decimal(&reader)
        return true
      case 6: found = .date
      case 7, 8:
        let (unit, isLocal) = try Self.time(&reader)
        found = field.id == 7 ? .time(unit) : .timestamp(unit, isLocal: isLocal)
        return true
      case 10:
        found = try Self.integer(&reader)
        return true
      case 11: found = .unknown
      case 12: found = .json
      case 13: found = .bson
      case 14: found = .uuid
      case 15: found = .float16
      case 16: found = .variant
      case 17, 18:
        let crs = try Self.system(&reader)
        found = field.id == 17 ? .geometry(crs: crs) : .geography(crs: crs)
        return true
      default: break
      }
      return false
    }
    self = found
  }

  private static func decimal(_ reader: inout ThriftReader) throws(ParquetError) -> LogicalType {
    var (scale, precision) = (0, 0)
    try reader.structure { (reader, field) throws(ParquetError) in
      switch (field.id, field.type) {
      case (1, .int32): scale = Int(try reader.int32())
      case (2, .int32): precision = Int(try reader.int32())
      default: return false
      }
      return true
    }
    return .decimal(precision: precision, scale: scale)
  }

  private static func time(
    _ reader: inout ThriftReader
  ) throws(ParquetError) -> (TimeUnit, isLocal: Bool) {
    var (unit, isLocal) = (TimeUnit.milliseconds, true)
    try reader.structure { (reader, field) throws(ParquetError) in
      switch (field.id, field.type) {
      case (1, .yes): isLocal = false
      case (1, .no): isLocal = true
      case (2, .structure):
        try reader.structure { (_, field) throws(ParquetError) in
          switch field.id {
          case 1: unit = .milliseconds
          case 2: unit = .microseconds
          case 3: unit = .nanoseconds
          default: throw ThriftReader.damage
          }
          return false
        }
        return true
      default: return false
      }
      return true
    }
    return (unit, isLocal)
  }

  private static func integer(_ reader: inout ThriftReader) throws(ParquetError) -> LogicalType {
    var (bits, isSigned) = (64, true)
    try reader.structure { (reader, field) throws(ParquetError) in
      switch (field.id, field.type) {
      case (1, .byte): bits = Int(try reader.byte())
      case (2, .yes): isSigned = true
      case (2, .no): isSigned = false
      default: return false
      }
      return true
    }
    return .integer(bits: bits, isSigned: isSigned)
  }

  private static func system(_ reader: inout ThriftReader) throws(ParquetError) -> String? {
    var system: String?
    try reader.structure { (reader, field) throws(ParquetError) in
      guard field.id == 1, field.type == .binary else { return false }
      system = try reader.text()
      return true
    }
    return system
  }
}
