package import CairnGeometry

/// One axis of a grid: intervals between edges in E7 fixed point. An interval includes its lower
/// edge, but not its upper one.
package final class GridAxis: @unchecked Sendable {
  // Sendable: the memory does not change after `init`.
  /// The number of intervals.
  package let count: Int
  private let edges: UnsafeMutablePointer<Int32>
  /// The interval that contains the first value of each bin. A bin is a power of two wide.
  private let starts: UnsafeMutablePointer<UInt16>
  private let shift: Int64

  private static let maxBins: Int64 = 1024

  /// Creates an axis from its edges in ascending order, at least two and at most 65536.
  package init(edges: [Int32]) {
    assert(edges.count >= 2 && edges.count <= 1 << 16, "an axis has 2 to 65536 edges")
    assert(zip(edges, edges.dropFirst()).allSatisfy(<=), "the edges are out of order")
    count = edges.count - 1
    self.edges = .allocate(capacity: edges.count)
    self.edges.initialize(from: edges, count: edges.count)
    let span = Int64(edges[count]) - Int64(edges[0])
    var shift: Int64 = 0
    while span >> shift >= Self.maxBins { shift += 1 }
    self.shift = shift
    let bins = Int(span >> shift) + 1
    starts = .allocate(capacity: bins)
    var interval = 0
    for bin in 0..<bins {
      let first = Int64(edges[0]) + Int64(bin) << shift
      while interval + 1 < count, first >= Int64(edges[interval + 1]) { interval += 1 }
      starts[bin] = UInt16(interval)
    }
  }

  deinit {
    edges.deallocate()
    starts.deallocate()
  }

  /// The lowest value of the axis.
  package var lower: Int32 { edges[0] }
  /// The upper edge of the last interval, which is not part of it.
  package var upper: Int32 { edges[count] }

  /// The lowest and the highest value of an interval.
  package func bounds(_ interval: Int) -> (lower: Int32, upper: Int32) {
    assert(interval >= 0 && interval < count, "the axis does not have the interval")
    return (edges[interval], edges[interval + 1] - 1)
  }

  /// The interval of a value, which must lie in the axis.
  @inline(__always)
  package func interval(of value: Int32) -> Int {
    assert(contains(value), "the value is outside of the axis")
    var interval = Int(starts[Int((Int64(value) - Int64(edges[0])) >> shift)])
    while value >= edges[interval + 1] { interval += 1 }
    return interval
  }

  /// Whether a value lies in the axis.
  @inline(__always)
  package func contains(_ value: Int32) -> Bool { value >= edges[0] && value < edges[count] }
}

/// A grid of cells between given meridians and parallels. The cells are numbered by row from the
/// south, and in a row from the west.
package struct LocationGrid: Sendable {
  /// The intervals of longitude.
  package let columns: GridAxis
  /// The intervals of latitude.
  package let rows: GridAxis

  /// Creates a grid.
  package init(columns: GridAxis, rows: GridAxis) {
    self.columns = columns
    self.rows = rows
  }

  /// The number of cells.
  package var cellCount: Int { columns.count * rows.count }

  /// The cells that contain a rectangle.
  enum Cover {
    /// The rectangle lies outside of the grid.
    case none
    /// The rectangle lies in one cell.
    case one(Int)
    /// The rectangle may lie in several cells, or partly outside.
    case several
  }

  /// The cell of a location; nil outside of the grid. The antimeridian is a western edge.
  @inline(__always)
  package func cell(longitude: Int32, latitude: Int32) -> Int? {
    let x = longitude == E7.halfTurn ? -E7.halfTurn : longitude
    guard columns.contains(x), rows.contains(latitude) else { return nil }
    return rows.interval(of: latitude) * columns.count + columns.interval(of: x)
  }

  /// The cells that contain a rectangle.
  func cover(of box: Envelope) -> Cover {
    let (west, south, east, north) = (box.lanes.x, box.lanes.y, -box.lanes.z, -box.lanes.w)
    guard south < rows.upper, north >= rows.lower else { return .none }
    // Locations on the antimeridian belong to the first column of the world.
    if east == E7.halfTurn, columns.lower == -E7.halfTurn { return .several }
    guard west < columns.upper, east >= columns.lower else { return .none }
    guard columns.contains(west), columns.contains(east), rows.contains(south),
      rows.contains(north)
    else { return .several }
    let (column, row) = (columns.interval(of: west), rows.interval(of: south))
    guard east <= columns.bounds(column).upper, north <= rows.bounds(row).upper else {
      return .several
    }
    return .one(row * columns.count + column)
  }

  /// The most cells of a leaf that are counted one after the other rather than point by point.
  private static let maxSharedCells = 6

  /// The cells that a rectangle meets, if they are few and the rectangle lies beside the
  /// antimeridian; otherwise nil.
  func fewCells(_ box: Envelope) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>)? {
    let (west, south, east, north) = (box.lanes.x, box.lanes.y, -box.lanes.z, -box.lanes.w)
    guard east < E7.halfTurn else { return nil }
    let across =
      columns.interval(
        of: max(west, columns.lower))...columns.interval(
        of: min(east, columns.upper - 1))
    let along =
      rows.interval(of: max(south, rows.lower))...rows.interval(of: min(north, rows.upper - 1))
    return across.count * along.count <= Self.maxSharedCells ? (across, along) : nil
  }

  /// The rectangle of a cell.
  package func envelope(column: Int, row: Int) -> Envelope {
    let (west, east) = columns.bounds(column)
    let (south, north) = rows.bounds(row)
    return Envelope(lanes: SIMD4(west, south, -east, -north))
  }
}

/// The numbers of rows in the cells of a grid.
package final class GridCounts: @unchecked Sendable {
  // Sendable: one thread at a time changes the counts.
  /// The grid.
  package let grid: LocationGrid
  /// The number of rows in each cell, `grid.cellCount` of them, valid while the object lives.
  package let counts: UnsafeMutablePointer<Int>

  /// Creates counts of zero.
  package init(_ grid: LocationGrid) {
    self.grid = grid
    counts = .allocate(capacity: grid.cellCount)
    counts.initialize(repeating: 0, count: grid.cellCount)
  }

  deinit { counts.deallocate() }

  /// Adds a number to the count of a cell.
  @inline(__always)
  func add(_ number: Int, to cell: Int) {
    assert(cell >= 0 && cell < grid.cellCount, "the grid does not have the cell")
    counts[cell] += number
  }

  /// Adds the counts of another object with the same grid.
  package func add(_ other: GridCounts) {
    assert(other.grid.cellCount == grid.cellCount, "the counts are of another grid")
    for cell in 0..<grid.cellCount { counts[cell] += other.counts[cell] }
  }
}
