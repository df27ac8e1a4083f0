package import CairnGeometry
package import CairnStorage
import CairnSystem
package import CairnValues

/// Writes rows in one of the output formats, either as values or directly from the columns of one
/// table or of two.
///
///     let writer = try RowWriter(.csv, columns: columns, to: sink)
///     try writer.write(keys, of: table)
///     try writer.finish()
package final class RowWriter {
  /// The columns of the output.
  package let columns: [OutputColumn]
  /// The number of rows written.
  package private(set) var rowCount = 0
  /// The number of threads that encode rows if there are many.
  package var threads = processorCount()
  /// The bytes of the rows that this thread has encoded.
  private var byteCount = 0
  private let sink: OutputSink
  private var encoder: any RowEncoder
  private let assembler: RowAssembler
  /// Rows of one table that a format of columns takes at once.
  private var pending = PendingRows()
  /// Whether the encoder takes rows of a table at once, if their columns allow it.
  private let isColumnar: Bool
  /// Whether they do for the table that was opened last.
  private var takesRows = false

  /// Other threads that encode rows; nil until there are many.
  private var division: RowDivision?
  /// Whether other threads may encode rows.
  private var isDivisible: Bool

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
    self.encoder = encoder
    assembler = RowAssembler(columns, in: system, measuringOn: ellipsoid, dates: form)
    isColumnar = system == nil && encoder is any ColumnarEncoder
    isDivisible = encoder.areRowsIndependent
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
    assembler.decideDates(rows)
    for row in rows {
      assembler.take(row)
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
    try endDivision()
    try take(TableRow(key, of: table), index: 0)
    assembler.takeGiven(given)
    try writeCells()
  }

  /// The number of rows that are best written at once.
  package static let batchSize = 4096

  /// Writes rows of a table, if there are many with all processors. Values whose source is `.given`
  /// are null.
  package func write(_ keys: [Int], of table: Table) throws(OutputError) {
    if try divide(keys, of: table) { return }
    for key in keys { try write(key: key, of: table) }
  }

  /// Lets other threads encode rows. Returns false if they cannot.
  private func divide(_ keys: [Int], of table: Table) throws(OutputError) -> Bool {
    // The first row differs in some formats, and few rows are not worth the threads.
    guard isDivisible, threads > 1, rowCount >= Self.batchSize else { return false }
    if division == nil {
      division = RowDivision(
        of: table, by: assembler, encoder: encoder, rowBytes: byteCount / rowCount,
        threads: threads)
      isDivisible = division != nil
    }
    guard let division, division.table === table else { return false }
    rowCount += keys.count
    try division.add(keys, to: sink)
    return true
  }

  /// Writes the rows that other threads encode.
  private func endDivision() throws(OutputError) {
    guard let division else { return }
    try division.drain(to: sink)
    self.division = nil
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
    try endDivision()
    for (index, row) in [left, right].enumerated() {
      if let row { try take(row, index: index) } else { assembler.clear(index) }
    }
    assembler.takeGiven(given)
    try writeCells()
  }

  private func take(_ row: TableRow, index: Int) throws(OutputError) {
    if try assembler.take(row, index: index) { encoder.prepare(for: row.table, index: index) }
  }

  private func writeCells() throws(OutputError) {
    let start = sink.count
    try assembler.write(to: &encoder, sink: sink)
    byteCount += sink.count - start
    rowCount += 1
    try sink.flushWhenFull()
  }

  /// Ends the output and writes everything to the descriptor.
  package func finish() throws(OutputError) {
    try writePending()
    try endDivision()
    try encoder.end(sink)
    try sink.flush()
  }
}
