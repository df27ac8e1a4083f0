/// The columns of a file or a stream.
struct ArrowSchema: Sendable {
  private(set) var fields: [ArrowField] = []
  /// The note `geo`, as GeoParquet and GeoPandas write it.
  let geo: String?

  /// The most columns, those in lists and structures among them.
  private static let mostFields = 1 << 17

  /// - Parameter table: A table `Schema`.
  init(_ table: FlatTableReader) throws(ArrowError) {
    let endianness: Int16 = try table.number(0)
    guard endianness == 0 else {
      throw ArrowError(
        "the numbers have the highest byte first (big-endian), which Cairn does not read")
    }
    geo = try Self.notes(table, 2)["geo"]
    var left = Self.mostFields
    for field in try table.tables(1) { fields.append(try Self.field(field, 0, &left)) }
  }

  private static func notes(
    _ table: FlatTableReader, _ id: Int
  ) throws(ArrowError) -> [String: String] {
    var notes: [String: String] = [:]
    for pair in try table.tables(id) {
      if let name = try pair.text(0) { notes[name] = try pair.text(1) }
    }
    return notes
  }

  /// - Parameter left: The number of columns that may follow, because a table may have several parents.
  private static func field(
    _ table: FlatTableReader, _ depth: Int, _ left: inout Int
  ) throws(ArrowError) -> ArrowField {
    guard depth < ArrowField.deepest, left > 0 else {
      throw ArrowError("the columns are nested too deeply")
    }
    left -= 1
    let name = try table.text(0) ?? ""
    var children: [ArrowField] = []
    for child in try table.tables(5) { children.append(try field(child, depth + 1, &left)) }
    let notes = try Self.notes(table, 6)
    guard let type = try type(table) else {
      throw ArrowError("the column `\(name)` has a type that Cairn does not know")
    }
    var (index, number): (ArrowType?, Int64) = (nil, 0)
    if let dictionary = try table.table(4) {
      number = try dictionary.number(0)
      index =
        try dictionary.table(1).map { (table) throws(ArrowError) in try integer(table) }
        ?? .int(size: 4, isSigned: true)
    }
    return ArrowField(
      name: name, type: type, dictionaryIndex: index, dictionary: number, children: children,
      extensionName: notes["ARROW:extension:name"],
      geoMetadata: notes["ARROW:extension:metadata"])
  }

  private static func integer(_ table: FlatTableReader) throws(ArrowError) -> ArrowType {
    let (bits, isSigned): (Int32, UInt8) = (try table.number(0), try table.number(1))
    guard [8, 16, 32, 64].contains(bits) else { throw .damaged }
    return .int(size: Int(bits) / 8, isSigned: isSigned != 0)
  }

  /// The parts of a second by their numbers.
  private static func perSecond(_ unit: Int16) throws(ArrowError) -> Int64 {
    switch unit {
    case 0: return 1
    case 1: return 1000
    case 2: return 1_000_000
    case 3: return 1_000_000_000
    default: throw .damaged
    }
  }

  /// The types without parameters by their numbers.
  private static let plain: [UInt8: ArrowType] = [
    1: .null, 4: .binary(isLarge: false), 5: .text(isLarge: false), 6: .bool,
    12: .list(isLarge: false), 13: .structure, 17: .map, 19: .binary(isLarge: true),
    20: .text(isLarge: true), 21: .list(isLarge: true), 22: .runs, 23: .binaryView, 24: .textView,
    25: .listView(isLarge: false), 26: .listView(isLarge: true),
  ]

  private static func type(_ field: FlatTableReader) throws(ArrowError) -> ArrowType? {
    let number: UInt8 = try field.number(2)
    if let plain = plain[number] { return plain }
    guard let table = try field.table(3) else { throw .damaged }
    switch number {
    case 2: return try integer(table)
    case 3:
      let precision: Int16 = try table.number(0)
      guard 0...2 ~= precision else { throw .damaged }
      return .float(size: 2 << Int(precision))
    case 7: return try decimal(table)
    case 8: return try table.number(0, Int16(1)) == 0 ? .days : .dayMilliseconds
    case 9:
      let bits: Int32 = try table.number(1, 32)
      guard bits == 32 || bits == 64 else { throw .damaged }
      return .time(perSecond: try perSecond(try table.number(0, 1)), size: Int(bits) / 8)
    case 10:
      let zone = try table.text(1) ?? ""
      return .timestamp(perSecond: try perSecond(try table.number(0)), isLocal: zone.isEmpty)
    case 11: return .interval(try interval(try table.number(0)))
    case 14: return .union(isDense: try table.number(0, Int16(0)) == 1)
    case 15:
      let size: Int32 = try table.number(0)
      guard size >= 0 else { throw .damaged }
      return size == 0 ? nil : .fixedBinary(size: Int(size))
    case 16:
      let count: Int32 = try table.number(0)
      guard count >= 0 else { throw .damaged }
      return .fixedList(count: Int(count))
    case 18: return .duration(perSecond: try perSecond(try table.number(0, 1)))
    default: return nil
    }
  }

  private static func decimal(_ table: FlatTableReader) throws(ArrowError) -> ArrowType {
    let (precision, scale): (Int32, Int32) = (try table.number(0), try table.number(1))
    let bits: Int32 = try table.number(2, 128)
    guard [32, 64, 128, 256].contains(bits), precision > 0, precision <= 76, abs(Int(scale)) <= 76
    else { throw .damaged }
    return .decimal(precision: Int(precision), scale: Int(scale), size: Int(bits) / 8)
  }

  private static func interval(_ unit: Int16) throws(ArrowError) -> ArrowInterval {
    switch unit {
    case 0: return .months
    case 1: return .daysAndMilliseconds
    case 2: return .monthsDaysAndNanoseconds
    default: throw .damaged
    }
  }
}
