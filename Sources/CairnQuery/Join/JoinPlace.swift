import CairnGeometry
import CairnStorage
import CairnValues

/// The location or geometry of a row.
enum JoinPlace {
  case point(longitude: Double, latitude: Double)
  case geometry(GeometryView)

  /// The distance to another place in radians, 0 if they meet.
  func distance(to other: JoinPlace) -> Double {
    switch (self, other) {
    case (.point(let x, let y), .point(let otherX, let otherY)):
      Sphere.angle(y, longitude: x, otherLatitude: otherY, otherLongitude: otherX)
    case (.point(let x, let y), .geometry(let view)), (.geometry(let view), .point(let x, let y)):
      SphericalDistance.between(longitude: x, latitude: y, view)
    case (.geometry(let view), .geometry(let other)): SphericalDistance.between(view, other)
    }
  }
}

extension JoinSide {
  /// The location or geometry of a row that has one.
  func place(of key: Int) -> JoinPlace {
    let address = RowAddress(key)
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
    case geometry(PreparedOrigin)
  }

  private let content: Content

  /// - Throws: `GeometryError` if the geometry cannot be prepared.
  init(_ place: JoinPlace) throws(GeometryError) {
    switch place {
    case .point(let x, let y):
      content = .point(Origin(longitude: x, latitude: y), longitude: x, latitude: y)
    case .geometry(let view):
      content = .geometry(try PreparedOrigin(.geometry(Geometry(copying: view), edges: .geodesic)))
    }
  }

  /// A lower bound of the distance in radians to anything in a rectangle.
  func lowerBound(to envelope: Envelope) -> Double {
    switch content {
    case .point(let origin, _, _):
      Sphere.angle(haversine: origin.lowerBoundHaversine(to: envelope))
    case .geometry(let origin): origin.lowerBound(to: envelope)
    }
  }

  /// The distance to a place in radians; infinity if it is beyond a limit.
  func distance(to place: JoinPlace, upTo limit: Double) -> Double {
    switch (content, place) {
    case (.point(let origin, _, _), .point(let x, let y)):
      Sphere.angle(haversine: origin.haversine(x, latitude: y))
    case (.point(_, let x, let y), .geometry(let view)):
      SphericalDistance.between(longitude: x, latitude: y, view, upTo: limit)
    case (.geometry(let origin), .point(let x, let y)):
      origin.distance(longitude: x, latitude: y, upTo: limit)
    case (.geometry(let origin), .geometry(let view)): origin.distance(to: view, upTo: limit)
    }
  }
}
