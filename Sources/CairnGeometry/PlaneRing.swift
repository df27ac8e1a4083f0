/// A ring in the plane, or as a file writes it: longitudes and latitudes in degrees, of any size.
package struct PlaneRing: Sendable {
  package var xs: [Double]
  package var ys: [Double]

  package init(xs: [Double] = [], ys: [Double] = []) {
    self.xs = xs
    self.ys = ys
  }

  package var count: Int { xs.count }

  package mutating func append(_ x: Double, _ y: Double) {
    xs.append(x)
    ys.append(y)
  }

  /// It has points, and the last repeats the first.
  var isClosed: Bool { count > 0 && xs[0] == xs[count - 1] && ys[0] == ys[count - 1] }
}
