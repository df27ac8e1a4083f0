/// A ring in the plane, or as a file contains it: longitudes and latitudes in degrees, of any size.
package struct PlaneRing: Sendable {
  /// The x coordinates, or longitudes.
  package var xs: [Double]
  /// The y coordinates, or latitudes.
  package var ys: [Double]

  /// Creates a ring of as many `xs` as `ys`.
  package init(xs: [Double] = [], ys: [Double] = []) {
    self.xs = xs
    self.ys = ys
  }

  /// The number of points, including the last one that repeats the first.
  package var count: Int { xs.count }

  /// Adds a point.
  package mutating func append(_ x: Double, y: Double) {
    xs.append(x)
    ys.append(y)
  }

  /// Whether the ring has points, and the last repeats the first.
  var isClosed: Bool { count > 0 && xs[0] == xs[count - 1] && ys[0] == ys[count - 1] }
}
