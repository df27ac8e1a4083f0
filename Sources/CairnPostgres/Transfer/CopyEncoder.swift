internal import CairnGeometry
import CairnStorage
import CairnValues

/// Encodes rows of a class for `COPY … FROM STDIN (FORMAT binary)`. For use by one thread.
///
/// The format is that of the chapter "COPY" of PostgreSQL's documentation: a header, then for each row
/// the number of fields and each field with its size, all big-endian, then -1.
final class CopyEncoder {
  /// The bytes that were not sent yet.
  private(set) var bytes: [UInt8] = []
  private let table: Table
  private let columns: [PushColumn]
  private var scratch: [UInt8] = []
  private var chunkIndex = -1
  private var chunks: [Chunk] = []
  /// The number of dates that were rounded to microseconds.
  private(set) var roundedDates = 0

  init(_ table: Table, columns: [PushColumn]) {
    self.table = table
    self.columns = columns
    bytes += Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]
    bytes += Array(repeating: 0, count: 8)
  }

  /// Forgets the bytes that were sent.
  func removeSent() { bytes.removeAll(keepingCapacity: true) }

  /// Appends the mark of the end.
  func finish() { append(Int16(-1)) }

  /// Appends the row with a key.
  ///
  /// - Parameter curve: The row's position on the Hilbert curve, if the table has a column for it.
  func append(key: Int, curve: Int64? = nil) throws(PostgresError) {
    let address = RowAddress(key)
    if address.chunk != chunkIndex {
      chunks = columns.map { table.column($0.schema.position).chunk(address.chunk) }
      chunkIndex = address.chunk
    }
    append(Int16(columns.count + (curve == nil ? 0 : 1)))
    for index in columns.indices {
      let chunk = chunks[index]
      if chunk.isNull(address.row), columns[index].schema.collection == .none {
        append(Int32(-1))
        continue
      }
      do throws(ValueProblem) {
        try append(chunk, row: address.row, of: columns[index])
      } catch {
        throw PostgresError(
          .data, message: "column '\(columns[index].schema.name)', row \(key): \(error.text)")
      }
    }
    if let curve { appendField(curve) }
  }

  @inline(__always)
  private func append(
    _ chunk: Chunk, row: Int, of column: PushColumn
  ) throws(ValueProblem) {
    guard column.schema.collection == .none else {
      return try appendArray(chunk, row: row, of: column.schema)
    }
    switch column.schema.type {
    case .int: appendField(chunk.int(at: row))
    case .bool:
      append(Int32(1))
      bytes.append(chunk.int(at: row) == 0 ? 0 : 1)
    case .double: appendField(chunk.double(at: row).bitPattern)
    case .float: appendField(chunk.float(at: row).bitPattern)
    case .date: try appendDate(chunk.double(at: row))
    case .string: try appendText(chunk.bytes(at: row))
    case .data:
      let data = chunk.bytes(at: row)
      append(Int32(data.count))
      bytes.append(contentsOf: data)
    case .point: appendPoint(chunk.position(at: row), hasAltitudes: column.hasAltitudes)
    case .geometry, .lineString, .polygon: appendGeometry(chunk.bytes(at: row))
    default: try append(chunk.value(at: row, type: column.schema.type))
    }
  }

  // MARK: Fields

  @inline(__always)
  private func append<T: FixedWidthInteger>(_ number: T) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  @inline(__always)
  private func appendField<T: FixedWidthInteger>(_ number: T) {
    append(Int32(MemoryLayout<T>.size))
    append(number)
  }

  private func appendDate(_ date: Double) throws(ValueProblem) {
    guard let microseconds = BinaryValue.microseconds(date) else {
      throw ValueProblem("a date is beyond the years 4713 BC to 294276 of PostgreSQL")
    }
    if BinaryValue.seconds(microseconds: microseconds) != date { roundedDates += 1 }
    appendField(microseconds)
  }

  private func appendText(_ text: UnsafeRawBufferPointer) throws(ValueProblem) {
    guard !text.contains(0) else {
      throw ValueProblem("a text has a character U+0000, which PostgreSQL cannot keep")
    }
    append(Int32(text.count))
    bytes.append(contentsOf: text)
  }

  /// The number of WGS 84 in PostGIS.
  private static let srid: UInt32 = 4326
  private static let systemFlag: UInt32 = 0x2000_0000

  @inline(__always)
  private func appendPoint(_ position: Position, hasAltitudes: Bool) {
    append(Int32(hasAltitudes ? 33 : 25))
    bytes.append(1)
    appendLittle(Self.systemFlag | (hasAltitudes ? 1001 : 1))
    appendLittle(Self.srid)
    appendLittle(position.longitude.bitPattern)
    appendLittle(position.latitude.bitPattern)
    if hasAltitudes { appendLittle(position.altitude.bitPattern) }
  }

  @inline(__always)
  private func appendLittle<T: FixedWidthInteger>(_ number: T) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private func appendGeometry(_ packed: UnsafeRawBufferPointer) {
    scratch.removeAll(keepingCapacity: true)
    GeometryView(packed).appendWKB(to: &scratch)
    append(Int32(scratch.count + 4))
    bytes.append(contentsOf: scratch[..<4])
    // The flag is in the last byte of the type.
    bytes.append(scratch[4] | 0x20)
    appendLittle(Self.srid)
    bytes.append(contentsOf: scratch[5...])
  }

  /// Appends a value of a type that is rare, or an element of a collection.
  private func append(_ value: Value) throws(ValueProblem) {
    switch value {
    case .null: append(Int32(-1))
    case .bool(let flag):
      append(Int32(1))
      bytes.append(flag ? 1 : 0)
    case .int(let number): appendField(number)
    case .float(let number): appendField(number.bitPattern)
    case .double(let number): appendField(number.bitPattern)
    case .date(let date): try appendDate(date)
    case .string(let text):
      let result = text.utf8.withBytes { bytes -> Result<Void, ValueProblem> in
        do throws(ValueProblem) { return .success(try appendText(bytes)) } catch {
          return .failure(error)
        }
      }
      try result.get()
    case .data(let data):
      append(Int32(data.count))
      bytes += data
    case .uuid(let uuid):
      append(Int32(16))
      uuid.withStoredBytes { bytes.append(contentsOf: $0) }
    case .objectId(let id):
      append(Int32(24))
      bytes += Array(id.stringValue.utf8)
    case .decimal(let number): NumericEncoder.append(number, to: &bytes)
    case .point, .geometry, .box, .link:
      throw ValueProblem("a collection of such values cannot be sent")
    }
  }

  /// Appends an array of one dimension: its number of dimensions, whether it has nulls, the type of
  /// its elements, their number and the first index, then the elements.
  private func appendArray(
    _ chunk: Chunk, row: Int, of column: ColumnSchema
  ) throws(ValueProblem) {
    let elements = chunk.collection(at: row, of: column)
    let start = bytes.count
    append(Int32(0))
    append(Int32(elements.count == 0 ? 0 : 1))
    append(Int32(1))
    append(PushType.element(column.type))
    if elements.count > 0 {
      append(Int32(elements.count))
      append(Int32(1))
      for index in 0..<elements.count { try append(elements.value(at: index)) }
    }
    let size = Int32(bytes.count - start - 4)
    withUnsafeBytes(of: size.bigEndian) { bytes.replaceSubrange(start..<start + 4, with: $0) }
  }
}

/// Writes decimal numbers in the binary form of `numeric`.
enum NumericEncoder {
  /// Appends the size of the field and the field.
  static func append(_ number: Decimal128, to bytes: inout [UInt8]) {
    var groups: [UInt16] = []
    var (weight, sign, scale) = (0, UInt16(0), 0)
    if number.isNaN {
      sign = 0xC000
    } else if number.isInfinite {
      sign = number.isNegative ? 0xF000 : 0xD000
    } else {
      var (digits, exponent) = parts(number.description)
      sign = number.isNegative ? 0x4000 : 0
      scale = max(0, -exponent)
      // Groups of four digits meet at the point.
      let missing = ((exponent % 4) + 4) % 4
      digits += Array(repeating: 0, count: missing)
      exponent -= missing
      digits = Array(repeating: 0, count: (4 - digits.count % 4) % 4) + digits
      groups = stride(from: 0, to: digits.count, by: 4).map { start in
        digits[start..<start + 4].reduce(0) { $0 * 10 + UInt16($1) }
      }
      weight = exponent / 4 + groups.count - 1
      while let last = groups.last, last == 0 { groups.removeLast() }
      while let first = groups.first, first == 0 {
        groups.removeFirst()
        weight -= 1
      }
      if groups.isEmpty { (weight, sign) = (0, 0) }
    }
    func append(_ word: UInt16) { bytes += [UInt8(word >> 8), UInt8(word & 255)] }
    let size = UInt32(8 + groups.count * 2)
    withUnsafeBytes(of: size.bigEndian) { bytes.append(contentsOf: $0) }
    append(UInt16(groups.count))
    append(UInt16(bitPattern: Int16(truncatingIfNeeded: weight)))
    append(sign)
    append(UInt16(truncatingIfNeeded: min(scale, 16383)))
    groups.forEach(append)
  }

  /// The digits of a number and the power of ten of the last one.
  private static func parts(_ text: String) -> (digits: [UInt8], exponent: Int) {
    var digits: [UInt8] = []
    var exponent = 0
    var isFraction = false
    var rest = Substring(text)
    while let character = rest.first {
      rest = rest.dropFirst()
      if let digit = character.wholeNumberValue {
        digits.append(UInt8(digit))
        if isFraction { exponent -= 1 }
      } else if character == "." {
        isFraction = true
      } else if character == "E" || character == "e" {
        exponent += Int(rest.first == "+" ? rest.dropFirst() : rest) ?? 0
        break
      }
    }
    return (digits, exponent)
  }
}
