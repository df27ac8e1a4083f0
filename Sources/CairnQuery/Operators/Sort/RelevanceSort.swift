import CairnStorage
import CairnValues

/// Sorts rows by the relevance of their texts for a full-text search. The scores of several columns
/// add up; a null adds nothing.
final class RelevanceSort: SortColumn {
  private let columns: [Column]
  private let search: TextSearch
  private let table: Table
  /// The columns with their statistics. The first use, on the snapshot's own thread, computes them;
  /// `prepareFurther` is one.
  private lazy var fields: [(column: Column, statistics: TextStatistics)] = columns.map {
    ($0, TextStatistics(search, column: $0, table: table))
  }

  /// - Parameter columns: The columns of texts, at least one.
  init?(_ columns: [Column], search: TextSearch, table: Table, isAscending: Bool) {
    guard let first = columns.first else { return nil }
    self.columns = columns
    self.search = search
    self.table = table
    super.init(first, isAscending: isAscending)
  }

  override var name: String {
    "relevance of " + columns.map(\.schema.name).joined(separator: " and ")
  }

  override func ascendingSortKeys(
    _ chunk: Chunk, first: Int, rows: Selection, sortKeys: UnsafeMutablePointer<UInt64>
  ) {
    let chunks = fields.map { $0.column.chunk(RowAddress(first).chunk) }
    var position = 0
    rows.forEachRow { row -> Void in
      var score = 0.0
      for (field, chunk) in zip(fields, chunks) where !chunk.isRowNull(row) {
        score += field.statistics.score(chunk.rowBytes(row))
      }
      sortKeys[position] = NormalizedKey.of(score)
      position += 1
    }
  }

  override func prepareFurther(_ chunks: [Int]) {
    for field in fields {
      for chunk in chunks { _ = field.column.chunk(chunk) }
    }
  }
}

extension RowOrder {
  /// Whether the order of two rows can change with other rows.
  var dependsOnAllRows: Bool { columns.contains { $0 is RelevanceSort } }
}
