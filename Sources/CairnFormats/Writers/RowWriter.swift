package import CairnStorage
package import CairnValues

/// Writes rows in one of the output formats, either as values or directly from the columns of a
/// table.
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
  private let hasParts: Bool
  private var cells: [Cell]
  private var chunks: [Chunk?]
  /// The readers of the columns whose values need more than a chunk; nil for the others.
  private var readers: [CellReader?]
  private var chunkIndex = -1
  private var chunkTable: Table?

  /// Begins the output.
  ///
  /// - Parameters:
  ///   - system: The coordinate system of the locations; nil for degrees of WGS 84.
  ///   - style: The layout of formats for people.
  /// - Throws: `.noLocation` when the format needs a location and no column is one; `.unnamedSystem`
  ///   when a GeoJSON format cannot name the system.
  package init(
    _ format: OutputFormat, columns: [OutputColumn], in system: OutputSystem? = nil,
    style: OutputStyle = OutputStyle(), to sink: OutputSink
  ) throws(OutputError) {
    self.columns = columns
    self.sink = sink
    self.system = system
    encoder = try Self.encoder(format, columns: columns, system: system, style: style)
    hasParts = columns.contains { $0.part != nil }
    readers = columns.map {
      if case .path = $0.source { CellReader() } else { nil }
    }
    cells = Array(repeating: .null, count: columns.count)
    chunks = Array(repeating: nil, count: columns.count)
    try encoder.begin(sink)
  }

  private static func encoder(
    _ format: OutputFormat, columns: [OutputColumn], system: OutputSystem?, style: OutputStyle
  ) throws(OutputError) -> any RowEncoder {
    switch format {
    case .table: TableEncoder(columns, width: style.width)
    case .markdown: MarkdownEncoder(columns)
    case .csv: CSVEncoder(columns, isProjected: system != nil)
    case .tsv: CSVEncoder(columns, isProjected: system != nil, delimiter: UInt8(ascii: "\t"))
    case .json: JSONEncoder(columns, isArray: true)
    case .jsonl: JSONEncoder(columns, isArray: false)
    case .geojson: try GeoJSONEncoder(columns, isCollection: true, system: system)
    case .geojsonl: try GeoJSONEncoder(columns, isCollection: false, system: system)
    case .wkt: try WKTEncoder(columns)
    case .map: MapEncoder(try MapColumns(columns), style: style)
    case .svg: SVGEncoder(try MapColumns(columns), subject: style.picture)
    case .html: HTMLEncoder(try MapColumns(columns), subject: style.picture)
    }
  }

  /// The names of columns that did not fit.
  package var omittedColumns: [String] { (encoder as? TableEncoder)?.omitted ?? [] }

  /// Writes a row of values, in the order of the columns.
  package func write(_ row: [Value]) throws(OutputError) {
    for (cellIndex, value) in row.enumerated() { cells[cellIndex] = Cell(value) }
    try writeCells()
  }

  /// Writes a row of a table. Columns whose source is `.given` take their values from `given`.
  package func write(key: Int, of table: Table, given: [Value] = []) throws(OutputError) {
    open(key >> ChunkShape.shift, of: table)
    let row = key & (ChunkShape.rows - 1)
    for (cellIndex, column) in columns.enumerated() {
      switch column.source {
      case .given(let index):
        cells[cellIndex] = Cell(given[index])
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
      }
    }
    try writeCells()
  }

  private func open(_ index: Int, of table: Table) {
    guard index != chunkIndex || chunkTable !== table else { return }
    for (cellIndex, column) in columns.enumerated() {
      switch column.source {
      case .stored(let position) where CellReader.isNeeded(for: table.schema.columns[position]):
        chunks[cellIndex] = nil
        if readers[cellIndex] == nil { readers[cellIndex] = CellReader() }
      case .stored(let position), .part(_, of: let position):
        chunks[cellIndex] = table.column(position).chunk(index)
      case .given, .path: break
      }
    }
    chunkIndex = index
    chunkTable = table
  }

  private func writeCells() throws(OutputError) {
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
      guard column.part == .wkt, let text = WKTText.text(cells[cellIndex]) else { continue }
      cells[cellIndex] = .string(text)
    }
  }

  /// Ends the output and writes everything to the descriptor.
  package func finish() throws(OutputError) {
    try encoder.end(sink)
    try sink.flush()
  }
}

/// One output format: writes the text before, in, between and after rows.
protocol RowEncoder {
  /// Writes the text before the first row. Called once.
  mutating func begin(_ sink: OutputSink) throws(OutputError)
  /// Writes a row, which has one cell for each column.
  mutating func encode(_ row: UnsafeBufferPointer<Cell>, sink: OutputSink) throws(OutputError)
  /// Writes the text after the last row. Called once.
  mutating func end(_ sink: OutputSink) throws(OutputError)
}
