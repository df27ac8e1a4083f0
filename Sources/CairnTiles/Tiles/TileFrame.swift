internal import CairnGeometry
internal import CairnIndex
internal import CairnQuery

/// The coordinates of one tile: units from its north-western corner, of which a side has `extent`.
struct TileFrame: BitwiseCopyable {
  let id: TileID
  /// The number of units on a side.
  let extent: Int
  /// The width of the margin around the tile in units.
  let buffer: Int
  /// The width of the world in units.
  let worldWidth: Double
  private let originX: Double
  private let originY: Double
  private let isExact: Bool
  private let table = MercatorTable.shared

  init(_ id: TileID, extent: Int, buffer: Int) {
    self.id = id
    self.extent = extent
    self.buffer = buffer
    worldWidth = Double(extent) * Double(1 << id.z)
    originX = Double(id.x) * Double(extent)
    originY = Double(id.y) * Double(extent)
    isExact = id.z > MercatorTable.maxZoom
  }

  /// The least coordinate of the tile with its margin.
  var lower: Double { -Double(buffer) }
  /// The greatest coordinate of the tile with its margin.
  var upper: Double { Double(extent + buffer) }

  /// The distance of a meridian from the western edge in units.
  @inline(__always)
  func x(_ longitude: Double) -> Double { Mercator.x(longitude) * worldWidth - originX }

  /// The distance of a parallel from the northern edge in units.
  @inline(__always)
  func y(_ latitude: Double) -> Double {
    (isExact ? Mercator.exactY(latitude) : table.y(latitude)) * worldWidth - originY
  }

  /// Calls `body` with each distance by which a part of the world has to be moved to be seen in the
  /// tile. There may be several at the edge of the world.
  @inline(__always)
  func forEachShift(from west: Double, to east: Double, _ body: (Double) -> Void) {
    for turn in -2...2 {
      let shift = Double(turn) * worldWidth
      if west + shift <= upper, east + shift >= lower { body(shift) }
    }
  }

  /// The part of the plane where a location lies: 0 for the tile itself, and other numbers for the
  /// eight areas that its sides bound.
  @inline(__always)
  func zone(of location: SIMD2<Double>) -> Int {
    let side = Double(extent)
    let column = location.x <= 0 ? 1 : location.x >= side ? 2 : 0
    let row = location.y <= 0 ? 3 : location.y >= side ? 6 : 0
    return column + row
  }

  /// The latitude of a distance from the northern edge in units.
  private func latitude(_ y: Double) -> Double { Mercator.latitude((originY + y) / worldWidth) }

  /// The part of the world that the tile and its margin show.
  ///
  /// - Parameter cells: The number of cells on a side in which rows may be counted.
  func window(cells: Int) -> Window {
    let (west, east) = longitudes
    let box = GeoBox(
      bottomLeft: GeoPoint(clampedLatitude: latitude(upper).nextDown, longitude: west),
      topRight: GeoPoint(clampedLatitude: latitude(lower).nextUp, longitude: east))
    return Window(
      box: box, grid: grid(cells: cells), pixelsPerCell: max(1, Self.pixels / cells))
  }

  /// The degrees that the tile, its margin and one unit more show.
  var degrees: TileWindow {
    let margin = Double(buffer) + 1
    let (north, south) = (latitude(-margin), latitude(Double(extent) + margin))
    func longitude(_ x: Double) -> Double { Mercator.longitude((originX + x) / worldWidth) }
    // The projection ends there, so that locations beyond may be in the margin.
    let steepest = Mercator.steepest
    return TileWindow(
      lower: SIMD2(longitude(-margin), south < -steepest ? -.infinity : south),
      upper: SIMD2(longitude(Double(extent) + margin), north > steepest ? .infinity : north))
  }

  /// The number of pixels on a side, for the size of what is too small to be seen.
  private static let pixels = 256

  /// The western and the eastern longitude of the tile with its margin, in -180 ... 180. The western
  /// one is greater if the antimeridian lies between them.
  private var longitudes: (west: Double, east: Double) {
    let side = Double(extent)
    // The antimeridian belongs to the tile east of it.
    let margin = max(Double(buffer), id.x == 0 ? 1e-3 : 0)
    guard side + 2 * margin < worldWidth else { return (-180, 180) }
    let west = Mercator.longitude((originX - margin) / worldWidth)
    let east = Mercator.longitude((originX + side + margin) / worldWidth)
    return (west < -180 ? west + 360 : west, east > 180 ? east - 360 : east)
  }

  private func grid(cells: Int) -> LocationGrid {
    let side = Double(extent)
    let meridians = (0...cells).map { cell in
      let x = (originX + side * Double(cell) / Double(cells)) / worldWidth
      return E7.above(Mercator.longitude(x))
    }
    let parallels = (0...cells).map { cell in
      E7.above(latitude(side * Double(cells - cell) / Double(cells)))
    }
    return LocationGrid(
      columns: GridAxis(edges: meridians), rows: GridAxis(edges: parallels))
  }
}
