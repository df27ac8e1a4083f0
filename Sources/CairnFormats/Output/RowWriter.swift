package import CairnStorage
package import CairnValues

/// Writes rows in one of the output formats: as values, or straight from the columns of a table.
///
///     let writer = try RowWriter(.csv, columns: columns, to: sink)
///     for key in keys { try writer.write(key: key, of: table) }
///     try writer.finish()
package final class RowWriter {
  package let columns: [OutputColumn]
  /// Rows written so far.
  package private(set) var rowCount = 0
  private let sink: OutputSink
  private var encoder: any RowEncoder
  private let system: OutputSystem?
  private let hasParts: Bool
  private var cells: [Cell]
  private var chunks: [Chunk?]
  /// Of the columns whose values a chunk alone does not give.
  private var readers: [CellReader?]
  private var chunkIndex = -1
  private var chunkTable: Table?

  /// Begins the output.
  ///
  /// - Parameters:
  ///   - system: what locations are written in; nil: degrees of WGS 84.
  ///   - style: how it is laid out for people.
  /// - Throws: `.noLocation` when a GeoJSON format has no location among the columns, `.systemUnsaid`
  ///   when it cannot name the system.
  package init(
    _ format: OutputFormat, columns: [OutputColumn], in system: OutputSystem? = nil,
    style: OutputStyle = OutputStyle(), to sink: OutputSink
  ) throws(OutputError) {
    self.columns = columns
    self.sink = sink
    self.system = system
    encoder = try Self.encoder(format, columns, system, style)
    hasParts = columns.contains { $0.part != nil }
    readers = columns.map {
      if case .path = $0.source { CellReader() } else { nil }
    }
    cells = Array(repeating: .null, count: columns.count)
    chunks = Array(repeating: nil, count: columns.count)
    try encoder.begin(sink)
  }

  private static func encoder(
    _ format: OutputFormat, _ columns: [OutputColumn], _ system: OutputSystem?, _ style: OutputStyle
  ) throws(OutputError) -> any RowEncoder {
    switch format {
    case .table: TableEncoder(columns, width: style.width)
    case .markdown: MarkdownEncoder(columns)
    case .csv: CSVEncoder(columns, isProjected: system != nil)
    case .tsv: CSVEncoder(columns, isProjected: system != nil, delimiter: UInt8(ascii: "\t"))
    case .json: JSONEncoder(columns, isArray: true)
    case .jsonl: JSONEncoder(columns, isArray: false)
    case .geojson: try GeoJSONEncoder(columns, isCollection: true, system)
    case .geojsonl: try GeoJSONEncoder(columns, isCollection: false, system)
    case .wkt: try WKTEncoder(columns)
    case .map: MapEncoder(try PlaceColumns(columns), style)
    case .svg: SVGEncoder(try PlaceColumns(columns), style.picture)
    case .html: HTMLEncoder(try PlaceColumns(columns), style.picture)
    }
  }

  /// Columns that did not fit, so far.
  package var omittedColumns: [String] { (encoder as? TableEncoder)?.omitted ?? [] }

  /// Writes a row of values, in the order of the columns.
  package func write(_ row: [Value]) throws(OutputError) {
    for (place, value) in row.enumerated() { cells[place] = Cell(value) }
    try writeCells()
  }

  /// Writes the row of a table; columns whose source is `.given` take their value from `given`.
  package func write(key: Int, of table: Table, given: [Value] = []) throws(OutputError) {
    open(key >> ChunkShape.shift, of: table)
    let row = key & (ChunkShape.rows - 1)
    for (place, column) in columns.enumerated() {
      switch column.source {
      case .given(let index):
        cells[place] = Cell(given[index])
      case .stored(let position):
        if let chunk = chunks[place] {
          cells[place] = Cell(chunk, row: row, type: column.type)
        } else if let reader = readers[place] {
          cells[place] = try reader.cell(position, of: table, at: key)
        }
      case .path(let path, _):
        if let reader = readers[place] {
          cells[place] = try reader.cell(along: path, of: table, at: key)
        }
      case .part:
        if let chunk = chunks[place] { cells[place] = Cell(chunk, row: row, type: .point) }
      }
    }
    try writeCells()
  }

  private func open(_ index: Int, of table: Table) {
    guard index != chunkIndex || chunkTable !== table else { return }
    for (place, column) in columns.enumerated() {
      switch column.source {
      case .stored(let position) where CellReader.isNeeded(for: table.schema.columns[position]):
        chunks[place] = nil
        if readers[place] == nil { readers[place] = CellReader() }
      case .stored(let position), .part(_, of: let position):
        chunks[place] = table.column(position).chunk(index)
      case .given, .path: break
      }
    }
    chunkIndex = index
    chunkTable = table
  }

  private func writeCells() throws(OutputError) {
    if hasParts { takeParts() }
    if let system {
      for place in cells.indices { cells[place] = try system.cell(cells[place]) }
    }
    if hasParts { writeParts() }
    let failure = cells.withUnsafeBufferPointer { row -> OutputError? in
      do throws(OutputError) {
        try encoder.encode(row, sink)
        return nil
      } catch { return error }
    }
    if let failure { throw failure }
    rowCount += 1
    try sink.flushWhenFull()
  }

  /// Coordinates in degrees, whatever the system.
  private func takeParts() {
    for (place, column) in columns.enumerated() {
      guard let part = column.part, case .point(let position) = cells[place] else { continue }
      switch part {
      case .latitude: cells[place] = .double(position.latitude)
      case .longitude: cells[place] = .double(position.longitude)
      case .wkt: break
      }
    }
  }

  /// Places as text, once they are in the system of the output.
  private func writeParts() {
    for (place, column) in columns.enumerated() {
      guard column.part == .wkt, let text = WKTText.text(cells[place]) else { continue }
      cells[place] = .string(text)
    }
  }

  /// Ends the output and hands everything to the system.
  package func finish() throws(OutputError) {
    try encoder.end(sink)
    try sink.flush()
  }
}
