internal import CairnGeometry
package import CairnStorage
internal import CairnValues

/// A row of a table, as one of several that make a row of the output.
package struct TableRow {
  package let key: Int
  package let table: Table

  package init(_ key: Int, of table: Table) {
    self.key = key
    self.table = table
  }
}

/// Takes the cells of rows from the columns of one table or of two, and passes them to an encoder.
final class RowAssembler {
  private let columns: [OutputColumn]
  private let system: OutputSystem?
  private let ellipsoid: Ellipsoid?
  private let hasParts: Bool
  // Memory behind pointers is not counted or checked for exclusive access, which would take longer than
  // most cells, and longer still where threads share the counters.
  private let cells: UnsafeMutableBufferPointer<Cell>
  private let chunks: UnsafeMutableBufferPointer<Chunk?>
  /// The readers of the columns whose values need more than a chunk; nil for the others.
  private var readers: [CellReader?]
  /// The state of the left and of the right table.
  private let tables: UnsafeMutableBufferPointer<TableState>
  /// The indices of the columns whose values are given with each row.
  private let given: [Int]
  private var dates: DateColumns
  /// Whether the forms of dates are known before the first row.
  private let areDatesDecided: Bool

  /// The columns of one table, and the chunk of it that was opened last.
  private struct TableState {
    let slots: UnsafeMutableBufferPointer<Slot>
    var chunkIndex = -1
    var table: Table?
  }

  /// A cell, and where its value comes from.
  private struct Slot {
    enum Source {
      /// The column of the table at an index.
      case stored(Int, ValueType)
      case path
      case measure(GeometryMeasure)
      case given
    }

    let cell: Int
    let source: Source

    init(_ cell: Int, _ column: OutputColumn) {
      self.cell = cell
      source =
        switch column.source {
        case .stored(let position): .stored(position, column.type)
        case .part(_, of: let position): .stored(position, .point)
        case .path: .path
        case .measure(let measure, _): .measure(measure)
        case .given: .given
        }
    }
  }

  /// - Parameters:
  ///   - system: The coordinate system of the locations; nil for degrees of WGS 84.
  ///   - ellipsoid: The ellipsoid for measures; without it they are null.
  convenience init(
    _ columns: [OutputColumn], in system: OutputSystem?, measuringOn ellipsoid: Ellipsoid?,
    dates form: ISODate.Form?
  ) {
    self.init(
      columns, in: system, measuringOn: ellipsoid, dates: DateColumns(columns, form: form),
      areDatesDecided: false)
  }

  private init(
    _ columns: [OutputColumn], in system: OutputSystem?, measuringOn ellipsoid: Ellipsoid?,
    dates: DateColumns, areDatesDecided: Bool
  ) {
    self.columns = columns
    self.system = system
    self.ellipsoid = ellipsoid
    self.dates = dates
    self.areDatesDecided = areDatesDecided
    hasParts = columns.contains { $0.part != nil }
    readers = columns.map {
      if case .path = $0.source { CellReader() } else { nil }
    }
    cells = .allocate(capacity: columns.count)
    cells.initialize(repeating: .null)
    chunks = .allocate(capacity: columns.count)
    chunks.initialize(repeating: nil)
    given = columns.indices.filter { if case .given = columns[$0].source { true } else { false } }
    tables = .allocate(capacity: 2)
    for table in 0..<2 {
      let slots = columns.enumerated().filter { $0.element.table == table }
        .map { Slot($0.offset, $0.element) }
      let memory = UnsafeMutableBufferPointer<Slot>.allocate(capacity: slots.count)
      _ = memory.initialize(fromContentsOf: slots)
      tables.initializeElement(at: table, to: TableState(slots: memory))
    }
  }

  deinit {
    for table in tables { table.slots.deallocate() }
    for memory in [cells.deinitialize(), chunks.deinitialize(), tables.deinitialize()] {
      memory.deallocate()
    }
  }

  /// Whether rows of a table can be assembled by several threads: all values are stored, and nothing
  /// is projected.
  func canBeShared(for table: Table) -> Bool {
    guard system == nil else { return false }
    return columns.allSatisfy { column in
      switch column.source {
      case .given: false
      case .stored(let position): table.schema.columns[position].role != .computed
      case .part, .path, .measure: column.table == 0
      }
    }
  }

  /// Returns an assembler for another thread, which writes dates in the same forms.
  func copy() -> RowAssembler {
    RowAssembler(columns, in: nil, measuringOn: ellipsoid, dates: dates, areDatesDecided: true)
  }

  // MARK: Cells

  /// Takes values, in the order of the columns.
  func take(_ values: [Value]) {
    precondition(values.count <= cells.count, "a row has more values than there are columns")
    for (cellIndex, value) in values.enumerated() { cells[cellIndex] = Cell(value) }
  }

  /// Chooses the forms of dates by all rows of the output.
  func decideDates(_ rows: [[Value]]) { dates.decide(rows) }

  /// Takes the values of the columns that are given with each row, by their indices there.
  func takeGiven(_ value: (Int) -> Value) {
    for cellIndex in given {
      guard case .given(let index) = columns[cellIndex].source else { continue }
      cells[cellIndex] = Cell(value(index))
    }
  }

  /// Makes the cells of a table null.
  func clear(_ index: Int) {
    for slot in tables[index].slots { cells[slot.cell] = .null }
  }

  /// Takes the cells of a row from its table. Returns whether the table is another than before.
  func take(_ tableRow: TableRow, index: Int) throws(OutputError) -> Bool {
    let (key, table) = (tableRow.key, tableRow.table)
    let isNew = open(RowAddress(key).chunk, of: table, index: index)
    let row = RowAddress(key).row
    for slot in tables[index].slots {
      switch slot.source {
      case .given: break
      case .stored(let position, let type):
        if let chunk = chunks[slot.cell] {
          cells[slot.cell] = Cell(chunk, row: row, type: type)
        } else if let reader = readers[slot.cell] {
          cells[slot.cell] = try reader.cell(position, of: table, at: key)
        }
      case .path:
        if case .path(let path, _) = columns[slot.cell].source, let reader = readers[slot.cell] {
          cells[slot.cell] = try reader.cell(along: path, of: table, at: key)
        }
      case .measure(let measure):
        cells[slot.cell] =
          chunks[slot.cell].flatMap { self.measure(measure, in: $0, row: row) } ?? .null
      }
    }
    return isNew
  }

  private func measure(_ measure: GeometryMeasure, in chunk: Chunk, row: Int) -> Cell? {
    guard let ellipsoid, !chunk.isNull(row) else { return nil }
    return measure.value(chunk.geometry(at: row), on: ellipsoid).map { .double($0) }
  }

  /// Opens the chunk of a row. Returns whether the table is another than before.
  private func open(_ chunkIndex: Int, of table: Table, index: Int) -> Bool {
    let isNew = tables[index].table !== table
    guard chunkIndex != tables[index].chunkIndex || isNew else { return false }
    for cellIndex in tables[index].slots.map(\.cell) {
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
    if tables[index].table == nil, !areDatesDecided { dates.decide(table, index: index) }
    tables[index].table = table
    return isNew
  }

  /// Writes the cells as a row.
  func write(to encoder: inout any RowEncoder, sink: OutputSink) throws(OutputError) {
    dates.set(cells)
    if hasParts { takeParts() }
    if let system {
      for cellIndex in cells.indices { cells[cellIndex] = try system.cell(cells[cellIndex]) }
    }
    if hasParts { writeParts() }
    try encoder.encode(UnsafeBufferPointer(cells), sink: sink)
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
}
