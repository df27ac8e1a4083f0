import CairnStorage
import CairnSystem
import CairnValues

/// A property of one side of a join by equal values, which may lie behind links.
///
/// The memory that it reads may be read by any thread after ``prepare(_:)``.
final class KeyColumn {
  let column: Column
  private let kind: KeyKind
  /// The class of the column: that of the side, or one behind links.
  private let endTable: Table
  /// The objects behind links that the rows lead to; nil if the column is one of the rows' own.
  private let targets: JoinTargets?

  /// - Parameter rows: The rows of the side; those that lead to nothing are removed.
  init(_ path: LinkPath, column: Column, kind: KeyKind, rows: RowBitmap, of table: Table) {
    self.column = column
    self.kind = kind
    endTable = path.endTable
    targets =
      path.linkSteps.isEmpty
      ? nil
      : JoinTargets(path.linkSteps, column: column, rows: rows, of: table, end: path.endTable)
  }

  /// Whether the property is one of the rows' own, and has an index in which single values are found.
  var isIndexed: Bool { targets == nil && column.schema.hasValueIndex && kind != .numbers }

  /// Resolves the data that other threads will read for rows of these chunks, on the snapshot's own
  /// thread.
  func prepare(_ chunks: [Int]) {
    if targets != nil { return column.prepareAll(of: endTable) }
    for chunk in chunks { _ = column.chunk(chunk) }
  }

  /// The value of a row.
  func value(_ key: Int) -> Value {
    let address = RowAddress(targets.map { $0[key] } ?? key)
    return column.chunk(address.chunk).value(at: address.row, type: column.schema.type)
  }

  /// Removes the pairs that have different values.
  ///
  /// - Parameter keys: The keys of the candidates, of the other column.
  func keepEqual(_ pairs: PairBatch, _ other: KeyColumn, _ keys: [Int]) {
    let (column, otherColumn) = (column, other.column)
    switch kind {
    case .bytes where targets == nil && other.targets == nil:
      let chunk = column.chunk(pairs.chunk)
      pairs.keep { key, candidate in
        let address = RowAddress(keys[candidate])
        return bytesEqual(
          chunk.rowBytes(RowAddress(key).row),
          and: otherColumn.chunk(address.chunk).rowBytes(address.row))
      }
    case .bytes:
      pairs.keep { key, candidate in bytesEqual(bytes(key), and: other.bytes(keys[candidate])) }
    case .numbers:
      pairs.keep { key, candidate in
        ComparisonOperator.equal.holdsInRow(value(key), and: other.value(keys[candidate]))
      }
    case .integers, .wholeNumbers, .doubles:
      pairs.keep { key, candidate in word(key) == other.word(keys[candidate]) }
    }
  }

  private func bytes(_ key: Int) -> UnsafeRawBufferPointer {
    let address = RowAddress(targets.map { $0[key] } ?? key)
    return column.chunk(address.chunk).rowBytes(address.row)
  }

  private func word(_ key: Int) -> UInt64? {
    let address = RowAddress(targets.map { $0[key] } ?? key)
    return word(column.chunk(address.chunk), address.row)
  }
}

// Words of values.
extension KeyColumn {
  /// Writes the words of some rows of a chunk, at the index of each row, and removes the rows that
  /// equal no other.
  func read(_ index: Int, rows: inout Selection, into words: UnsafeMutablePointer<UInt64>) {
    guard targets == nil else { return readLinked(index, rows: &rows, into: words) }
    let chunk = column.chunk(index)
    if let nulls = chunk.nulls { rows.remove(nulls) }
    switch (kind, chunk.encoding) {
    case (.integers, _), (.wholeNumbers, .integers):
      rows.forEachRow { row -> Void in words[row] = UInt64(bitPattern: chunk.rowInteger(row)) }
    case (.doubles, .doubles), (.doubles, .decimals):
      let scale = chunk.scale
      rows.forEachRow { row -> Void in words[row] = Self.word(chunk.rowDouble(row, scale: scale)) }
    case (.bytes, .dictionary): readDictionary(chunk, rows: rows, into: words)
    case (.bytes, _):
      rows.forEachRow { row -> Void in words[row] = DistinctBytes.hash(chunk.rowBytes(row)) }
    default:
      rows.keepEach { row in
        guard let word = word(chunk, row) else { return false }
        words[row] = word
        return true
      }
    }
  }

  private func readLinked(
    _ index: Int, rows: inout Selection, into words: UnsafeMutablePointer<UInt64>
  ) {
    guard let targets else { return }
    let first = RowAddress.firstKey(ofChunk: index)
    rows.keepEach { row in
      let address = RowAddress(targets[first | row])
      guard let word = word(column.chunk(address.chunk), address.row) else { return false }
      words[row] = word
      return true
    }
  }

  /// Each entry of a dictionary is hashed once, unless there are fewer rows.
  private func readDictionary(
    _ chunk: Chunk, rows: Selection, into words: UnsafeMutablePointer<UInt64>
  ) {
    guard chunk.dictionaryCount < rows.count else {
      return rows.forEachRow { row -> Void in
        words[row] = DistinctBytes.hash(chunk.rowBytes(row))
      }
    }
    let hashes = (0..<chunk.dictionaryCount).map { DistinctBytes.hash(chunk.entryBytes($0)) }
    hashes.withUnsafeBufferPointer { hashes in
      rows.forEachRow { row -> Void in words[row] = hashes[Int(chunk.rowCode(row))] }
    }
  }

  /// The word of a value; nil if it equals no other.
  private func word(_ chunk: Chunk, _ row: Int) -> UInt64? {
    switch kind {
    case .integers: UInt64(bitPattern: chunk.rowInteger(row))
    case .bytes: DistinctBytes.hash(chunk.rowBytes(row))
    case .doubles: Self.word(Self.double(chunk, row))
    case .wholeNumbers:
      if case .integers = chunk.encoding {
        UInt64(bitPattern: chunk.rowInteger(row))
      } else {
        Int64(exactly: Self.double(chunk, row)).map { UInt64(bitPattern: $0) }
      }
    case .numbers:
      Self.word(chunk.value(at: row, type: column.schema.type).doubleValue ?? .nan)
    }
  }

  private static func double(_ chunk: Chunk, _ row: Int) -> Double {
    if case .floats = chunk.encoding { return Double(chunk.rowFloat(row)) }
    return chunk.rowDouble(row, scale: chunk.scale)
  }

  /// All NaNs are one value, and so are both zeros.
  @inline(__always)
  private static func word(_ number: Double) -> UInt64 {
    number.isNaN ? Double.nan.bitPattern : (number + 0).bitPattern
  }
}

extension Selection {
  /// Keeps the rows that pass a test.
  @inline(__always)
  fileprivate mutating func keepEach(where isIncluded: (Int) -> Bool) {
    keep { word, selected in selected.keepingEach { isIncluded(word << 6 | $0) } }
  }
}
