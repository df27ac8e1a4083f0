/// How much of a file an import would read.
package struct RowEstimate: Sendable, Equatable {
  /// The number of rows that would be read.
  package let rows: Int
  /// The number of all rows.
  package let totalRows: Int
  /// The bytes that the needed columns of these rows take up in the file, about.
  package let bytes: Int64
}

extension Importer {
  /// Estimates how much of a file of columns, or of a folder of such files, an import would read, from what
  /// the files and their paths state of the rows; no row is read.
  ///
  /// - Returns: Nil for a file of another format.
  /// - Throws: An error if the file cannot be opened, or does not have what the options name.
  package static func estimate(
    of path: String, options: ImportOptions
  ) throws(ImportError) -> RowEstimate? {
    var options = options
    options.className = options.className ?? ""
    let run = try ImportRun(
      files: [path], store: nil, options: options, cancellation: Cancellation(),
      progress: { _ in })
    do throws(ParseAbort) {
      let plan = try run.plan(run.headers, isComplete: false)
      let selection = try run.selection(plan)
      var estimate = RowEstimate(rows: 0, totalRows: 0, bytes: 0)
      for (file, source) in run.sources.enumerated() {
        guard case .layer(let layer) = source.content, let source = layer as? ColumnFileSource
        else { return nil }
        estimate.add(source.estimate(selection.rows[file], plan: plan))
      }
      return estimate.adding(unopened: run.unopened?.size ?? 0, of: run.total)
    } catch { throw run.describe(error) }
  }
}

extension RowEstimate {
  fileprivate mutating func add(_ other: RowEstimate) {
    self = RowEstimate(
      rows: rows + other.rows, totalRows: totalRows + other.totalRows, bytes: bytes + other.bytes)
  }

  /// The estimate with files that are not opened, which have about as many rows for each byte as the others.
  ///
  /// - Parameters:
  ///   - size: The bytes of these files.
  ///   - total: The bytes of the others.
  fileprivate func adding(unopened size: Int64, of total: Int64) -> RowEstimate {
    let more = Double(totalRows) * Double(size) / Double(max(1, total))
    return RowEstimate(rows: rows, totalRows: totalRows + Int(more), bytes: bytes)
  }
}

extension ColumnFileSource {
  /// Returns the size of some rows in the columns that a plan needs.
  ///
  /// - Parameter rows: The rows; nil for all.
  fileprivate func estimate(_ rows: RowRanges?, plan: ImportPlan) -> RowEstimate {
    let count = file.schema.count ?? 0
    let rows = rows ?? RowRanges(count: Int64(count))
    return RowEstimate(
      rows: Int(rows.count), totalRows: count,
      bytes: file.size(of: columns.needed(by: plan.forReaders), in: rows))
  }
}
