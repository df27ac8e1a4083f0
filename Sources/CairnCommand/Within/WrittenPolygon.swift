import CairnFormats
import CairnGeometry

/// The polygons of a text, in the coordinate system that it names.
struct WrittenPolygons {
  var polygons: [WrittenPolygon] = []
  var system = CRSMember.wgs84

  /// The same in longitude and latitude, degrees of WGS 84; vertices are moved one by one, and edges run straight
  /// between them.
  ///
  /// - Parameter name: of the text, for messages.
  /// - Throws: `badData` where the system cannot be looked up, or a vertex lies far outside its area.
  func inDegrees(_ name: String) throws -> [WrittenPolygon] {
    switch system {
    case .wgs84: return polygons
    case .unclear(let text):
      throw Failure(
        .badData,
        "\(name): the member `crs` names no coordinate system that could be looked up (\(text))")
    case .named(let definition):
      do throws(GeometryError) {
        let transform = try CoordinateTransform(definition)
        return try polygons.map { (polygon) throws(GeometryError) in
          try polygon.transformed(transform)
        }
      } catch {
        throw Failure(Failure(error).code, "\(name): \(error.message)")
      }
    }
  }
}

/// A polygon of a file, and where in it.
struct WrittenPolygon {
  var draft: PolygonDraft
  /// The number of its Feature, from 1; nil outside of one.
  let feature: Int?

  fileprivate func transformed(
    _ transform: CoordinateTransform
  ) throws(GeometryError) -> WrittenPolygon {
    let rings = try draft.rings.map { (ring) throws(GeometryError) in
      var moved = PlaneRing()
      for (x, y) in zip(ring.xs, ring.ys) {
        let place = try transform.toWGS84(x: x, y: y)
        moved.append(place.longitude, place.latitude)
      }
      return moved
    }
    return WrittenPolygon(draft: PolygonDraft(rings: rings), feature: feature)
  }
}

extension [WrittenPolygon] {
  /// Which of them one is, in words: nothing where there is but one.
  func name(of index: Int) -> String {
    let feature = self[index].feature
    let own = indices.filter { self[$0].feature == feature }
    let number = own.firstIndex(of: index).map { $0 + 1 } ?? 1
    let polygon = own.count > 1 ? "polygon \(number) of \(own.count)" : nil
    return [feature.map { "feature \($0)" }, polygon].compactMap { $0 }.joined(separator: ", ")
  }
}
