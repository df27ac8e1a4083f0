internal import CairnGeometry
internal import CairnValues

/// The lines and areas of all rows, eight bytes for each vertex.
struct ShapeBuffer {
  /// The lines and areas of one row.
  struct Shape {
    /// The number of the row among those with lines or areas.
    let row: Int
    /// The rings and lines, as indexes.
    fileprivate(set) var parts: Range<Int>
    /// The number of `parts` that are rings of areas; lines follow them.
    fileprivate(set) var ringCount: Int
    /// The bounds in degrees.
    fileprivate(set) var west = Double.infinity
    fileprivate(set) var south = Double.infinity
    fileprivate(set) var east = -Double.infinity
    fileprivate(set) var north = -Double.infinity

    /// The area of the bounds in square degrees.
    var size: Double { (east - west) * (north - south) }
    /// The centre of the bounds.
    var centre: (longitude: Double, latitude: Double) {
      ((west + east) / 2, (south + north) / 2)
    }
  }

  private(set) var shapes: [Shape] = []
  private var vertices: [(longitude: Int32, latitude: Int32)] = []
  private var ends: [Int] = []

  /// The number of rows with lines or areas.
  var count: Int { shapes.count }
  /// The number of vertices of all rows.
  var vertexCount: Int { vertices.count }

  /// Adds the lines and areas of a row. Returns its points, which are not kept.
  mutating func append(_ view: GeometryView) -> [Position] {
    var points: [Position] = []
    let first = ends.count
    var shape = Shape(row: shapes.count, parts: first..<first, ringCount: 0)
    for part in view.parts {
      guard case .polygon(let rings) = part else { continue }
      for ring in rings { append(view, range: ring, to: &shape) }
    }
    shape.ringCount = ends.count - first
    for part in view.parts {
      switch part {
      case .point(let index):
        points.append(
          Position(latitude: view.latitude(index), longitude: view.longitude(index)))
      case .line(let range): append(view, range: range, to: &shape)
      case .polygon: break
      }
    }
    shape.parts = first..<ends.count
    if !shape.parts.isEmpty { shapes.append(shape) }
    return points
  }

  private mutating func append(_ view: GeometryView, range: Range<Int>, to shape: inout Shape) {
    guard !range.isEmpty else { return }
    for index in range {
      let (x, y) = (view.longitude(index), view.latitude(index))
      (shape.west, shape.east) = (min(shape.west, x), max(shape.east, x))
      (shape.south, shape.north) = (min(shape.south, y), max(shape.north, y))
      vertices.append((Int32(x * E7.perDegree), Int32(y * E7.perDegree)))
    }
    ends.append(vertices.count)
  }

  /// Returns the vertices of a ring or line in degrees.
  func part(_ index: Int) -> LazyMapSequence<
    ArraySlice<(longitude: Int32, latitude: Int32)>, (longitude: Double, latitude: Double)
  > {
    let start = index == 0 ? 0 : ends[index - 1]
    return vertices[start..<ends[index]].lazy.map {
      (Double($0.longitude) / E7.perDegree, Double($0.latitude) / E7.perDegree)
    }
  }

  /// Returns the shapes in the order in which they are drawn: large ones first, so that they do not
  /// hide small ones.
  var drawingOrder: [Shape] { shapes.sorted { ($1.size, $0.row) < ($0.size, $1.row) } }
}
