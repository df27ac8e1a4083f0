import CairnGeometry
import CairnIO
import CairnQuery
import CairnRequest
import CairnStorage
import CairnSystem
import CairnValues

/// The work of `query` and `export`: finds the rows, and writes them or the query plan.
struct RowQuery {
  let source: OpenedClass
  /// The rows and columns that the query reads.
  private let fetch: RowFetch
  let query: TableQuery
  let rows: RowOptions
  let request: QueryRequest
  private let isByDistance: Bool
  /// The column of new geometries, without which rows are left out; nil for none.
  private let replaced: ComputedColumn?
  /// How the geometries that are written are simplified; nil for those of the store.
  private let simplification: Simplification?

  /// - Parameters:
  ///   - mode: Whether the store is only read.
  ///   - change: Returns the column of new geometries that takes the place of the old ones, and adds
  ///     conditions. Rows for which the column is null are left out.
  ///   - simplification: How to simplify the geometries that are written.
  init(
    _ arguments: RowArguments, rows: RowOptions, format: OutputFormat,
    mode: Store.Mode = .readOnly,
    replacing change: (OpenedClass, inout RowArguments) throws -> ComputedColumn? = { _, _ in nil },
    simplifying simplification: Simplification? = nil
  ) throws {
    self.rows = rows
    self.simplification = simplification
    var needs = RowNeeds(rows, format: format)
    if simplification != nil { needs.needsLocation = true }
    var arguments = arguments
    arguments.reads = needs
    arguments.needsAll = rows.explain
    let described = try OpenedClass(describing: arguments, mode: mode).measuring()
      .computing(namesOf: rows.select).computing(formulasOf: rows.parquet.partitionBy)
    replaced = try change(described, &arguments)
    let asked = try QueryRequest(described, arguments)
    let order = try Order(
      asked, sort: rows.sort, limit: rows.limit,
      computed: Self.computed(rows, of: described, isNear: asked.origin != nil), source: described)
    isByDistance = order.keys.contains(where: \.isDistance)
    if order.stored == nil { needs.limit = nil }
    fetch = asked.fetch(needs, sort: order.stored ?? [])
    source = rows.explain ? described : try described.holding(fetch)
    request = source.backend.holdsAllRows ? asked : try asked.bound(to: source)
    var query = source.query
    query.distinct = try ColumnList.columns(rows.distinct, of: source.schema, option: "--distinct")
      .map { PropertyPath($0.name) }
    query.offset = rows.offset
    query.limit = rows.limit
    if let count = rows.sample {
      var sample = RowSample(seed: rows.seed.map(UInt64.init))
      query.source = .keys(sample.keys(count, of: try request.execution().keys()))
    }
    if let keys = order.stored {
      query.sort = keys
    } else if rows.explain {
      throw Failure(.usage, message: "--explain has no plan for an order by a computed column")
    } else {
      query.source = .keys(try ComputedOrder(order, of: request).keys(query))
    }
    self.query = query
  }

  /// The computed columns of `--select`, if the rows are sorted.
  private static func computed(
    _ rows: RowOptions, of source: OpenedClass, isNear: Bool
  ) throws -> [ComputedColumn] {
    if rows.sort.isEmpty || rows.select.isEmpty { return [] }
    return try ColumnChoice(
      rows.select, of: source, isNear: isNear, isByDistance: false, needsLocation: false
    ).computed
  }

  /// Writes the result to a file, or to standard output for nil and `-`.
  func write(
    _ format: OutputFormat, to path: String?,
    progress: any ProgressReporter = SilentProgress(hasSummary: false)
  ) throws {
    let start = MonotonicClock.seconds
    let simplified = try simplifiedColumn()
    var choice = try columnChoice(format, simplified: simplified)
    let exploded = try explodedColumn(&choice)
    let system = try rows.crs.map { try Self.system($0, columns: choice.columns, format: format) }
    let dialect = try rows.csv.style(for: format)
    let groupSize = try rows.parquet.groupSize(for: format)
    try source.rejectOutput(to: path)
    let target = try OutputTarget(
      path, format: rows.explain ? nil : format, holding: source.snapshot)
    let screens = TableScreens(
      limit: rows.limit, format: rows.explain ? nil : format, target: target)
    var query = query
    query.limit = screens.limit
    let execution = try request.execution(query)
    if rows.explain {
      let plan = try source.backend.plan(fetch)
      let text = PrintableText.escaped(
        plan ?? execution.explain().description, keeping: ["\n"])
      try request.source.requireComputed()
      target.sink.append(text + "\n")
      return try target.finish()
    }
    let geometries = try simplified?.geometries(of: execution, progress: progress)
    let writer = try RowWriter(
      format, columns: choice.columns, in: system,
      measuringOn: ColumnChoice.ellipsoid(for: choice.columns),
      style: style(target, dialect: dialect, groupSize: groupSize), with: OutputTarget.writers,
      to: target.sink)
    let distance = try choice.hasDistance ? self.distance(format) : nil
    var computed = try ComputedValues(
      choice.computed, on: source.table,
      distance: request.origin.map { try $0.reader(of: source.table) })
    let count = try write(
      writer, distance: distance, computed: &computed, geometries: geometries,
      exploded: exploded, maxRows: screens.maxRows, progress: progress,
      rows: execution.forEachBatch)
    try writer.finish()
    writer.noteOmittedColumns()
    try target.finish()
    if count > writer.rowCount {
      Console.printMessage(TableScreens.note(writer.rowCount, of: count))
    }
    if count == 0, rows.offset == 0, rows.limit != 0 {
      try SwappedCoordinates(of: request).printNoteIfMatching()
    }
    if target.isFile {
      progress.finish(
        WorkSummary(
          rows: writer.rowCount, bytes: target.bytesWritten, to: path ?? "-", since: start
        )
        .adding(geometries?.summary))
    } else if let geometries {
      progress.finish(geometries.summary)
    }
  }

  /// Writes the result into a new class.
  func write(
    into target: NewClass,
    progress: any ProgressReporter = SilentProgress(hasSummary: true)
  ) throws {
    let format = OutputFormat.jsonl
    let simplified = try simplifiedColumn()
    var choice = try columnChoice(format, simplified: simplified)
    let exploded = try explodedColumn(&choice)
    let execution = try request.execution(query)
    let geometries = try simplified?.geometries(of: execution, progress: progress)
    let distance = try choice.hasDistance ? self.distance(format) : nil
    var computed = try ComputedValues(
      choice.computed, on: source.table,
      distance: request.origin.map { try $0.reader(of: source.table) })
    try target.fill(
      choice.columns, from: origin, hasKey: exploded == nil, progress: progress,
      adding: geometries?.summary
    ) { writer in
      _ = try write(
        writer, distance: distance, computed: &computed, geometries: geometries,
        exploded: exploded, maxRows: .max, progress: progress, rows: execution.forEachBatch)
    }
  }

  /// The column of the class that an output column shows unchanged.
  private func origin(_ column: OutputColumn) -> ColumnSchema? {
    if column.source == SimplifiedColumn.source || column.source == ExplodedColumn.source {
      return source.schema.column(named: column.name)
    }
    guard case .stored(let position) = column.source else { return nil }
    let origin = source.schema.columns[position]
    return origin.isHidden ? nil : origin
  }

  /// The geometry that is simplified; nil without a simplification.
  func simplifiedColumn() throws -> SimplifiedColumn? {
    try simplification.map {
      try SimplifiedColumn(request.arguments.area.geometry, of: source, by: $0)
    }
  }

  /// The geometry that is taken apart; nil without `--explode`.
  func explodedColumn(_ choice: inout ColumnChoice) throws -> ExplodedColumn? {
    guard let name = rows.explode else { return nil }
    return try ExplodedColumn(name, in: &choice, of: source.table)
  }

  private func style(
    _ target: OutputTarget, dialect: CSVStyle, groupSize: Int?
  ) -> OutputStyle {
    var style = Display(target.descriptor).style
    style.csv = dialect
    style.rowGroupSize = groupSize
    style.picture = request.subject
    let areNearest = request.arguments.area.wantsNearest && rows.sort.isEmpty
    if let limit = rows.limitWords(areNearest: areNearest) { style.picture.title += ", \(limit)" }
    style.picture.colour = rows.picture.colourBy
    style.picture.size = rows.picture.sizeBy
    return style
  }

  /// Writes the rows up to the limit of the screen, and counts the others.
  ///
  /// - Parameter rows: Passes the keys of the rows, so many at a time, to a function, until it returns
  ///   false.
  /// - Returns: The number of all rows.
  func write(
    _ writer: RowWriter, distance: DistanceColumn?, computed: inout ComputedValues,
    geometries: SimplifiedGeometries?, exploded: ExplodedColumn?, maxRows: Int,
    progress: any ProgressReporter, rows: (Int, ([Int]) -> Bool) -> Void
  ) throws -> Int {
    let table = source.table
    var failure: (any Error)?
    // The rows that were found, those of them that were looked at, and the rows that are left out, less
    // those that parts have added.
    var (count, position, leftOut) = (0, 0, 0)
    var nextReport = 1 << 16
    // Rows as they are stored are written without a look at each.
    let isPlain = distance == nil && computed.isEmpty && geometries == nil && exploded == nil
    func writeBatch(_ batch: [Int]) throws {
      if writer.rowCount >= nextReport {
        progress.show(WorkProgress(phase: "writing", rows: writer.rowCount))
        nextReport += 1 << 16
      }
      if isPlain { return try writer.write(batch, of: table) }
      try computed.compute(batch)
      for (row, key) in batch.enumerated() {
        defer { position += 1 }
        if let last = computed.results.indices.last, replaced != nil,
          computed.isNull(last, row: row)
        {
          leftOut += 1
          continue
        }
        func given(_ index: Int) -> Value {
          switch index {
          case SimplifiedColumn.index: geometries?.value(of: key, at: position) ?? .null
          case 0: distance?.value(of: key) ?? .null
          default: computed.value(index - 1, row: row)
          }
        }
        guard let exploded else {
          try writer.write(key: key, of: table, given: given)
          continue
        }
        let parts = exploded.parts(of: key, given: given)
        leftOut -= parts.count - 1
        for part in parts {
          try writer.write(key: key, of: table) { $0 == exploded.index ? part : given($0) }
        }
      }
    }
    rows(isPlain ? RowWriter.batchSize : FormulaVector.capacity) { keys in
      let shown = keys.prefix(max(0, maxRows - count))
      count += keys.count
      do {
        if !shown.isEmpty { try writeBatch(Array(shown)) }
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
    try request.source.requireComputed()
    return count - leftOut
  }

  func columnChoice(
    _ format: OutputFormat, simplified: SimplifiedColumn?
  ) throws -> ColumnChoice {
    var choice = try ColumnChoice(
      rows.select, of: source, isNear: request.origin != nil,
      isByDistance: isByDistance,
      needsLocation: format.needsLocation,
      pictured: rows.picture.columns + (simplified.map { [("--geometry", $0.name)] } ?? []),
      replacing: replaced)
    if let simplified { choice.replace(simplified.position, by: SimplifiedColumn.source) }
    try rows.picture.check(format, columns: choice.columns)
    return choice
  }

  func distance(_ format: OutputFormat) throws -> DistanceColumn? {
    try request.origin.map {
      try DistanceColumn(from: $0, of: source.table, isRounded: format.isForPeople)
    }
  }

  static func system(
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
  init(rows: Int, bytes: Int, to path: String, since start: Double) {
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

extension RowNeeds {
  /// The needs of `query` and `export`.
  fileprivate init(_ rows: RowOptions, format: OutputFormat) {
    isAll = rows.select.isEmpty || rows.select.contains { $0.contains("*") }
    // A cell names no location.
    needsLocation = format.needsLocation || !rows.parquet.partitionBy.isEmpty
    texts =
      rows.select + rows.sort + rows.distinct + rows.picture.columns.map(\.name)
      + rows.parquet.partitionBy
    if let name = rows.explode { texts.append(name) }
    if rows.distinct.isEmpty, rows.sample == nil {
      limit = rows.limit.map { $0.addingReportingOverflow(rows.offset) }
        .flatMap { $0.overflow ? nil : $0.partialValue }
    }
  }
}
