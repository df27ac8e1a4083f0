import CairnGeometry
import CairnIO
import CairnQuery
import CairnRequest
import CairnStorage
import CairnValues

/// The work of `voronoi`: the matching rows with their cells instead of their locations.
struct VoronoiRows: ExtendingRows {
  let rows: ExtendedRows
  /// The area to which cells are cut.
  private let clip: Geometry?

  /// - Parameter clip: The value of `--clip`.
  init(_ arguments: RowArguments, clip: String?, select: [String], mode: Store.Mode) throws {
    rows = try ExtendedRows(arguments, select: select, mode: mode) { ($0.name, .geometry) }
    let source = rows.source
    self.clip = try clip.map {
      try arguments.area.shape($0, option: "--clip", in: source).cuttingPolygons(option: "--clip")
    }
  }

  func write(to writer: RowWriter, _ progress: any ProgressReporter) throws {
    let keys = try rows.keys()
    progress.show(WorkProgress(phase: "triangulating", rows: keys.count))
    let cells = try self.cells(keys)
    try rows.write(keys, to: writer, progress) { index in
      // The process ends as soon as a new store is removed.
      if Interruption.isPending { throw CancellationError() }
      return try cells.cell(index).map { .geometry($0.bytes) }
    }
  }

  private func cells(_ keys: [Int]) throws -> VoronoiCells {
    let table = source.table
    do {
      return try VoronoiCells(
        of: keys, by: table.column(rows.spatial.position), clippedTo: clip)
    } catch let error as VoronoiCells.NotAPoint {
      throw Failure(
        .badData,
        message:
          "\(table.name(ofRow: error.key)): a cell is that of a point, not of a \(error.kind)")
    }
  }
}
