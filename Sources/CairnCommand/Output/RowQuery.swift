import CairnFormats
import CairnGeometry
import CairnQuery
import CairnStorage
import CairnSystem
import CairnValues

/// The work of `query` and `export`: finds the rows, and writes them or the query plan.
struct RowQuery {
  private let source: OpenedClass
  private let query: TableQuery
  private let rows: RowOptions
  private let request: QueryRequest
  private let area: AreaOptions
  /// The origin of distances, `--near`.
  private var origin: GeoPoint? { area.near }

  init(_ target: TargetArguments, area: AreaOptions, rows: RowOptions) throws {
    source = try OpenedClass(target)
    self.rows = rows
    self.area = area
    request = try QueryRequest(source, target: target, area: area)
    var query = source.query
    query.sort = try Order(area, rows: rows, source: source).keys
    query.distinct = try ColumnList.columns(rows.distinct, of: source.schema, option: "--distinct")
      .map { PropertyPath($0.name) }
    query.offset = rows.offset
    query.limit = rows.limit
    self.query = query
  }

  /// Writes the result to a file, or to standard output for nil and `-`.
  func write(
    _ format: OutputFormat, to path: String?,
    progress: any ProgressReporter = SilentProgress(hasSummary: false)
  ) throws {
    let start = MonotonicClock.seconds
    let choice = try columnChoice(format)
    let system = try rows.crs.map { try Self.system($0, columns: choice.columns, format: format) }
    try source.rejectOutput(to: path)
    let target = try OutputTarget(path)
    let screens = TableScreens(rows, format: format, target: target)
    let execution = try request.execution(screens.query(query))
    if rows.explain {
      let text = PrintableText.escaped(execution.explain().description, keeping: ["\n"])
      target.sink.append(text + "\n")
      return try target.finish()
    }
    let writer = try RowWriter(
      format, columns: choice.columns, in: system, style: style(target), to: target.sink)
    let count = try write(
      execution, writer: writer, distance: choice.hasDistance ? distance(format) : nil,
      maxRows: screens.maxRows, progress: progress)
    noteOmittedColumns(writer)
    try target.finish()
    if count > writer.rowCount {
      Console.printMessage(TableScreens.note(writer.rowCount, of: count))
    }
    if count == 0, rows.offset == 0, rows.limit != 0 {
      try SwappedCoordinates(area, of: request).printNoteIfMatching()
    }
    if target.isFile {
      progress.finish(
        WorkSummary(
          rows: writer.rowCount, bytes: target.sink.bytesWritten, to: path ?? "-", since: start))
    }
  }

  private func style(_ target: OutputTarget) -> OutputStyle {
    var style = Display(target.descriptor).style
    style.picture.title = request.title
    style.picture.regions = request.regions
    style.picture.origin = origin
    return style
  }

  private func noteOmittedColumns(_ writer: RowWriter) {
    let names = writer.omittedColumns
    guard !names.isEmpty else { return }
    let some = names.prefix(6).joined(separator: ", ") + (names.count > 6 ? ", …" : "")
    Console.printMessage(
      "Note: \(Quantity.counted(names.count, noun: "column")) did not fit: \(some). "
        + "Choose columns with --select, or use another --format.")
  }

  /// Writes the rows up to the limit of the screen, and counts the others.
  ///
  /// - Returns: The number of all rows.
  private func write(
    _ execution: Execution, writer: RowWriter, distance: DistanceColumn?, maxRows: Int,
    progress: any ProgressReporter
  ) throws -> Int {
    let table = source.table
    var failure: OutputError?
    var count = 0
    execution.forEachKey { key in
      count += 1
      guard count <= maxRows else { return true }
      if writer.rowCount & 0xFFFF == 0xFFFF {
        progress.show(WorkProgress(phase: "writing", rows: writer.rowCount))
      }
      do throws(OutputError) {
        let given = distance.map { [$0.value(of: key, in: table)] } ?? []
        try writer.write(key: key, of: table, given: given)
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure {
      progress.clear()
      throw failure
    }
    try writer.finish()
    return count
  }

  private func columnChoice(_ format: OutputFormat) throws -> ColumnChoice {
    try ColumnChoice(
      rows.select, of: source, isNear: origin != nil,
      isByDistance: query.sort.contains(where: \.isDistance),
      needsLocation: format.needsLocation)
  }

  private func distance(_ format: OutputFormat) throws -> DistanceColumn? {
    try origin.map {
      DistanceColumn(from: $0, to: try source.location(), isRounded: format.isForPeople)
    }
  }

  private static func system(
    _ definition: String, columns: [OutputColumn], format: OutputFormat
  ) throws -> OutputSystem {
    guard !format.isMap else {
      throw Failure(.usage, message: "--crs is not available for the format \(format.rawValue)")
    }
    guard columns.contains(where: \.dependsOnSystem) else {
      throw Failure(.usage, message: "--crs needs a location among the columns")
    }
    do throws(GeometryError) {
      return try OutputSystem(CoordinateSystemName.definition(definition))
    } catch {
      let code: Failure.Code = error.kind == .coordinateSystem ? .usage : Failure(error).code
      throw Failure(code, message: "--crs: \(error.message)")
    }
  }
}

extension WorkSummary {
  /// Creates the summary for rows written to a file.
  fileprivate init(rows: Int, bytes: Int, to path: String, since start: Double) {
    let seconds = MonotonicClock.seconds - start
    let name = PrintableText.escaped(path)
    self.init(
      text: "\(Quantity.counted(rows, noun: "row")) written to \(name), "
        + "\(Quantity.bytes(bytes)) in \(Quantity.seconds(seconds))",
      members: [
        "file": JSONBuilder.string(path), "rows": "\(rows)", "bytes": "\(bytes)",
        "seconds": "\((seconds * 1000).rounded() / 1000)",
      ])
  }
}

/// The part of a table that a terminal shows: a few screens, unless `--limit` is given.
struct TableScreens {
  /// The greatest number of rows to write; `Int.max` for all.
  let maxRows: Int
  /// Whether `--limit 0` means the whole table. When the output is not a terminal, it means no
  /// rows.
  private let showsAll: Bool

  private static let screens = 3
  private static let minRows = 50

  init(_ rows: RowOptions, format: OutputFormat, target: OutputTarget) {
    let size = format == .table && !rows.explain ? System.size(of: target.descriptor) : nil
    showsAll = size != nil && rows.limit == 0
    maxRows =
      rows.limit == nil
      ? size.map { max(Self.minRows, Self.screens * $0.rows) } ?? .max : .max
  }

  /// The query, without a limit if `--limit 0` means the whole table.
  func query(_ query: TableQuery) -> TableQuery {
    var query = query
    if showsAll { query.limit = nil }
    return query
  }

  /// The note after a truncated table.
  static func note(_ shown: Int, of count: Int) -> String {
    "Note: showing \(Quantity.grouped(shown)) of \(Quantity.counted(count, noun: "row")); "
      + "--limit 0 shows all, --output FILE writes all."
  }
}
