import CairnGeometry
import CairnStorage
import CairnValues

/// The Voronoi cells of rows by their locations, computed on all cores some thousand rows at a time.
package final class VoronoiCells {
  /// A row whose geometry is not a point.
  package struct NotAPoint: Error {
    /// The key of the row.
    package let key: Int
    /// The kind of its geometry.
    package let kind: Geometry.Kind
  }

  /// The number of cells that are computed at a time.
  private static let waveSize = 4096

  private let diagram: VoronoiDiagram
  /// The index of the location of each row; nil for a row without one.
  private let locations: [Int?]
  private let cutter: GeometryCutter?
  /// The rows whose cells are known, and the cells.
  private var wave = 0..<0
  private var cells: [Result<Geometry?, GeometryError>] = []

  /// Prepares the cells.
  ///
  /// - Parameters:
  ///   - keys: The keys of the rows.
  ///   - column: The locations, or geometries that are points.
  ///   - clip: The area to which cells are cut; nil for whole cells.
  /// - Throws: ``NotAPoint``, or `GeometryError` if the area is not valid or has no polygons.
  package init(of keys: [Int], by column: Column, clippedTo clip: Geometry?) throws {
    var all: [(longitude: Double, latitude: Double)] = []
    locations = try keys.map { key in
      guard let location = try Self.location(key, in: column) else { return nil }
      all.append(location)
      return all.count - 1
    }
    cutter = try clip.map { area throws(GeometryError) in
      try GeometryCutter(area, keeping: .inside)
    }
    diagram = VoronoiDiagram(all)
  }

  private static func location(
    _ key: Int, in column: Column
  ) throws(NotAPoint) -> (longitude: Double, latitude: Double)? {
    let (chunk, row) = (column.chunk(RowAddress(key).chunk), RowAddress(key).row)
    if chunk.isNull(row) { return nil }
    guard column.schema.isGeometry else {
      let position = chunk.position(at: row)
      return (position.longitude, position.latitude)
    }
    let view = chunk.geometry(at: row)
    if view.vertexCount == 0 { return nil }
    guard view.kind == .point else { throw NotAPoint(key: key, kind: view.kind) }
    return (view.longitude(0), view.latitude(0))
  }

  /// The cell of a row, by its index; nil for a row without a location, and if nothing is left of the
  /// cell in the area. Rows that are asked for in their order are computed together.
  ///
  /// - Throws: `GeometryError` if GEOS, which cuts cells, is not installed.
  package func cell(_ row: Int) throws(GeometryError) -> Geometry? {
    if !wave.contains(row) { compute(row..<min(locations.count, row + Self.waveSize)) }
    return try cells[row - wave.lowerBound].get()
  }

  private func compute(_ rows: Range<Int>) {
    wave = rows
    cells = Array(repeating: .success(nil), count: rows.count)
    cells.withUnsafeMutableBufferPointer { cells in
      // Each call writes its own element.
      let cells = cells
      WorkerPool.shared.run(rows.count) { index in
        guard let location = locations[rows.lowerBound + index] else { return }
        let cell = diagram.cell(of: location)
        cells[index] = Result { () throws(GeometryError) in
          guard let cutter else { return cell }
          return try cutter.part(of: cell)
        }
      }
    }
  }
}
