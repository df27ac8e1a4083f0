import CairnStorage
import CairnSystem
import CairnValues

/// A property that rows are grouped by. It assigns a number to every value, and 0 to null. One thread
/// at a time uses it; only the links and columns that it reads are shared.
class GroupColumn {
  let column: Column

  init(_ column: Column) { self.column = column }

  /// Writes the numbers of the selected rows' values, in row order.
  func numbers(_ index: Int, rows: Selection, numbers: UnsafeMutablePointer<UInt32>) {
    requireOverride()
  }

  /// Whether a link on the path to the row's value is null. False for a property of the row itself.
  func isMissing(_ key: Int) -> Bool { false }

  /// Resolves the data that any group column of these values reads for rows of these chunks, on the
  /// snapshot's own thread. The default resolves the column, which most read alone.
  func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }

  /// The value of a number.
  func value(_ number: Int) -> Value { requireOverride() }

  /// The number here of another column's value.
  func number(of other: GroupColumn, _ number: Int) -> Int { requireOverride() }

  /// The group column for a column's type.
  static func make(_ column: Column) -> GroupColumn {
    switch column.schema.type {
    case .bool, .int, .double, .float, .date: WordGroupColumn(column)
    case .string, .data, .objectId, .uuid: BytesGroupColumn(column)
    default: ValueGroupColumn(column)
    }
  }
}

/// Numbers bools and numeric values of fixed width by their bits.
final class WordGroupColumn: GroupColumn {
  private var table = WordTable()

  override func numbers(
    _ index: Int, rows: Selection, numbers: UnsafeMutablePointer<UInt32>
  ) {
    let chunk = column.chunk(index)
    let scale = chunk.scale
    var table = table
    self.table = WordTable()
    var position = 0
    rows.forEachRow { row -> Void in
      numbers[position] =
        chunk.isRowNull(row)
        ? 0 : UInt32(table.number(of: WordGroupColumn.word(chunk, row: row, scale: scale)) + 1)
      position += 1
    }
    self.table = table
  }

  /// All NaNs are one value, and so are both zeros.
  private static func word(_ chunk: Chunk, row: Int, scale: Double) -> UInt64 {
    switch chunk.encoding {
    case .integers: return UInt64(bitPattern: chunk.rowInteger(row))
    case .floats: return word(Double(chunk.rowFloat(row)))
    default: return word(chunk.rowDouble(row, scale: scale))
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

/// Numbers texts and other bytes. In a chunk with a dictionary, each entry is numbered once, not
/// each row.
final class BytesGroupColumn: GroupColumn {
  private let table = DistinctBytes()
  /// The numbers of the current chunk's dictionary entries; 0 if not assigned yet.
  private let entries = UnsafeMutablePointer<UInt32>.allocate(capacity: ChunkShape.rows)

  deinit { entries.deallocate() }

  override func numbers(
    _ index: Int, rows: Selection, numbers: UnsafeMutablePointer<UInt32>
  ) {
    let chunk = column.chunk(index)
    // For a few rows, a list of all entries is not worthwhile.
    if case .dictionary = chunk.encoding, rows.upper - rows.lower > 1 {
      return self.numbers(dictionary: chunk, rows, numbers: numbers)
    }
    var position = 0
    rows.forEachRow { row -> Void in
      numbers[position] =
        chunk.isRowNull(row) ? 0 : UInt32(table.number(of: chunk.rowBytes(row)) + 1)
      position += 1
    }
  }

  private func numbers(
    dictionary chunk: Chunk, _ rows: Selection, numbers: UnsafeMutablePointer<UInt32>
  ) {
    assert(chunk.dictionaryCount <= ChunkShape.rows, "a dictionary has up to 4096 entries")
    let entries = entries
    entries.update(repeating: 0, count: max(1, chunk.dictionaryCount))
    var position = 0
    rows.forEachRow { row -> Void in
      let entry = Int(chunk.rowCode(row))
      assert(entry < max(1, chunk.dictionaryCount), "a code is outside of the dictionary")
      let known = entries[entry]
      numbers[position] =
        chunk.isRowNull(row) ? 0 : known != 0 ? known : newNumber(chunk, entry: entry)
      position += 1
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
    case .objectId: return .objectId(ObjectId(storedBytes: bytes))
    case .uuid: return .uuid(UUIDBytes(storedBytes: bytes))
    default: return .string(String(decoding: bytes, as: UTF8.self))
    }
  }

  override func number(of other: GroupColumn, _ number: Int) -> Int {
    guard number > 0, let other = other as? BytesGroupColumn else { return 0 }
    return table.number(of: other.table[number - 1]) + 1
  }
}

/// Numbers all other types by whole values.
class ValueGroupColumn: GroupColumn {
  private var table: [Value: Int] = [:]
  private var values: [Value] = []

  override func numbers(
    _ index: Int, rows: Selection, numbers: UnsafeMutablePointer<UInt32>
  ) {
    let chunk = column.chunk(index)
    var position = 0
    rows.forEachRow { row -> Void in
      let value = chunk.plainValue(at: row, type: column.schema.type)
      numbers[position] = UInt32(number(of: value))
      position += 1
    }
  }

  /// The number of a value. A new value receives the next number.
  final func number(of value: Value) -> Int {
    if value.isNull { return 0 }
    if let known = table[value] { return known }
    values.append(value)
    table[value] = values.count
    return values.count
  }

  override final func value(_ number: Int) -> Value { number == 0 ? .null : values[number - 1] }

  override final func number(of other: GroupColumn, _ number: Int) -> Int {
    self.number(of: other.value(number))
  }
}

/// A property of the objects behind a link. Without an object the value is null.
final class LinkedGroupColumn: GroupColumn {
  private let linkStep: ToOneStep
  private let inner: GroupColumn
  private let oneRow = OneRow()

  init(_ linkStep: ToOneStep, inner: GroupColumn) {
    self.linkStep = linkStep
    self.inner = inner
    super.init(linkStep.column)
  }

  override func numbers(
    _ index: Int, rows: Selection, numbers: UnsafeMutablePointer<UInt32>
  ) {
    let chunk = column.chunk(index)
    var position = 0
    rows.forEachRow { row -> Void in
      let target = Int(chunk.rowInteger(row))
      if chunk.isRowNull(row) || !linkStep.live.holds(target) {
        numbers[position] = 0
      } else {
        oneRow.select(target) {
          inner.numbers(RowAddress(target).chunk, rows: $0, numbers: numbers + position)
        }
      }
      position += 1
    }
  }

  override func value(_ number: Int) -> Value { inner.value(number) }

  override func number(of other: GroupColumn, _ number: Int) -> Int {
    (other as? LinkedGroupColumn).map { inner.number(of: $0.inner, number) } ?? 0
  }

  override func prepare(_ chunks: [Int]) {
    super.prepare(chunks)
    linkStep.live.prepare()
    inner.prepare(Array(0..<linkStep.target.chunkCount))
  }
}
