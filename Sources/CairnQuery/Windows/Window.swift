import CairnGeometry
import CairnIndex

/// A part of the world whose rows are found one by one, or counted by cell where they are too many
/// and too small.
package struct Window: Sendable {
  /// The box that rows must meet; `-180 ... 180` for all longitudes.
  package let box: GeoBox
  /// The cells in which rows are counted.
  package let grid: LocationGrid
  /// The number of pixels on each side of a cell. Only what is smaller than a pixel is counted while
  /// there are few larger rows.
  package let pixelsPerCell: Int
  /// The box without the antimeridian: one rectangle, or two.
  let envelopes: [Envelope]

  /// Creates a window.
  package init(box: GeoBox, grid: LocationGrid, pixelsPerCell: Int) {
    self.box = box
    self.grid = grid
    self.pixelsPerCell = pixelsPerCell
    let (west, east) = (box.bottomLeft.longitude, box.topRight.longitude)
    let (south, north) = (box.bottomLeft.latitude, box.topRight.latitude)
    func rectangle(_ west: Double, _ east: Double) -> Envelope {
      Envelope(west: west, south: south, east: east, north: north)
    }
    envelopes =
      west > east ? [rectangle(west, 180), rectangle(-180, east)] : [rectangle(west, east)]
  }

  /// The size of a rectangle in pixels of a row of the grid: the greater of width and height.
  @inline(__always)
  func pixels(_ box: Envelope, row: Int) -> Float {
    let (south, north) = grid.rows.bounds(row)
    let (west, east) = grid.columns.bounds(0)
    let width =
      Float(-Int64(box.lanes.z) - Int64(box.lanes.x)) / Float(Int64(east) - Int64(west) + 1)
    let height =
      Float(-Int64(box.lanes.w) - Int64(box.lanes.y)) / Float(Int64(north) - Int64(south) + 1)
    return max(width, height) * Float(pixelsPerCell)
  }
}

/// The rows of a window: those to show one by one, and the number of the others in each cell.
package struct WindowRows {
  /// The keys of the rows to show, in ascending order.
  package let keys: [Int]
  /// The number of other rows in each cell of the grid; nil if every row is listed.
  package let counts: GridCounts?
}

/// Gathers rows of a window until they are too many, and counts the small ones from then on.
final class WindowCounter {
  private struct Row {
    var key: Int
    /// The greater of width and height in pixels.
    var size: Float
    /// The cell of the centre; -1 outside of the grid.
    var cell: Int32
  }

  private let window: Window
  private let limit: Int
  private var rows: [Row] = []
  /// Nil until the rows are too many.
  private var counts: GridCounts?

  /// - Parameter limit: The most rows to show one by one.
  init(_ window: Window, limit: Int) {
    self.window = window
    self.limit = limit
  }

  /// The counts of small rows. The caller knows that the rows are too many.
  func startCounting() -> GridCounts {
    if let counts { return counts }
    let started = GridCounts(window.grid)
    counts = started
    for row in rows where row.size < 1 { count(row, in: started) }
    rows.removeAll { $0.size < 1 }
    return started
  }

  /// Adds a row with the box around its location or geometry, in E7 fixed point.
  @inline(__always)
  func add(_ key: Int, box: Envelope) {
    let x = Int32((Int64(box.lanes.x) - Int64(box.lanes.z)) >> 1)
    let y = Int32((Int64(box.lanes.y) - Int64(box.lanes.w)) >> 1)
    let grid = window.grid
    let cell = grid.cell(longitude: x, latitude: y)
    let row =
      cell.map { $0 / grid.columns.count } ?? (y < grid.rows.lower ? 0 : grid.rows.count - 1)
    add(Row(key: key, size: window.pixels(box, row: row), cell: Int32(cell ?? -1)))
  }

  /// Whether a rectangle in a row of the grid is smaller than a pixel.
  func isSmall(_ box: Envelope, row: Int) -> Bool { window.pixels(box, row: row) < 1 }

  @inline(__always)
  private func add(_ row: Row) {
    if let counts, row.size < 1 { return count(row, in: counts) }
    rows.append(row)
    if counts == nil, rows.count > limit { _ = startCounting() }
  }

  /// A row in the margin around the grid is counted in the window of its neighbour.
  @inline(__always)
  private func count(_ row: Row, in counts: GridCounts) {
    if row.cell >= 0 { counts.counts[Int(row.cell)] += 1 }
  }

  /// Adds the rows of another counter of the same window.
  func add(_ other: WindowCounter) {
    if let counts = other.counts { startCounting().add(counts) }
    for row in other.rows { add(row) }
  }

  /// The rows. If there are still too many, all below the least size that leaves few enough are
  /// counted too.
  func result() -> WindowRows {
    if let counts, rows.count > limit {
      let least = leastStep
      for row in rows where Self.step(row.size) < least { count(row, in: counts) }
      rows.removeAll { Self.step($0.size) < least }
    }
    return WindowRows(keys: rows.map(\.key).sorted(), counts: counts)
  }

  /// The sizes of at least a pixel are divided into steps, eight to an octave.
  private static let steps = 256

  @inline(__always)
  private static func step(_ size: Float) -> Int {
    min(steps - 1, Int(max(size, 1).bitPattern >> 20) - Int(Float(1).bitPattern >> 20))
  }

  /// The least step for which the rows of this and all larger steps do not exceed the limit.
  private var leastStep: Int {
    var numbers = [Int](repeating: 0, count: Self.steps)
    for row in rows { numbers[Self.step(row.size)] += 1 }
    var (step, shown) = (Self.steps, 0)
    while step > 0, shown + numbers[step - 1] <= limit {
      step -= 1
      shown += numbers[step]
    }
    return step
  }
}
