import CairnStorage
import CairnValues

/// One property that rows are grouped by: gives every value a number, null 0.
class GroupColumn: @unchecked Sendable {
  let column: Column

  init(_ column: Column) { self.column = column }

  /// Writes the numbers of the selected rows' values one after the other.
  func numbers(_ index: Int, _ rows: Selection, _ numbers: UnsafeMutablePointer<UInt32>) {}

  /// Whether a link on the way to the row's value is null.
  func isMissing(_ key: Int) -> Bool { false }

  /// Resolves on the snapshot's own thread what is read for rows of these chunks.
  func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }

  /// The value of a number.
  func value(_ number: Int) -> Value { .null }

  /// The number of another column's value.
  func number(of other: GroupColumn, _ number: Int) -> Int { 0 }

  /// The numbering for a column's type.
  static func make(_ column: Column) -> GroupColumn {
    switch column.schema.type {
    case .bool, .int, .double, .float, .date: WordGroupColumn(column)
    case .string, .data, .objectId, .uuid: BytesGroupColumn(column)
    default: ValueGroupColumn(column)
    }
  }
}

/// Bools and numbers of fixed width, by the bits of the value.
final class WordGroupColumn: GroupColumn, @unchecked Sendable {
  private var table = WordTable()

  override func numbers(
    _ index: Int, _ rows: Selection, _ numbers: UnsafeMutablePointer<UInt32>
  ) {
    let chunk = column.chunk(index)
    let scale = chunk.scale
    var table = table
    self.table = WordTable()
    var place = 0
    rows.forEachRow { row -> Void in
      numbers[place] =
        chunk.isRowNull(row)
        ? 0 : UInt32(table.number(of: WordGroupColumn.word(chunk, row, scale)) + 1)
      place += 1
    }
    self.table = table
  }

  /// Every NaN is one value, and so are both zeros.
  private static func word(_ chunk: Chunk, _ row: Int, _ scale: Double) -> UInt64 {
    switch chunk.encoding {
    case .integers: return UInt64(bitPattern: chunk.rowInteger(row))
    case .floats: return word(Double(chunk.rowFloat(row)))
    default: return word(chunk.rowDouble(row, scale))
    }
  }

  private static func word(_ number: Double) -> UInt64 {
    number.isNaN ? Double.nan.bitPattern : (number + 0).bitPattern
  }

  override func value(_ number: Int) -> Value {
    guard number > 0 else { return .null }
    let word = table.words[number - 1]
    switch column.schema.type {
    case .bool: return .bool(word != 0)
    case .int: return .int(Int64(bitPattern: word))
    case .float: return .float(Float(Double(bitPattern: word)))
    case .date: return .date(Double(bitPattern: word))
    default: return .double(Double(bitPattern: word))
    }
  }

  override func number(of other: GroupColumn, _ number: Int) -> Int {
    guard number > 0, let other = other as? WordGroupColumn else { return 0 }
    return table.number(of: other.table.words[number - 1]) + 1
  }
}

/// Texts and other bytes; a chunk's dictionary is numbered once an entry, not once a row.
final class BytesGroupColumn: GroupColumn, @unchecked Sendable {
  private var table = ByteTable()
  /// The numbers of the dictionary entries of the chunk in hand; 0: not asked yet.
  private let entries = UnsafeMutablePointer<UInt32>.allocate(capacity: ChunkShape.rows)

  deinit { entries.deallocate() }

  override func numbers(
    _ index: Int, _ rows: Selection, _ numbers: UnsafeMutablePointer<UInt32>
  ) {
    let chunk = column.chunk(index)
    // A few rows are not worth a list of all entries.
    if case .dictionary = chunk.encoding, rows.upper - rows.lower > 1 {
      return self.numbers(dictionary: chunk, rows, numbers)
    }
    var place = 0
    rows.forEachRow { row -> Void in
      numbers[place] =
        chunk.isRowNull(row) ? 0 : UInt32(table.number(of: chunk.rowBytes(row)) + 1)
      place += 1
    }
  }

  private func numbers(
    dictionary chunk: Chunk, _ rows: Selection, _ numbers: UnsafeMutablePointer<UInt32>
  ) {
    let entries = entries
    entries.update(repeating: 0, count: max(1, chunk.dictionaryCount))
    var place = 0
    rows.forEachRow { row -> Void in
      let entry = Int(chunk.rowCode(row))
      let known = entries[entry]
      numbers[place] =
        chunk.isRowNull(row) ? 0 : known != 0 ? known : newNumber(chunk, entry: entry)
      place += 1
    }
  }

  private func newNumber(_ chunk: Chunk, entry: Int) -> UInt32 {
    let number = UInt32(table.number(of: chunk.entryBytes(entry)) + 1)
    entries[entry] = number
    return number
  }

  override func value(_ number: Int) -> Value {
    guard number > 0 else { return .null }
    let bytes = table[number - 1]
    switch column.schema.type {
    case .data: return .data(Array(bytes))
    case .objectId: return bytes.withUnsafeBytes { .objectId(ObjectId(storedBytes: $0)) }
    case .uuid: return bytes.withUnsafeBytes { .uuid(UUIDBytes(storedBytes: $0)) }
    default: return .string(String(decoding: bytes, as: UTF8.self))
    }
  }

  override func number(of other: GroupColumn, _ number: Int) -> Int {
    guard number > 0, let other = other as? BytesGroupColumn else { return 0 }
    return other.table[number - 1].withUnsafeBytes { table.number(of: $0) } + 1
  }
}

/// Everything else, by whole values.
final class ValueGroupColumn: GroupColumn, @unchecked Sendable {
  private var table: [Value: Int] = [:]
  private var values: [Value] = []

  override func numbers(
    _ index: Int, _ rows: Selection, _ numbers: UnsafeMutablePointer<UInt32>
  ) {
    let chunk = column.chunk(index)
    var place = 0
    rows.forEachRow { row -> Void in
      let value = chunk.plainValue(at: row, type: column.schema.type)
      numbers[place] = UInt32(number(of: value))
      place += 1
    }
  }

  private func number(of value: Value) -> Int {
    if value.isNull { return 0 }
    if let known = table[value] { return known }
    values.append(value)
    table[value] = values.count
    return values.count
  }

  override func value(_ number: Int) -> Value { number == 0 ? .null : values[number - 1] }

  override func number(of other: GroupColumn, _ number: Int) -> Int {
    self.number(of: other.value(number))
  }
}
