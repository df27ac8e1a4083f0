import CairnGeometry
import CairnIO
import CairnQuery
import CairnRequest
import CairnStorage
import CairnValues

/// The work of `grid`: a row for each cell of a grid that matching rows meet, with their number.
struct GridRows: ComputedRows {
  /// The class, with the rows of a database.
  let source: OpenedClass
  private let request: QueryRequest
  private let grid: CellGrid
  private let spatial: ColumnSchema
  /// Whether cells without rows are written, too.
  private let isComplete: Bool

  init(_ arguments: RowArguments, _ grid: CellGrid, isComplete: Bool, mode: Store.Mode) throws {
    let described = try OpenedClass(describing: arguments, mode: mode).measuring()
    var needs = RowNeeds()
    needs.needsLocation = true
    request = try QueryRequest(described, arguments).fetched(needs)
    source = request.source
    spatial = try source.location(named: arguments.area.geometry, option: "--geometry")
    self.grid = grid
    self.isComplete = isComplete
  }

  /// The subject of a map.
  var subject: MapSubject { request.subject }

  /// The name of a cell, the number of rows and the shape.
  var columns: [OutputColumn] {
    let all = [("cell", ValueType.string), ("count", .int), ("geometry", .geometry)]
    return all.enumerated().map { index, column in
      OutputColumn(name: column.0, type: column.1, source: .given(index))
    }
  }

  /// No column of the rows is one of the class.
  func origin(_ column: OutputColumn) -> ColumnSchema? { nil }

  /// Writes the rows, from south to north and from west to east.
  func write(to writer: RowWriter, _ progress: any ProgressReporter) throws {
    let counts = try counts(progress)
    try source.requireComputed()
    func write(_ code: Int64, count: Int) throws {
      if writer.rowCount & 0xFFFF == 0xFFFF {
        progress.show(WorkProgress(phase: "writing", rows: writer.rowCount))
      }
      try writer.write(nil, and: nil) { index in
        switch index {
        case 0: .string(grid.name(of: code))
        case 1: .int(Int64(count))
        default: .geometry(grid.polygon(of: code).bytes)
        }
      }
    }
    if isComplete {
      for box in try bounds() {
        try forEachCode(in: box, or: { counts[$0] != nil }) { code in
          try write(code, count: counts[code] ?? 0)
        }
      }
    } else {
      for (code, count) in counts.sorted(by: { $0.key < $1.key }) { try write(code, count: count) }
    }
    progress.clear()
  }

  /// The number of rows that meet each cell.
  private func counts(_ progress: any ProgressReporter) throws -> [Int64: Int] {
    if spatial.isGeometry {
      return try CellCounts(grid, of: source.table.column(spatial.position))
        .counts(of: request.execution().keys()) { count in
          // The process ends as soon as a new store is removed.
          if Interruption.isPending { throw CancellationError() }
          progress.show(WorkProgress(phase: "counting", rows: count))
        }
    }
    let groups = try request.execution().groups(
      by: [GroupKey(spatial.name, derivation: .cell(of: grid))])
    return groups.reduce(into: [:]) { counts, group in
      if case .int(let code)? = group.values.first { counts[code] = group.count }
    }
  }

  /// The boxes around the rows: one, or two that meet at the antimeridian; none without rows.
  private func bounds() throws -> [CellRectangle] {
    let keys = try request.execution().keys()
    let shapes = try GroupShapes(.extent, of: source.table.column(spatial.position))
      .shapes(of: [keys.filter { !isNull($0) }]) { _ in }
    guard let shape = shapes.first ?? nil else { return [] }
    let parts = shape.kind == .multiPolygon ? shape.members : [shape]
    return parts.compactMap { $0.withView { $0.planarBounds.map(CellRectangle.init) } }
  }

  private func isNull(_ key: Int) -> Bool {
    source.table.column(spatial.position).chunk(RowAddress(key).chunk).isNull(RowAddress(key).row)
  }

  /// Calls `body` with the codes of the cells that meet a box, or a row.
  private func forEachCode(
    in box: CellRectangle, or meetsRow: (Int64) -> Bool, _ body: (Int64) throws -> Void
  ) throws {
    // Hexagons are in rows that are not parallel to the sides of the box.
    var shape: PreparedShape?
    if case .hexagons = grid { shape = try PreparedShape(.box(box.box)) }
    try grid.forEachCode(near: box, touching: spatial.isGeometry) { code in
      let isNear = shape.map { meetsRow(code) || grid.meets($0, code) } ?? true
      if isNear { try body(code) }
      return true
    }
  }
}
