package import CairnGeometry

/// What becomes of geometries that are no points.
package struct ShapeOptions: Sendable, Equatable {
  /// Each point of a MultiPoint becomes a row.
  package var takesEachPoint = false
  /// How a point is made of any other geometry; nil: it is refused.
  package var pointOf: PointMaker.Method?

  package init() {}
}

/// Points of other geometries, as the options want them. For one thread.
final class ShapeReader {
  let options: ShapeOptions
  private var maker: PointMaker?

  init(_ options: ShapeOptions) { self.options = options }

  /// How a geometry is written.
  enum Notation {
    case geoJSON
    case wkt
    case hexWKB
  }

  /// The point that stands for a geometry; nil where none is wanted.
  ///
  /// - Parameter inDegrees: the coordinates are longitude and latitude.
  func point(
    of text: UnsafeBufferPointer<UInt8>, _ notation: Notation, inDegrees: Bool
  ) throws(GeometryError) -> (x: Double, y: Double)? {
    guard let method = options.pointOf else { return nil }
    guard !GeometryDepth.isExceeded(by: text, notation) else {
      throw GeometryError(
        .library, "more than \(GeometryDepth.most) geometries are nested within one another")
    }
    let maker = try maker(method)
    return switch notation {
    case .geoJSON: try maker.point(ofGeoJSON: text, inDegrees: inDegrees)
    case .wkt: try maker.point(ofWKT: text, inDegrees: inDegrees)
    case .hexWKB: try maker.point(ofHexWKB: text, inDegrees: inDegrees)
    }
  }

  private func maker(_ method: PointMaker.Method) throws(GeometryError) -> PointMaker {
    if let maker { return maker }
    let made = try PointMaker(method)
    maker = made
    return made
  }

  /// What to say of a geometry that is refused for its type.
  static func advice(_ type: String) -> String {
    let each = type == "MultiPoint" ? "; `--each-point` imports each of its points" : ""
    return
      "it is a \(type), and no Point\(each); `--point centroid` or `--point on-surface` makes a point of it"
  }

  /// The reason that all refusals of a type share.
  static func reason(_ type: String) -> String { "\(type)\(Self.reasonEnd)" }

  private static let reasonEnd = " is no Point"

  /// The type that a reason names; nil: it is another reason.
  static func type(ofReason reason: String) -> String? {
    reason.hasSuffix(reasonEnd) ? String(reason.dropLast(reasonEnd.count)) : nil
  }
}
