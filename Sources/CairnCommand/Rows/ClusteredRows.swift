import CairnGeometry
import CairnIO
import CairnQuery
import CairnRequest
import CairnStorage
import CairnValues

/// The work of `cluster`: the matching rows with the numbers of their clusters.
struct ClusteredRows: ExtendingRows {
  let rows: ExtendedRows
  private let rule: ClusterRule

  /// - Parameter name: The name of the column of numbers.
  init(
    _ arguments: RowArguments, _ rule: ClusterRule, select: [String], as name: String,
    mode: Store.Mode
  ) throws {
    self.rule = rule
    rows = try ExtendedRows(arguments, select: select, mode: mode) { _ in (name, .int) }
    if rows.hasColumn(name) {
      throw Failure(
        .usage,
        message: "the rows already have a column '\(name)'; give that of the clusters another "
          + "name: --as NAME")
    }
  }

  func write(to writer: RowWriter, _ progress: any ProgressReporter) throws {
    let keys = try rows.keys()
    let clusters = try Clusters(rule, of: keys, in: source.table, by: rows.spatial) {
      // The process ends as soon as a new store is removed.
      if Interruption.isPending { throw CancellationError() }
      progress.show(WorkProgress(phase: "clustering", rows: keys.count))
    }
    try rows.write(keys, to: writer, progress) { index in
      clusters[keys[index]].map { .int(Int64($0)) } ?? .null
    }
  }
}
