import CairnGeometry

/// Grids of cells of a width, as options and keys of groups give it.
extension CellGrid {
  /// Creates a grid of squares of a length, or of degrees of longitude and latitude; returns nil if it
  /// is out of range.
  init?(squares width: Radius.Length) {
    if width.unit == .degrees {
      // Half a degree in radians is not exactly half a degree.
      let size = (width.distance.asDegrees() * 1e7).rounded() / 1e7
      guard let grid = DegreeGrid(size: size) else { return nil }
      self = .degrees(grid)
    } else {
      guard let grid = SquareGrid(width: width.distance.asMeters()) else { return nil }
      self = .squares(grid)
    }
  }

  /// Creates a grid of hexagons; returns nil if the width is out of range.
  init?(hexagons width: Radius.Length) {
    guard let grid = HexagonGrid(width: width.distance.asMeters()) else { return nil }
    self = .hexagons(grid)
  }
}
