@testable import CairnGeometry

/// The area, the length and the points of a geometry in the plane.
struct PlaneMeasures: Equatable, CustomStringConvertible {
  let area: Double
  let length: Double
  let points: [GeoPoint]

  init(_ geometry: Geometry) {
    area = geometry.planarArea
    (length, points) = geometry.withView { view in
      var length = 0.0
      var points: Set<GeoPoint> = []
      for part in view.parts {
        switch part {
        case .point(let vertex): if let point = view.location(vertex) { points.insert(point) }
        case .line(let vertices):
          for vertex in vertices.dropLast() {
            let x = view.longitude(vertex + 1) - view.longitude(vertex)
            let y = view.latitude(vertex + 1) - view.latitude(vertex)
            length += (x * x + y * y).squareRoot()
          }
        case .polygon: break
        }
      }
      return (length, Array(points))
    }
  }

  var description: String { "area \(area), length \(length), points \(points.count)" }

  /// Whether all are the same up to rounding.
  func isNear(_ other: PlaneMeasures, tolerance: Double = 1e-9) -> Bool {
    abs(area - other.area) <= tolerance * max(1, area)
      && abs(length - other.length) <= tolerance * max(1, length)
      && points.count == other.points.count
      && points.allSatisfy { point in
        other.points.contains {
          abs(point.longitude - $0.longitude) < tolerance
            && abs(point.latitude - $0.latitude) < tolerance
        }
      }
  }
}
