/// The rows and columns of the cells of a grid.
protocol CellLattice {
  /// The rows that may have cells in a rectangle.
  ///
  /// - Parameter touching: Whether those count whose northern edge lies on the rectangle's southern one.
  func rows(near rectangle: CellRectangle, touching: Bool) -> ClosedRange<Int>

  /// The columns of a row that may be in a rectangle.
  ///
  /// - Parameter touching: Whether those count whose eastern edge lies on the rectangle's western one.
  func columns(
    ofRow row: Int, near rectangle: CellRectangle, touching: Bool
  ) -> ClosedRange<Int>

  /// The code of a cell.
  func code(row: Int, column: Int) -> Int64
}

extension CellLattice {
  func code(row: Int, column: Int) -> Int64 { CellCode.code(row: row, column: column) }
}

extension CellGrid {
  private var lattice: any CellLattice {
    switch self {
    case .degrees(let grid): grid
    case .geohash(let grid): grid
    case .squares(let grid): grid
    case .hexagons(let grid): grid
    }
  }

  /// Calls `body` with the codes of all cells that have points in a rectangle, and perhaps of some next
  /// to it, row by row from south to north and in each from west to east, until it returns false.
  ///
  /// - Parameter touching: Whether cells count that have only points of the southern or the western edge
  ///   in common with the rectangle, which belong to their neighbours.
  package func forEachCode(
    near rectangle: CellRectangle, touching: Bool, _ body: (Int64) throws -> Bool
  ) rethrows {
    let lattice = lattice
    for row in lattice.rows(near: rectangle, touching: touching) {
      for column in lattice.columns(ofRow: row, near: rectangle, touching: touching)
      where try !body(lattice.code(row: row, column: column)) {
        return
      }
    }
  }

  /// The number of cells that `forEachCode` calls its body for, or more than `limit`.
  package func count(near rectangle: CellRectangle, touching: Bool, upTo limit: Int) -> Int {
    let lattice = lattice
    var count = 0
    for row in lattice.rows(near: rectangle, touching: touching) where count <= limit {
      count += lattice.columns(ofRow: row, near: rectangle, touching: touching).count
    }
    return count
  }
}

extension CellGrid {
  /// Whether a cell and a shape have a point in common, in the plane.
  package func meets(_ shape: PreparedShape, _ code: Int64) -> Bool {
    let cell = polygon(of: code)
    return cell.withView { view in
      // Cells outside of the world have no area.
      guard view.vertexCount > 3, let bounds = view.planarBounds else { return false }
      let box = Envelope(
        west: bounds.west, south: bounds.south, east: bounds.east, north: bounds.north)
      switch shape.classify(box) {
      case .disjoint: return false
      case .contained: return true
      case .intersecting: return shape.holds(.intersects, view)
      }
    }
  }
}

extension CellAxis {
  /// The intervals that contain coordinates of a range.
  ///
  /// - Parameter touching: Whether the interval counts that ends where the range begins.
  func indexes(from low: Double, to high: Double, touching: Bool) -> ClosedRange<Int> {
    let (start, end) = (index(of: low), index(of: high))
    let isTouched = touching && start > first && edge(start) == low
    return (isTouched ? start - 1 : start)...max(start, end)
  }
}

/// A lattice whose rows lie between parallels and whose columns lie between meridians.
protocol AxisLattice: CellLattice {
  /// The intervals of the rows.
  var latitudes: CellAxis { get }
  /// The intervals of the columns of a row.
  func longitudes(ofRow row: Int) -> CellAxis
}

extension AxisLattice {
  func rows(near rectangle: CellRectangle, touching: Bool) -> ClosedRange<Int> {
    latitudes.indexes(from: rectangle.south, to: rectangle.north, touching: touching)
  }

  func columns(
    ofRow row: Int, near rectangle: CellRectangle, touching: Bool
  ) -> ClosedRange<Int> {
    longitudes(ofRow: row).indexes(from: rectangle.west, to: rectangle.east, touching: touching)
  }
}

extension DegreeGrid: AxisLattice {
  func longitudes(ofRow row: Int) -> CellAxis { longitudes }
}

extension GeohashGrid: AxisLattice {
  func longitudes(ofRow row: Int) -> CellAxis { longitudes }
}

extension HexagonGrid: CellLattice {
  func rows(near rectangle: CellRectangle, touching: Bool) -> ClosedRange<Int> {
    let south = EqualEarth.project(longitude: 0, latitude: rectangle.south).y
    let north = EqualEarth.project(longitude: 0, latitude: rectangle.north).y
    // A hexagon reaches two thirds of a row beyond its centre.
    return Int((south / rowHeight).rounded(.down))...Int((north / rowHeight).rounded(.up))
  }

  func columns(
    ofRow row: Int, near rectangle: CellRectangle, touching: Bool
  ) -> ClosedRange<Int> {
    // Meridians bend towards the prime one with the distance from the equator.
    let isOnBothSides = rectangle.south < 0 && rectangle.north > 0
    let latitudes = [rectangle.south, rectangle.north] + (isOnBothSides ? [0] : [])
    let west = latitudes.map { EqualEarth.project(longitude: rectangle.west, latitude: $0).x }
    let east = latitudes.map { EqualEarth.project(longitude: rectangle.east, latitude: $0).x }
    let shift = row & 1 == 0 ? 0 : 0.5
    return Int(
      ((west.min() ?? 0) / width - shift).rounded(.down))...Int(
        ((east.max() ?? 0) / width - shift).rounded(.up))
  }
}
