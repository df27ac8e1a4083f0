internal import CairnIO
internal import CairnQuery
import CairnSystem

/// Reads rows that pass a sieve: first the columns that it tests, then the others where a row passes. For use
/// by one thread.
final class SievedReader {
  /// A column that is needed.
  private final class Column {
    let index: Int
    let reader: any RowReader
    /// The kept rows.
    let kept: ColumnValues
    /// The rows that are looked at.
    let seen: ColumnValues
    /// The same rows of a column with texts, if all of them have a dictionary.
    let texts = SharedTexts()
    private(set) var isShared = false
    /// The reader of a column that may have a dictionary; nil for another one.
    private let textReader: FlatColumnReader?

    init(_ index: Int, _ reader: any RowReader, _ kept: ColumnValues) {
      (self.index, self.reader, self.kept) = (index, reader, kept)
      seen = ColumnValues(kept.type)
      let flat = reader as? FlatColumnReader
      textReader = flat?.hasTexts == true ? flat : nil
    }

    /// Reads rows to look at them.
    func see(_ rows: Range<Int64>, of group: Int) throws(ImportError) {
      if let textReader {
        isShared = try textReader.read(rows: rows, of: group, into: texts, or: seen)
      } else {
        seen.removeAll()
        try reader.append(rows: rows, of: group, to: seen)
      }
    }

    /// Keeps rows of those that were looked at.
    func keep(_ isKept: [Bool]) throws(ParquetError) {
      try isShared ? kept.append(texts, where: isKept) : kept.append(seen, where: isKept)
    }
  }

  private let sieve: LayerSieve
  private let tested: [Column]
  private let others: [Column]
  private let name: String

  /// The rows that are looked at together.
  private static let step = Int64(ValueReader.most)
  /// The share of rows beyond which all of them are read of a column.
  private static let manyRows = 8

  init?(
    _ sieve: LayerSieve, columns: [(reader: any RowReader, values: ColumnValues)?], of name: String
  ) {
    let all = columns.enumerated().compactMap { index, column in
      column.map { Column(index, $0.reader, $0.values) }
    }
    self.sieve = sieve
    self.name = name
    tested = all.filter { sieve.columns.contains($0.index) }
    others = all.filter { !sieve.columns.contains($0.index) }
    // A column that is tested is one that is needed.
    guard tested.count == sieve.columns.count else { return nil }
  }

  /// Appends the rows of a row group that pass to the values of the columns.
  ///
  /// - Parameter keep: Called with the distance of each kept row from the first one.
  func append(
    _ rows: Range<Int64>, of group: Int, keep: (Int) -> Void
  ) throws(ImportError) {
    var first = rows.lowerBound
    while first < rows.upperBound {
      let part = first..<min(rows.upperBound, first + Self.step)
      let isKept = try test(part, of: group)
      let count = isKept.count { $0 }
      if count > 0 {
        for row in isKept.indices where isKept[row] {
          keep(Int(first - rows.lowerBound) + row)
        }
        try append(part, of: group, isKept, count: count)
      }
      first = part.upperBound
    }
  }

  private func test(_ rows: Range<Int64>, of group: Int) throws(ImportError) -> [Bool] {
    var columns: [Int: LayerBatch.Column] = [:]
    var texts: [Int: SharedTexts] = [:]
    for column in tested {
      try column.see(rows, of: group)
      if column.isShared {
        texts[column.index] = column.texts
      } else {
        columns[column.index] = column.seen.column(rows: rows.count)
      }
    }
    return sieve.matches(LayerSieve.Rows(count: rows.count, columns: columns, texts: texts))
  }

  private func append(
    _ rows: Range<Int64>, of group: Int, _ isKept: [Bool], count: Int
  ) throws(ImportError) {
    do throws(ParquetError) {
      for column in tested { try column.keep(isKept) }
    } catch { throw ImportError(error, file: name) }
    for column in others {
      if count * Self.manyRows < isKept.count {
        try appendRuns(of: column, from: rows.lowerBound, group: group, isKept)
      } else {
        try column.see(rows, of: group)
        do throws(ParquetError) { try column.keep(isKept) } catch {
          throw ImportError(error, file: name)
        }
      }
    }
  }

  /// Reads the rows that are kept, one run of them after another.
  private func appendRuns(
    of column: Column, from first: Int64, group: Int, _ isKept: [Bool]
  ) throws(ImportError) {
    var row = 0
    while let start = isKept[row...].firstIndex(of: true) {
      row = isKept[start...].firstIndex(of: false) ?? isKept.count
      try column.reader.append(
        rows: first + Int64(start)..<first + Int64(row), of: group, to: column.kept)
    }
  }
}
