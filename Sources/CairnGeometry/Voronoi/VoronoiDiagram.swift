import CairnSystem

/// The cells of sites on the sphere: the area of each that is nearer to it than to any other one.
///
/// Cells are polygons whose edges are straight in longitude and latitude: parts of great circles, with so
/// many vertices that they stay within 6 m, and within a small part of the distance of sites that are near
/// each other. Neighbours have the vertices of a common edge in common, digit by digit, so that the cells
/// cover the earth without gaps and overlaps. They are cut at the antimeridian.
package struct VoronoiDiagram: Sendable {
  private let sites: SphereSites
  private let triangles: [SphereTriangulation.Triangle]
  /// A triangle of each site.
  private var triangleOfSite: [Int] = []
  /// The corner of the cells that each triangle makes.
  private var cornerOfTriangle: [Int] = []
  /// The corners, at the indexes of some triangles.
  private var corners: [SphereCorner] = []

  /// - Parameter locations: Longitudes and latitudes in degrees. Those within about a centimetre of each
  ///   other have one cell.
  /// - Complexity: O(*n* log *n*).
  package init(_ locations: [(longitude: Double, latitude: Double)]) {
    sites = SphereSites(locations.map { PlanePoint(x: $0.longitude, y: $0.latitude) })
    guard sites.directions.count > 2 else {
      triangles = []
      return
    }
    let triangulation = SphereTriangulation(sites.directions, codes: sites.codes)
    triangles = triangulation.triangles
    triangleOfSite = Array(repeating: 0, count: sites.directions.count)
    for (index, triangle) in triangles.enumerated() {
      for place in 0..<3 { triangleOfSite[Int(triangle.corners[place])] = index }
    }
    findCorners()
  }

  /// The least distance of two corners in radians, about that of the digits that are written.
  private static let leastEdge = 2e-11

  /// Computes the corners. Those of neighbouring triangles are one if they are so near each other that
  /// rounding does not tell them apart.
  private mutating func findCorners() {
    let centres = triangles.map { centre($0.corners) }
    var sets = DisjointSets(count: triangles.count)
    for (index, triangle) in triangles.enumerated() {
      for place in 0..<3 {
        let other = Int(triangle.neighbours[place])
        guard other > index else { continue }
        let limit = max(Self.leastEdge, centres[index].error + centres[other].error)
        if (centres[index].centre - centres[other].centre).length <= limit {
          sets.join(index, other)
        }
      }
    }
    var best = Array(triangles.indices)
    cornerOfTriangle = triangles.indices.map { sets.first($0) }
    for (index, corner) in cornerOfTriangle.enumerated()
    where centres[index].error < centres[best[corner]].error {
      best[corner] = index
    }
    corners = best.map { SphereCorner(centres[$0].centre) }
  }

  /// The centre of the circle through the corners of a triangle, and about the greatest error of it.
  private func centre(_ corners: SIMD3<Int32>) -> (centre: Vector, error: Double) {
    let sites = (0..<3).map { self.sites.directions[Int(corners[$0])] }
    let sides = (0..<3).map { (sites[$0] - sites[($0 + 1) % 3]).length }
    // From an end of the shortest side, both differences are precise.
    let base = (0..<3).min { sides[$0] < sides[$1] } ?? 0
    return SiteFrame(sites[base]).centre(sites[(base + 1) % 3], sites[(base + 2) % 3])
  }

  /// The number of vertices from which edges may be so long and so near each other that rounding lets them
  /// cross.
  private static let manyVertices = 256

  /// The cell of a location, by its index: a polygon, or several where it is cut.
  ///
  /// Between sites that are within metres of each other, cells reach far and are narrow. If edges cross
  /// there, the cell is repaired, and may have other vertices than its neighbours.
  package func cell(of location: Int) -> Geometry {
    guard let outline = outline(of: sites.siteOfLocation[location]) else {
      return Self.geometry([[SphereRing.world]])
    }
    let cell = Self.geometry(SphereRing(outline).polygons)
    if outline.count > Self.manyVertices, (try? cell.validate(edges: .planar)) == nil {
      return (try? cell.repaired()) ?? cell
    }
    return cell
  }

  private static func geometry(_ polygons: [[PlaneRing]]) -> Geometry {
    var builder = GeometryBuilder()
    builder.appendPolygons(polygons)
    return builder.geometry()
  }

  /// The vertices around a site, anticlockwise as seen from outside; nil for a site without others.
  private func outline(of site: Int) -> [PlanePoint]? {
    switch sites.directions.count {
    case 1: return nil
    case 2:
      let circle = arc(0, 1).circle()
      return site == 0 ? circle : circle.reversed()
    default: break
    }
    var outline: [PlanePoint] = []
    let start = triangleOfSite[site]
    var current = start
    repeat {
      let triangle = triangles[current]
      let place = triangle.corners.index(of: Int32(site))
      let neighbour = Int(triangle.corners[(place + 2) % 3])
      let next = Int(triangle.neighbours[(place + 1) % 3])
      outline += edge(
        site, neighbour, from: cornerOfTriangle[current], to: cornerOfTriangle[next])
      current = next
    } while current != start
    return outline
  }

  /// The vertices of the edge between the cells of two sites, without the last one.
  private func edge(_ site: Int, _ other: Int, from start: Int, to end: Int) -> [PlanePoint] {
    if start == end { return [] }
    // One direction for both cells, so that their vertices are the same.
    guard site > other else {
      return arc(site, other).points(from: corners[start], to: corners[end]).dropLast()
    }
    return arc(other, site).points(from: corners[end], to: corners[start]).reversed().dropLast()
  }

  /// The great circle between two sites, with the first on the left.
  private func arc(_ site: Int, _ other: Int) -> GreatArc {
    let way = sites.directions[site] - sites.directions[other]
    return GreatArc(normal: way.unit, tolerance: min(1e-6, max(1e-10, way.length / 50)))
  }
}
