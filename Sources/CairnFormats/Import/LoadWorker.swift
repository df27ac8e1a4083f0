internal import CairnStorage
internal import CairnValues

/// Reads sections into columns and gives them to the bulk load.
final class LoadWorker {
  /// What became of one section.
  struct Product: Sendable {
    var rows: Int
    var refusals: RefusalLog
  }

  private let reader: SectionReader
  private let load: BulkLoad
  /// Rows that all threads have read.
  private let rows: Mutex<Int>

  init(_ sources: [ImportSource], plan: ImportPlan, load: BulkLoad, rows: Mutex<Int>) {
    reader = SectionReader(sources, plan: plan)
    self.load = load
    self.rows = rows
  }

  func handle(_ section: InputSection) throws(ParseStop) -> Product {
    let refusals = try reader.read(section)
    let count = reader.output.rowCount
    try ParseStop.onStore { () throws(StoreError) in
      try load.add(reader.output, number: section.number)
    }
    rows.withLock { $0 += count }
    return Product(rows: count, refusals: refusals)
  }
}
