import CairnIO
import CairnRequest
import CairnStorage
import CairnSystem

/// The rows that a command computes, such as `dissolve`, and their columns.
protocol ComputedRows {
  /// The class that the rows come from.
  var source: OpenedClass { get }
  /// The subject of a map.
  var subject: MapSubject { get }
  /// The columns of the rows.
  var columns: [OutputColumn] { get }
  /// Whether each row of the class comes once, so that its primary key stays one.
  var hasKey: Bool { get }

  /// The stored column that an output column shows unchanged; nil for a computed one.
  func origin(_ column: OutputColumn) -> ColumnSchema?
  /// Writes the rows.
  func write(to writer: RowWriter, _ progress: any ProgressReporter) throws
}

extension ComputedRows {
  /// No, by default.
  var hasKey: Bool { false }
}

extension DestinationOptions {
  /// Writes rows to their destination.
  ///
  /// - Parameter store: The path of the store of the rows.
  func write(_ rows: some ComputedRows, of store: String) throws {
    let progress = progressOptions.reporter()
    if let newClass = try newClass.target(besides: store) {
      return try newClass.fill(
        rows.columns, from: rows.origin, hasKey: rows.hasKey, progress: progress
      ) { writer in
        try rows.write(to: writer, progress)
      }
    }
    let start = MonotonicClock.seconds
    let path = output.file.path
    let format = try output.format ?? .byDefault(for: path)
    try rows.source.rejectOutput(to: path)
    let target = try OutputTarget(path, format: format, holding: rows.source.snapshot)
    var style = Display(target.descriptor).style
    style.picture = rows.subject
    let writer = try RowWriter(
      format, columns: rows.columns, measuringOn: ColumnChoice.ellipsoid(for: rows.columns),
      style: style, with: OutputTarget.writers, to: target.sink)
    try rows.write(to: writer, progress)
    try writer.finish()
    writer.noteOmittedColumns()
    try target.finish()
    guard target.isFile else { return }
    progress.finish(
      WorkSummary(
        rows: writer.rowCount, bytes: target.bytesWritten, to: path ?? "-", since: start))
  }
}
