import CairnGeometry
import CairnStorage

/// Counts the geometries that meet each cell of a grid, on all cores. Edges are straight in longitude
/// and latitude. A point is in one cell; a line or area meets all cells with which it has a point in
/// common.
package struct CellCounts {
  /// The most cells near one geometry.
  private static let maxCells = 50_000_000
  /// The number of geometries that are shared out to the threads at a time.
  private static let waveSize = 8192

  private let grid: CellGrid
  private let column: Column

  /// - Parameter column: The geometries.
  package init(_ grid: CellGrid, of column: Column) {
    self.grid = grid
    self.column = column
  }

  /// Returns the numbers of geometries that meet cells, by the codes of these.
  ///
  /// - Parameters:
  ///   - keys: The keys of the rows. A row whose geometry is null or empty meets no cell.
  ///   - progress: Receives the number of rows so far, now and then.
  /// - Throws: ``QueryError`` if the cells are too small for a geometry; `GeometryError` if a library
  ///   is missing; `progress`' errors.
  package func counts(of keys: [Int], progress: (Int) throws -> Void) throws -> [Int64: Int] {
    let width = WorkerPool.shared.width
    var counters = (0..<width).map { _ in Counter(grid) }
    for start in stride(from: 0, to: keys.count, by: Self.waveSize) {
      let views = keys[start..<min(keys.count, start + Self.waveSize)].compactMap(view)
      counters.withUnsafeMutableBufferPointer { counters in
        // Each thread has its own counter.
        let counters = counters
        WorkerPool.shared.run(width) { part in
          for index in stride(from: part, to: views.count, by: width) {
            counters[part].add(views[index])
          }
        }
      }
      if let failure = counters.lazy.compactMap(\.failure).first { throw failure }
      try progress(start + views.count)
    }
    return counters.reduce(into: [:]) { $0.merge($1.counts, uniquingKeysWith: +) }
  }

  /// The geometry of a row, valid as long as the snapshot; nil for null.
  private func view(_ key: Int) -> GeometryView? {
    let (chunk, row) = (column.chunk(RowAddress(key).chunk), RowAddress(key).row)
    return chunk.isNull(row) ? nil : chunk.geometry(at: row)
  }

  /// The counts of one thread.
  private struct Counter {
    private let grid: CellGrid
    private(set) var counts: [Int64: Int] = [:]
    private(set) var failure: (any Error)?

    init(_ grid: CellGrid) { self.grid = grid }

    /// Counts the cells of a geometry, unless something failed.
    mutating func add(_ view: GeometryView) {
      guard failure == nil, let bounds = view.planarBounds else { return }
      if view.kind == .point {
        counts[grid.code(longitude: view.longitude(0), latitude: view.latitude(0)), default: 0] += 1
        return
      }
      do { try add(view, in: CellRectangle(bounds)) } catch { failure = error }
    }

    private mutating func add(_ view: GeometryView, in box: CellRectangle) throws {
      let number = grid.count(near: box, touching: true, upTo: maxCells)
      guard number <= maxCells else {
        throw QueryError(
          .invalidArgument,
          message: "a geometry is near more than \(maxCells) cells; larger cells are needed")
      }
      // The cells cover everything, so that the only one near a geometry meets it.
      let shape = number > 1 ? try PreparedShape(stored: view, edges: .planar) : nil
      grid.forEachCode(near: box, touching: true) { code in
        if shape.map({ grid.meets($0, code) }) ?? true { counts[code, default: 0] += 1 }
        return true
      }
    }
  }
}
