/// A table of a flatbuffer. Every access is checked against the bytes.
///
/// Source: https://flatbuffers.dev/internals/
struct FlatTableReader {
  private let bytes: [UInt8]
  private let start: Int
  /// The offsets of the fields within the table.
  private let fields: Range<Int>

  /// Reads the position of the root table.
  init(_ bytes: [UInt8]) throws(ArrowError) {
    try self.init(bytes, at: Self.target(bytes, 0))
  }

  private init(_ bytes: [UInt8], at start: Int) throws(ArrowError) {
    self.bytes = bytes
    self.start = start
    let back = Int(try Self.load(bytes, start, as: Int32.self))
    let table = start - back
    let size = Int(try Self.load(bytes, table, as: UInt16.self))
    guard size >= 4, table + size <= bytes.count else { throw .damaged }
    fields = table + 4..<table + size
  }

  private static func load<Number: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: [UInt8], _ offset: Int, as type: Number.Type
  ) throws(ArrowError) -> Number {
    guard offset >= 0, offset <= bytes.count - MemoryLayout<Number>.size else { throw .damaged }
    return bytes.withUnsafeBytes {
      Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
  }

  /// Returns the offset that a reference leads to.
  private static func target(_ bytes: [UInt8], _ offset: Int) throws(ArrowError) -> Int {
    offset + Int(try load(bytes, offset, as: UInt32.self))
  }

  /// Returns the offset of a field; nil if the table does not have it.
  private func offset(_ id: Int) throws(ArrowError) -> Int? {
    let place = fields.lowerBound + 2 * id
    guard place + 2 <= fields.upperBound else { return nil }
    let offset = Int(try Self.load(bytes, place, as: UInt16.self))
    return offset == 0 ? nil : start + offset
  }

  /// Returns a number, or the standard value if the table does not have the field.
  func number<Number: FixedWidthInteger & BitwiseCopyable>(
    _ id: Int, _ standard: Number = 0
  ) throws(ArrowError) -> Number {
    guard let offset = try offset(id) else { return standard }
    return try Self.load(bytes, offset, as: Number.self)
  }

  /// Returns the table that a field leads to.
  func table(_ id: Int) throws(ArrowError) -> FlatTableReader? {
    guard let offset = try offset(id) else { return nil }
    return try FlatTableReader(bytes, at: Self.target(bytes, offset))
  }

  func text(_ id: Int) throws(ArrowError) -> String? {
    guard let (start, count) = try vector(id, size: 1) else { return nil }
    return String(decoding: bytes[start..<start + count], as: UTF8.self)
  }

  /// Returns the tables that a vector leads to.
  func tables(_ id: Int) throws(ArrowError) -> [FlatTableReader] {
    guard let (start, count) = try vector(id, size: 4) else { return [] }
    var tables: [FlatTableReader] = []
    for index in 0..<count {
      tables.append(try FlatTableReader(bytes, at: Self.target(bytes, start + 4 * index)))
    }
    return tables
  }

  /// Returns the structures of a vector as their numbers of 64 bits.
  ///
  /// - Parameter words: The number of them in a structure.
  func words(_ id: Int, of words: Int) throws(ArrowError) -> [Int64] {
    guard let (start, count) = try vector(id, size: 8 * words) else { return [] }
    var numbers: [Int64] = []
    numbers.reserveCapacity(count * words)
    for index in 0..<count * words {
      numbers.append(try Self.load(bytes, start + 8 * index, as: Int64.self))
    }
    return numbers
  }

  private func vector(_ id: Int, size: Int) throws(ArrowError) -> (start: Int, count: Int)? {
    guard let offset = try offset(id) else { return nil }
    let place = try Self.target(bytes, offset)
    let count = Int(try Self.load(bytes, place, as: UInt32.self))
    guard count * size <= bytes.count - place - 4 else { throw .damaged }
    return (place + 4, count)
  }
}

extension ArrowError {
  /// The fault of a description that leads out of its bytes.
  static var damaged: ArrowError { ArrowError("a description is damaged") }
}
