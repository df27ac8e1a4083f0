import CairnFormats
import CairnGeometry
import CairnQuery
import CairnStorage
import CairnValues

/// What `query` and `export` do: find rows, and write them or how they are found.
struct RowQuery {
  private let source: Source
  private let query: TableQuery
  private let rows: RowOptions
  private let question: Question
  private let area: AreaOptions
  /// Where distances begin: `--near`.
  private var origin: GeoPoint? { area.near }

  init(_ target: TargetArguments, _ area: AreaOptions, _ rows: RowOptions) throws {
    source = try Source(target)
    self.rows = rows
    self.area = area
    question = try Question(source, target, area)
    var query = question.query
    query.sort = try Order(area, rows, source).keys
    query.distinct = try ColumnList.columns(rows.distinct, of: source.schema, option: "--distinct")
      .map { PropertyPath($0.name) }
    query.offset = rows.offset
    query.limit = rows.limit
    self.query = query
  }

  /// Writes the answer to a file, or to standard output for nil and `-`.
  func write(
    _ format: OutputFormat, to path: String?,
    _ progress: any ProgressReporter = SilentProgress(hasSummary: false)
  ) throws {
    let start = System.now()
    let choice = try columnChoice(format)
    let system = try rows.crs.map { try Self.system($0, choice.columns, format) }
    try source.refuse(path)
    let target = try OutputTarget(path)
    let screens = TableScreens(rows, format, target)
    let execution = try Execution(screens.query(query), on: source.table)
    if rows.explain {
      let text = PrintableText.escaped(execution.explain().description, keeping: ["\n"])
      target.sink.append(text + "\n")
      return try target.finish()
    }
    let writer = try RowWriter(
      format, columns: choice.columns, in: system, style: style(target), to: target.sink)
    let count = try write(
      execution, writer, choice.hasDistance ? distance(format) : nil, screens.mostRows, progress)
    sayWhatIsOmitted(writer)
    try target.finish()
    if count > writer.rowCount { Console.say(TableScreens.note(writer.rowCount, of: count)) }
    if count == 0, rows.offset == 0, rows.limit != 0 {
      try ExchangedPlace(area, of: question).sayIfMeant()
    }
    if target.isFile {
      progress.finish(
        WorkSummary(
          rows: writer.rowCount, bytes: target.sink.bytesWritten, to: path ?? "-", since: start))
    }
  }

  private func style(_ target: OutputTarget) -> OutputStyle {
    var style = Display(target.descriptor).style
    style.picture.title = question.title
    style.picture.regions = question.regions
    style.picture.origin = origin
    return style
  }

  private func sayWhatIsOmitted(_ writer: RowWriter) {
    let names = writer.omittedColumns
    guard !names.isEmpty else { return }
    let some = names.prefix(6).joined(separator: ", ") + (names.count > 6 ? ", …" : "")
    Console.say(
      "Note: \(Quantity.counted(names.count, "column")) did not fit: \(some). --select chooses, --format has others."
    )
  }

  /// Writes the rows, and counts those that come after the last that is written.
  ///
  /// - Returns: how many rows there are.
  private func write(
    _ execution: Execution, _ writer: RowWriter, _ distance: DistanceColumn?, _ mostRows: Int,
    _ progress: any ProgressReporter
  ) throws -> Int {
    let table = source.table
    var failure: OutputError?
    var count = 0
    execution.forEachKey { key in
      count += 1
      guard count <= mostRows else { return true }
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
    _ definition: String, _ columns: [OutputColumn], _ format: OutputFormat
  ) throws -> OutputSystem {
    guard !format.isPicture else {
      throw Failure(.usage, "--crs is for coordinates that are written, not for \(format.rawValue)")
    }
    guard columns.contains(where: \.isPlace) else {
      throw Failure(.usage, "--crs is for the location, which is not among the columns")
    }
    do throws(GeometryError) {
      return try OutputSystem(SystemName.definition(definition))
    } catch {
      let code: Failure.Code = error.kind == .coordinateSystem ? .usage : Failure(error).code
      throw Failure(code, "--crs: \(error.message)")
    }
  }
}

extension WorkSummary {
  /// Of rows that were written to a file.
  fileprivate init(rows: Int, bytes: Int, to path: String, since start: Double) {
    let seconds = System.now() - start
    self.init(
      text:
        "\(Quantity.counted(rows, "row")) written to \(PrintableText.escaped(path)), \(Quantity.bytes(bytes)) in \(Quantity.seconds(seconds))",
      members: [
        "file": JSONBuilder.string(path), "rows": "\(rows)", "bytes": "\(bytes)",
        "seconds": "\((seconds * 1000).rounded() / 1000)",
      ])
  }
}
