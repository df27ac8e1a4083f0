package import CairnGeometry
package import CairnStorage
package import CairnValues

/// A row of a table, as one of several that make a row of the output.
package struct TableRow {
  package let key: Int
  package let table: Table

  package init(_ key: Int, of table: Table) {
    self.key = key
    self.table = table
  }
}

/// Writes rows in one of the output formats, either as values or directly from the columns of one
/// table or of two.
///
///     let writer = try RowWriter(.csv, columns: columns, to: sink)
///     for key in keys { try writer.write(key: key, of: table) }
///     try writer.finish()
package final class RowWriter {
  /// The columns of the output.
  package let columns: [OutputColumn]
  /// The number of rows written.
  package private(set) var rowCount = 0
  private let sink: OutputSink
  private var encoder: any RowEncoder
  private let system: OutputSystem?
  private let ellipsoid: Ellipsoid?
  private let hasParts: Bool
  private var cells: [Cell]
  private var chunks: [Chunk?]
  /// The readers of the columns whose values need more than a chunk; nil for the others.
  private var readers: [CellReader?]
  private var tables: [TableColumns]
  /// The indices of the columns whose values are given with each row.
  private let given: [Int]
  private var dates: DateColumns
  /// Rows of one table that a format of columns takes at once.
  private var pending = PendingRows()
  /// Whether the encoder takes rows of a table at once, if their columns allow it.
  private let isColumnar: Bool
  /// Whether they do for the table that was opened last.
  private var takesRows = false

  /// The columns of one table, and the chunk of it that was opened last.
  private struct TableColumns {
    let columns: [Int]
    var chunkIndex = -1
    var table: Table?
  }

  /// Begins the output.
  ///
  /// - Parameters:
  ///   - system: The coordinate system of the locations; nil for degrees of WGS 84.
  ///   - ellipsoid: The ellipsoid for measures; without it they are null.
  ///   - style: The layout of formats for people.
  ///   - writers: The writers of formats of other modules.
  /// - Throws: `.noLocation` when the format needs a location and no column is one; `.unnamedSystem`
  ///   when a GeoJSON format cannot name the system.
  package convenience init(
    _ format: OutputFormat, columns: [OutputColumn], in system: OutputSystem? = nil,
    measuringOn ellipsoid: Ellipsoid? = nil, style: OutputStyle = OutputStyle(),
    with writers: [any FormatWriter] = [], to sink: OutputSink
  ) throws(OutputError) {
    var encoder = try Self.encoder(format, columns: columns, system: system, style: style)
    if encoder == nil {
      encoder = try Self.encoder(
        format, columns: columns, system: system, style: style, of: writers)
    }
    guard let encoder else {
      throw .file(.library, "this program does not write the format \(format.rawValue)")
    }
    try self.init(
      columns, to: encoder, in: system, measuringOn: ellipsoid, dates: style.dates, sink: sink)
  }

  /// Begins an output that an encoder takes, which need not write to a sink.
  package convenience init(
    _ columns: [OutputColumn], to encoder: any RowEncoder, measuringOn ellipsoid: Ellipsoid? = nil
  ) throws(OutputError) {
    try self.init(
      columns, to: encoder, in: nil, measuringOn: ellipsoid, dates: nil,
      sink: .memory())
  }

  private init(
    _ columns: [OutputColumn], to encoder: any RowEncoder, in system: OutputSystem?,
    measuringOn ellipsoid: Ellipsoid?, dates form: ISODate.Form?, sink: OutputSink
  ) throws(OutputError) {
    self.columns = columns
    self.sink = sink
    self.system = system
    self.ellipsoid = ellipsoid
    self.encoder = encoder
    isColumnar = system == nil && encoder is any ColumnarEncoder
    hasParts = columns.contains { $0.part != nil }
    readers = columns.map {
      if case .path = $0.source { CellReader() } else { nil }
    }
    cells = Array(repeating: .null, count: columns.count)
    chunks = Array(repeating: nil, count: columns.count)
    given = columns.indices.filter { if case .given = columns[$0].source { true } else { false } }
    dates = DateColumns(columns, form: form)
    tables = (0..<2).map { table in
      TableColumns(columns: columns.indices.filter { columns[$0].table == table })
    }
    try self.encoder.begin(sink)
  }

  /// Returns the encoder of a format of this module; nil for another format.
  private static func encoder(
    _ format: OutputFormat, columns: [OutputColumn], system: OutputSystem?, style: OutputStyle
  ) throws(OutputError) -> (any RowEncoder)? {
    switch format {
    case .table: TableEncoder(columns, width: style.width)
    case .markdown: MarkdownEncoder(columns)
    case .csv:
      CSVEncoder(
        columns, isProjected: system != nil, style: style.csv,
        delimiter: UInt8(ascii: style.csv.hasDecimalCommas ? ";" : ","))
    case .tsv:
      CSVEncoder(
        columns, isProjected: system != nil, style: style.csv, delimiter: UInt8(ascii: "\t"))
    case .json: JSONEncoder(columns, isArray: true)
    case .jsonl: JSONEncoder(columns, isArray: false)
    case .geojson, .geojsonl: try geoJSON(format, columns: columns, system: system, style: style)
    case .wkt: try WKTEncoder(columns)
    case .fgb: style.flatGeobuf.map { FlatGeobufEncoder(columns, system: system, style: $0) }
    case .map, .svg, .html, .gpkg, .shp, .kml, .gpx, .parquet, .arrow, .feather: nil
    }
  }

  /// Returns the encoder of a format of another module.
  private static func encoder(
    _ format: OutputFormat, columns: [OutputColumn], system: OutputSystem?, style: OutputStyle,
    of writers: [any FormatWriter]
  ) throws(OutputError) -> (any RowEncoder)? {
    for writer in writers {
      if let encoder = try writer.encoder(format, columns: columns, system: system, style: style) {
        return encoder
      }
    }
    return nil
  }

  private static func geoJSON(
    _ format: OutputFormat, columns: [OutputColumn], system: OutputSystem?, style: OutputStyle
  ) throws(OutputError) -> GeoJSONEncoder {
    let isCollection = format == .geojson
    if let features = style.features {
      return GeoJSONEncoder(columns, isCollection: isCollection, style: features)
    }
    return try GeoJSONEncoder(columns, isCollection: isCollection, system: system)
  }

  /// The names of columns that did not fit.
  package var omittedColumns: [String] { (encoder as? TableEncoder)?.omitted ?? [] }

  /// Writes rows of values, in the order of the columns. These are all rows of the output.
  package func write(_ rows: [[Value]]) throws(OutputError) {
    dates.decide(rows)
    for row in rows {
      for (cellIndex, value) in row.enumerated() { cells[cellIndex] = Cell(value) }
      try writeCells()
    }
  }

  /// Writes a row of a table.
  ///
  /// - Parameter given: Returns the value of a column whose source is `.given`, by its index there.
  package func write(
    key: Int, of table: Table, given: (Int) -> Value = { _ in .null }
  ) throws(OutputError) {
    if isColumnar, try add(key, of: table) { return }
    try take(TableRow(key, of: table), index: 0)
    takeGiven(given)
    try writeCells()
  }

  /// Adds a row to those that the encoder takes at once. Returns false if it does not.
  private func add(_ key: Int, of table: Table) throws(OutputError) -> Bool {
    if pending.table !== table {
      try writePending()
      takesRows = PendingRows.fit(columns, of: table)
    }
    guard takesRows else { return false }
    pending.add(key, of: table)
    rowCount += 1
    if pending.isFull { try writePending() }
    return true
  }

  private func writePending() throws(OutputError) {
    guard var columnar = encoder as? any ColumnarEncoder else { return }
    try pending.take { (keys, table) throws(OutputError) in
      try columnar.encode(keys, of: table, sink: sink)
      try sink.flushWhenFull()
    }
    encoder = columnar
  }

  /// Writes a row of two tables, one of them possibly missing. The columns of a missing row are null.
  ///
  /// - Parameter given: Returns the value of a column whose source is `.given`, by its index there.
  package func write(
    _ left: TableRow?, and right: TableRow?, given: (Int) -> Value = { _ in .null }
  ) throws(OutputError) {
    for (index, row) in [left, right].enumerated() {
      if let row {
        try take(row, index: index)
      } else {
        for cellIndex in tables[index].columns { cells[cellIndex] = .null }
      }
    }
    takeGiven(given)
    try writeCells()
  }

  private func takeGiven(_ value: (Int) -> Value) {
    for cellIndex in given {
      guard case .given(let index) = columns[cellIndex].source else { continue }
      cells[cellIndex] = Cell(value(index))
    }
  }

  /// Takes the cells of a row from its table.
  private func take(_ tableRow: TableRow, index: Int) throws(OutputError) {
    let (key, table) = (tableRow.key, tableRow.table)
    open(RowAddress(key).chunk, of: table, index: index)
    let row = RowAddress(key).row
    for cellIndex in tables[index].columns {
      let column = columns[cellIndex]
      switch column.source {
      case .given: break
      case .stored(let position):
        if let chunk = chunks[cellIndex] {
          cells[cellIndex] = Cell(chunk, row: row, type: column.type)
        } else if let reader = readers[cellIndex] {
          cells[cellIndex] = try reader.cell(position, of: table, at: key)
        }
      case .path(let path, _):
        if let reader = readers[cellIndex] {
          cells[cellIndex] = try reader.cell(along: path, of: table, at: key)
        }
      case .part:
        if let chunk = chunks[cellIndex] { cells[cellIndex] = Cell(chunk, row: row, type: .point) }
      case .measure(let measure, _):
        cells[cellIndex] =
          chunks[cellIndex].flatMap { self.measure(measure, in: $0, row: row) } ?? .null
      }
    }
  }

  private func measure(_ measure: GeometryMeasure, in chunk: Chunk, row: Int) -> Cell? {
    guard let ellipsoid, !chunk.isNull(row) else { return nil }
    return measure.value(chunk.geometry(at: row), on: ellipsoid).map { .double($0) }
  }

  private func open(_ chunkIndex: Int, of table: Table, index: Int) {
    guard chunkIndex != tables[index].chunkIndex || tables[index].table !== table else { return }
    for cellIndex in tables[index].columns {
      switch columns[cellIndex].source {
      case .stored(let position) where CellReader.isNeeded(for: table.schema.columns[position]):
        chunks[cellIndex] = nil
        if readers[cellIndex] == nil { readers[cellIndex] = CellReader() }
      case .stored(let position), .part(_, of: let position), .measure(_, of: let position):
        chunks[cellIndex] = table.column(position).chunk(chunkIndex)
      case .given, .path: break
      }
    }
    tables[index].chunkIndex = chunkIndex
    if tables[index].table == nil { dates.decide(table, index: index) }
    if tables[index].table !== table { encoder.prepare(for: table, index: index) }
    tables[index].table = table
  }

  private func writeCells() throws(OutputError) {
    dates.set(&cells)
    if hasParts { takeParts() }
    if let system {
      for cellIndex in cells.indices { cells[cellIndex] = try system.cell(cells[cellIndex]) }
    }
    if hasParts { writeParts() }
    let failure = cells.withUnsafeBufferPointer { row -> OutputError? in
      do throws(OutputError) {
        try encoder.encode(row, sink: sink)
        return nil
      } catch { return error }
    }
    if let failure { throw failure }
    rowCount += 1
    try sink.flushWhenFull()
  }

  /// Replaces latitude and longitude columns by degrees, whatever the system.
  private func takeParts() {
    for (cellIndex, column) in columns.enumerated() {
      guard let part = column.part, case .point(let position) = cells[cellIndex] else { continue }
      switch part {
      case .latitude: cells[cellIndex] = .double(position.latitude)
      case .longitude: cells[cellIndex] = .double(position.longitude)
      case .wkt: break
      }
    }
  }

  /// Replaces WKT columns by text, after their locations were converted to the system of the
  /// output.
  private func writeParts() {
    for (cellIndex, column) in columns.enumerated() {
      guard column.part == .wkt, let text = cells[cellIndex].pointText() else { continue }
      cells[cellIndex] = .string(text)
    }
  }

  /// Ends the output and writes everything to the descriptor.
  package func finish() throws(OutputError) {
    try writePending()
    try encoder.end(sink)
    try sink.flush()
  }
}
