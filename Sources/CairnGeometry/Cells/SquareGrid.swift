/// Cells between parallels at equal distances and meridians that are about as far apart: squares at
/// every latitude, to within a few percent where many of them go around the earth.
///
/// Each row has its own number of columns, all of one width, from the prime meridian to the antimeridian
/// on either side. The rows are counted from the equator, and those at the poles may be lower.
package struct SquareGrid: Hashable, Sendable {
  /// The widths in metres that a grid can have.
  package static let widths = 10.0...5_000_000

  /// The height of a row in degrees.
  private let size: Double
  let latitudes: CellAxis

  /// Creates a grid; returns nil if the width in metres is not one of `widths`. It is rounded to
  /// 1e-7 degrees.
  package init?(width: Double) {
    guard Self.widths.contains(width) else { return nil }
    let units = ((width / Sphere.radius).inDegrees * 1e7).rounded()
    size = units / 1e7
    latitudes = CellAxis(origin: 0, size: units, divisor: 1e7, limit: 90)
  }

  /// The columns of a row.
  func longitudes(ofRow row: Int) -> CellAxis {
    let middle = (latitudes.edge(row) + latitudes.edge(row + 1)) / 2
    let half = max(1, (180 * cosine(degrees: middle) / size).rounded())
    return CellAxis(origin: 0, size: 360, divisor: 2 * half, limit: 180)
  }

  func code(longitude: Double, latitude: Double) -> Int64 {
    let row = latitudes.index(of: latitude)
    return CellCode.code(row: row, column: longitudes(ofRow: row).index(of: longitude))
  }

  func rectangle(of code: Int64) -> CellRectangle {
    let (row, column) = CellCode.position(of: code)
    let longitudes = longitudes(ofRow: row)
    return CellRectangle(
      west: longitudes.edge(column), south: latitudes.edge(row),
      east: longitudes.edge(column + 1), north: latitudes.edge(row + 1))
  }
}

extension SquareGrid: AxisLattice {}
