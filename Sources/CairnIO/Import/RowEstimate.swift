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
  /// Estimates how much of a file of columns an import would read, from what the file states of its rows;
  /// no row is read.
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
    guard case .layer(let layer) = run.sources[0].content, let source = layer as? ColumnFileSource
    else { return nil }
    do throws(ParseAbort) {
      let plan = try run.plan(run.headers, isComplete: false)
      let rows = try run.selection(plan).rows[0]
      return source.estimate(rows, plan: plan)
    } catch { throw run.describe(error) }
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
