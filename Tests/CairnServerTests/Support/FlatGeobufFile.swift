import Foundation

/// Reads FlatGeobuf as its specification says, with every bound and alignment checked.
struct FlatGeobufFile {
  struct Damage: Error {
    let text: String
  }

  /// A flatbuffer with its size before it.
  struct Buffer {
    let bytes: [UInt8]

    func number<T: FixedWidthInteger>(_ position: Int, _ type: T.Type = T.self) throws -> Int {
      let size = MemoryLayout<T>.size
      guard position >= 0, position + size <= bytes.count, position % size == 0 else {
        throw Damage(text: "\(T.self) at \(position) of \(bytes.count)")
      }
      let value = (0..<size).reduce(T.zero) {
        $0 | T(truncatingIfNeeded: bytes[position + $1]) << T($1 * 8)
      }
      return Int(truncatingIfNeeded: value)
    }

    /// The position that a reference leads to.
    func follow(_ position: Int) throws -> Int {
      let offset = try number(position, UInt32.self)
      guard offset > 0 else { throw Damage(text: "reference to itself at \(position)") }
      return position + offset
    }

    func root() throws -> Int { try follow(4) }

    /// The position of a field of a table; nil if the table does not have it.
    func field(_ id: Int, of table: Int) throws -> Int? {
      let fields = table - (try number(table, Int32.self))
      let (size, tableSize) = (
        try number(fields, UInt16.self), try number(fields + 2, UInt16.self)
      )
      guard 4 + 2 * id + 2 <= size else { return nil }
      let offset = try number(fields + 4 + 2 * id, UInt16.self)
      guard offset < tableSize, table + tableSize <= bytes.count else {
        throw Damage(text: "field \(id) outside of its table")
      }
      return offset == 0 ? nil : table + offset
    }

    /// The number of elements of a vector, and the position of the first one.
    func vector(_ id: Int, of table: Int, size: Int) throws -> (count: Int, first: Int)? {
      guard let field = try field(id, of: table) else { return nil }
      let position = try follow(field)
      let count = try number(position, UInt32.self)
      guard (position + 4) % size == 0, position + 4 + count * size <= bytes.count else {
        throw Damage(text: "vector of field \(id)")
      }
      return (count, position + 4)
    }

    func text(_ id: Int, of table: Int) throws -> String? {
      guard let (count, first) = try vector(id, of: table, size: 1) else { return nil }
      guard bytes[first + count] == 0 else { throw Damage(text: "text without a zero") }
      return String(decoding: bytes[first..<first + count], as: UTF8.self)
    }

    func doubles(_ id: Int, of table: Int) throws -> [Double]? {
      guard let (count, first) = try vector(id, of: table, size: 8) else { return nil }
      return try (0..<count).map {
        Double(bitPattern: UInt64(bitPattern: Int64(try number(first + 8 * $0, UInt64.self))))
      }
    }

    /// The tables that a vector of a table refers to.
    func tables(_ id: Int, of table: Int) throws -> [Int] {
      guard let (count, first) = try vector(id, of: table, size: 4) else { return [] }
      return try (0..<count).map { try follow(first + 4 * $0) }
    }
  }

  let header: Buffer
  let features: [Buffer]

  init(_ bytes: [UInt8]) throws {
    guard bytes.starts(with: [0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62]) else {
      throw Damage(text: "magic bytes")
    }
    var buffers: [Buffer] = []
    var position = 8
    while position < bytes.count {
      let size = try Buffer(bytes: Array(bytes[position..<min(position + 4, bytes.count)]))
        .number(0, UInt32.self)
      guard position + 4 + size <= bytes.count else { throw Damage(text: "a cut feature") }
      buffers.append(Buffer(bytes: Array(bytes[position..<position + 4 + size])))
      position += 4 + size
    }
    guard let first = buffers.first else { throw Damage(text: "no header") }
    (header, features) = (first, Array(buffers.dropFirst()))
  }

  /// The geometry as WKT without spaces after commas; nil for a feature without.
  func wkt(_ feature: Buffer) throws -> String? {
    guard let field = try feature.field(0, of: feature.root()) else { return nil }
    return try wkt(feature.follow(field), of: feature)
  }

  private static let names = [
    "", "POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON",
    "GEOMETRYCOLLECTION",
  ]

  private func wkt(_ table: Int, of feature: Buffer) throws -> String {
    let kind = try feature.field(6, of: table).map { try feature.number($0, UInt8.self) } ?? 0
    let parts = try feature.tables(7, of: table).map { try wkt($0, of: feature) }
    if kind == 6 {
      return Self.names[6] + "(" + parts.map { $0.dropFirst(7) }.joined(separator: ",") + ")"
    }
    if kind == 7 { return Self.names[7] + "(" + parts.joined(separator: ",") + ")" }
    let xy = try feature.doubles(1, of: table) ?? []
    let z = try feature.doubles(2, of: table)
    if let z, z.count * 2 != xy.count { throw Damage(text: "altitudes") }
    let vertices = (0..<xy.count / 2).map { index in
      "\(xy[2 * index]) \(xy[2 * index + 1])" + (z.map { " \($0[index])" } ?? "")
    }
    var ends = [vertices.count]
    if let (count, first) = try feature.vector(0, of: table, size: 4) {
      ends = try (0..<count).map { try feature.number(first + 4 * $0, UInt32.self) }
    }
    guard ends.last == vertices.count else { throw Damage(text: "ends") }
    let rings = zip([0] + ends, ends).map { "(" + vertices[$0..<$1].joined(separator: ",") + ")" }
    return Self.names[kind]
      + (kind == 3 || kind == 5 ? "(" + rings.joined(separator: ",") + ")" : rings[0])
  }
}
