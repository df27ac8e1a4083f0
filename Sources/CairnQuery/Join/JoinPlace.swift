import CairnGeometry
import CairnStorage
import CairnValues

/// The location or geometry of a row.
enum JoinPlace {
  case point(longitude: Double, latitude: Double)
  case geometry(GeometryView)

  /// The distance to another place in radians, 0 if they meet.
  func distance(to other: JoinPlace, edges: GeoPolygon.Edges) -> Double {
    switch (self, other) {
    case (.point(let x, let y), .point(let otherX, let otherY)):
      edges.distance(longitude: x, latitude: y, otherLongitude: otherX, otherLatitude: otherY)
    case (.point(let x, let y), .geometry(let view)), (.geometry(let view), .point(let x, let y)):
      edges.distance(longitude: x, latitude: y, view)
    case (.geometry(let view), .geometry(let other)): edges.distance(view, other)
    }
  }
}

extension JoinSide {
  /// The location or geometry of a row that has one.
  func place(of key: Int) -> JoinPlace {
    let address = RowAddress(target(of: key))
    let chunk = column.chunk(address.chunk)
    guard holdsPoints else { return .geometry(chunk.geometry(at: address.row)) }
    let point = chunk.position(at: address.row)
    return .point(longitude: point.longitude, latitude: point.latitude)
  }
}

extension JoinCandidates {
  /// The location or geometry of a candidate.
  @inline(__always)
  func place(_ candidate: Int) -> JoinPlace { side.place(of: keys[candidate]) }
}

/// A place from which distances to many others are measured.
struct PlaceOrigin {
  private enum Content {
    case point(Origin, longitude: Double, latitude: Double)
    case geometry(GeometryView)
    case prepared(PreparedOrigin)
  }

  /// The number of vertices from which preparing a geometry is worthwhile.
  private static let manyVertices = 48

  private let content: Content
  private let edges: GeoPolygon.Edges

  /// - Throws: `GeometryError` if the geometry cannot be prepared.
  init(_ place: JoinPlace, edges: GeoPolygon.Edges) throws(GeometryError) {
    self.edges = edges
    switch place {
    case .point(let x, let y):
      content = .point(Origin(longitude: x, latitude: y), longitude: x, latitude: y)
    case .geometry(let view) where view.vertexCount < Self.manyVertices: content = .geometry(view)
    case .geometry(let view):
      let shape = Shape.geometry(Geometry(copying: view), edges: edges)
      content = .prepared(try PreparedOrigin(shape, edges: edges))
    }
  }

  /// The distance to a place in radians; infinity if it is beyond a limit.
  func distance(to place: JoinPlace, upTo limit: Double) -> Double {
    switch (content, place) {
    case (.point(let origin, let x, let y), .point(let otherX, let otherY)):
      edges == .geodesic
        ? origin.angle(otherX, latitude: otherY)
        : edges.distance(longitude: x, latitude: y, otherLongitude: otherX, otherLatitude: otherY)
    case (.point(_, let x, let y), .geometry(let view)):
      edges.distance(longitude: x, latitude: y, view, upTo: limit)
    case (.geometry(let view), .point(let x, let y)):
      edges.distance(longitude: x, latitude: y, view, upTo: limit)
    case (.geometry(let view), .geometry(let other)):
      edges.distance(view, other, upTo: limit)
    case (.prepared(let origin), .point(let x, let y)):
      origin.distance(longitude: x, latitude: y, upTo: limit)
    case (.prepared(let origin), .geometry(let view)): origin.distance(to: view, upTo: limit)
    }
  }
}
