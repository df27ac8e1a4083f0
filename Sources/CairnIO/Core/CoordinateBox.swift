internal import CairnGeometry
import CairnSystem

/// A box around positions, in the coordinates of a file.
package struct CoordinateBox: Sendable, Equatable {
  package var xmin: Double
  package var ymin: Double
  package var xmax: Double
  package var ymax: Double

  /// Creates a box from its sides.
  package init(xmin: Double, ymin: Double, xmax: Double, ymax: Double) {
    self.xmin = xmin
    self.ymin = ymin
    self.xmax = xmax
    self.ymax = ymax
  }

  /// The distance in degrees by which the box grows, and within which a side lies on a limit. Stored
  /// coordinates may be rounded to 1e-7 degrees.
  private static let margin = 1e-6
  /// The latitude in degrees by which the bounds of a geometry may exceed its short edges.
  private static let bulge = 3e-4

  /// Returns the rectangle that contains the bounds of all locations or geometries with positions in the
  /// box, which is in degrees; nil if a side is not on the earth.
  ///
  /// - Parameter haveEdges: Whether there may be lines and areas, whose edges leave the box towards the
  ///   poles where they are shortest paths.
  func envelope(haveEdges: Bool) -> Envelope? {
    guard xmin <= xmax, ymin <= ymax, xmin >= -180 - Self.margin, xmax <= 180 + Self.margin,
      ymin >= -90 - Self.margin, ymax <= 90 + Self.margin
    else { return nil }
    var (south, north) = (max(-90, ymin - Self.margin), min(90, ymax + Self.margin))
    if haveEdges {
      (south, north) = (
        -Self.reach(-south, width: xmax - xmin), Self.reach(north, width: xmax - xmin)
      )
    }
    // The meridians of -180 and 180 degrees are the same one, and a pole has all longitudes.
    let hasAll =
      xmin <= Self.margin - 180 || xmax >= 180 - Self.margin || south <= Self.margin - 90
      || north >= 90 - Self.margin || haveEdges && xmax - xmin >= 180 - Self.margin
    let (west, east) =
      hasAll ? (-180.0, 180.0) : (max(-180, xmin - Self.margin), min(180, xmax + Self.margin))
    return Envelope(west: west, south: south, east: east, north: north)
  }

  /// The greatest latitude on a shortest path between two positions up to a latitude, whose longitudes
  /// differ by up to `width`: that in the middle between two positions on the latitude.
  private static func reach(_ latitude: Double, width: Double) -> Double {
    guard latitude > 0 else { return latitude }
    guard width < 180 - margin else { return 90 }
    let middle = atan(tan(latitude * .pi / 180) / cos(width * .pi / 360)) * 180 / .pi
    return min(90, max(latitude + bulge, middle + margin))
  }
}
