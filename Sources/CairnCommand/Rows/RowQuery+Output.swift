import CairnGeometry
import CairnIO
import CairnQuery
import CairnRequest
import CairnStorage
import CairnSystem
import CairnValues

extension RowQuery {
  /// Writes the result.
  func write(
    to output: RowOutput, progress: any ProgressReporter = SilentProgress(hasSummary: false)
  ) throws {
    switch output {
    case .file(let format, let path): try write(format, to: path, progress: progress)
    case .folder(let path): try write(folder: path, progress: progress)
    }
  }

  /// Writes the result to a folder with a folder for each value of the columns of `--partition-by`, and the rows
  /// there in the order of the result.
  ///
  /// The rows are found once. Then one file after the other is written, so that only one is open.
  func write(
    folder path: String, progress: any ProgressReporter = SilentProgress(hasSummary: false)
  ) throws {
    let start = MonotonicClock.seconds
    try requireRows()
    let geometry = request.arguments.area.geometry
    let folders = try FolderColumns(
      rows.parquet.partitionBy, of: request.source, geometry: geometry)
    let simplified = try simplifiedColumn()
    var choice = try columnChoice(.parquet, simplified: simplified)
    let exploded = try explodedColumn(&choice)
    let columns = try folders.leavingOut(of: choice.columns)
    let system = try rows.crs.map { try Self.system($0, columns: columns, format: .parquet) }
    var style = OutputStyle()
    style.rowGroupSize = try rows.parquet.groupSize(for: .parquet)
    try source.rejectOutput(to: path)
    let execution = try request.execution(query)
    let parts = try folders.parts(of: execution)
    try request.source.requireComputed()
    let geometries = try simplified?.geometries(of: execution, progress: progress).inAnyOrder()
    let distance = try choice.hasDistance ? self.distance(.parquet) : nil
    var computed = try ComputedValues(
      choice.computed, on: source.table,
      distance: request.origin.map { try $0.reader(of: source.table) })
    // A folder that is not complete is removed before a signal ends the process.
    Interruption.prepare()
    let written: (folder: OutputFolder, rowCount: Int)
    do {
      written = try write(parts, to: OutputFolder(path), progress: progress) { part, sink in
        let writer = try RowWriter(
          .parquet, columns: columns, in: system,
          measuringOn: ColumnChoice.ellipsoid(for: columns), style: style,
          with: OutputTarget.writers, to: sink)
        _ = try write(
          writer, distance: distance, computed: &computed, geometries: geometries,
          exploded: exploded, maxRows: .max, progress: SilentProgress(hasSummary: false)
        ) { size, visit in
          for start in stride(from: 0, to: part.keys.count, by: size) {
            let keys = Array(part.keys[start..<min(part.keys.count, start + size)])
            if Interruption.isPending || !visit(keys) { return }
          }
        }
        try writer.finish()
        return writer.rowCount
      }
    } catch {
      progress.clear()
      Interruption.endProcess()
      throw error
    }
    if written.rowCount == 0 { Console.printMessage("Note: no row matches, so \(path) is empty.") }
    progress.finish(
      WorkSummary(written.folder, rows: written.rowCount, to: path, since: start)
        .adding(geometries?.summary))
  }

  /// Writes a file for each part.
  ///
  /// - Parameter write: Writes the rows of a part, and returns their number.
  private func write(
    _ parts: [FolderColumns.Part], to folder: OutputFolder, progress: any ProgressReporter,
    write: (FolderColumns.Part, OutputSink) throws -> Int
  ) throws -> (folder: OutputFolder, rowCount: Int) {
    var rowCount = 0
    for part in parts {
      progress.show(WorkProgress(phase: "writing", rows: rowCount))
      let (file, path) = try folder.file(in: part.folders)
      let count = try write(part, file.sink)
      guard !Interruption.isPending else {
        throw Failure(.io, message: "the work was stopped; nothing was written")
      }
      // Nothing may be left of all rows of a part, as of geometries that are cut.
      if count > 0 { try folder.complete(file, path) }
      rowCount += count
    }
    try UsedFiles.requireKept()
    try folder.publish()
    return (folder, rowCount)
  }

  /// Throws for options that do not apply to a folder.
  private func requireRows() throws {
    if rows.explain {
      throw Failure(
        .usage, message: "--explain prints a plan, and \(FolderColumns.option) writes rows")
    }
    _ = try rows.csv.style(for: .parquet)
  }
}

extension WorkSummary {
  /// The summary for rows written to the files of a folder.
  fileprivate init(_ folder: OutputFolder, rows: Int, to path: String, since start: Double) {
    let seconds = MonotonicClock.seconds - start
    self.init(
      text: "\(Quantity.counted(rows, noun: "row")) written to "
        + "\(Quantity.counted(folder.fileCount, noun: "file")) in \(PrintableText.escaped(path)), "
        + "\(Quantity.bytes(folder.bytesWritten)) in \(Quantity.seconds(seconds))",
      members: [
        "file": JSONBuilder.string(path), "files": "\(folder.fileCount)", "rows": "\(rows)",
        "bytes": "\(folder.bytesWritten)", "seconds": "\((seconds * 1000).rounded() / 1000)",
      ])
  }
}
