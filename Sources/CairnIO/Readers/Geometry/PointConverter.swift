package import CairnGeometry

/// The reason why no point can be derived from a geometry.
package struct PointFailure: Error {
  package let detail: ImportMessage
  /// Whether a library is missing, so that no other geometry has a point either.
  package var lacksLibrary = false

  init(_ refusal: GeometryRefusal) { detail = refusal.detail }

  init(_ error: GeometryError) {
    detail = ImportMessage(error.message)
    lacksLibrary = error.kind == .missingLibrary
  }
}

/// Derives points from other geometries as the options say. For use by one thread.
package final class PointConverter {
  /// The options, which say how points are derived.
  package let options: GeometryOptions
  private var maker: PointDeriver?
  /// The number of geometries that were repaired.
  private var repairs = 0
  private var builder = GeometryBuilder()
  private var texts = GeometryTextReader()

  /// Creates a converter.
  package init(_ options: GeometryOptions) { self.options = options }

  /// Returns the number of geometries that were repaired since the last call.
  func takeRepairs() -> Int {
    defer { repairs = 0 }
    return repairs
  }

  /// Returns the point that represents a geometry, or nil when the options do not ask for one.
  ///
  /// - Parameter mapping: The coordinate system of the geometry.
  package func point(
    of text: UnsafeBufferPointer<UInt8>, _ notation: GeometryNotation, _ mapping: CoordinateMapping
  ) throws(PointFailure) -> (x: Double, y: Double)? {
    guard let method = options.pointOf else { return nil }
    do throws(GeometryRefusal) {
      try texts.read(text, notation, into: &builder)
      try checkRange(mapping)
    } catch { throw PointFailure(error) }
    do throws(GeometryError) {
      let maker = try maker(method)
      defer { repairs += maker.takeRepairs() }
      return try maker.point(of: builder, inDegrees: mapping.isInDegrees)
    } catch { throw PointFailure(error) }
  }

  private func checkRange(_ mapping: CoordinateMapping) throws(GeometryRefusal) {
    let axes = mapping.axes
    let fault = builder.withCoordinates { longitudes, latitudes -> GeometryRefusal? in
      do throws(GeometryRefusal) {
        for (x, y) in zip(longitudes, latitudes) {
          try CoordinateRange.check(x, y: y, axes: axes, offset: nil)
        }
        return nil
      } catch { return error }
    }
    if let fault { throw fault }
  }

  private func maker(_ method: PointDeriver.Method) throws(GeometryError) -> PointDeriver {
    if let maker { return maker }
    let made = try PointDeriver(method, repairing: options.repairs)
    maker = made
    return made
  }

  /// Returns the detail for a geometry that is rejected because of its kind.
  package static func advice(_ kind: Geometry.Kind) -> ImportMessage {
    let each: ImportMessage =
      kind == .multiPoint ? "; \(option: .takesEachPoint) imports each point of it" : ""
    return "expected a Point, found a \(kind.geoJSONName)\(each); "
      + "\(option: .pointOf, "centroid") or \(option: .pointOf, "on-surface") derives a point from it"
  }
}
