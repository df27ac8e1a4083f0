import CPROJ

/// The way between a coordinate system and WGS 84 longitude and latitude in degrees.
///
/// x is what points east and y what points north, whatever order the system's own definition has.
/// For one thread: every worker makes its own.
package final class CoordinateTransform {
  /// The system as PROJ names it, such as `OSGB36 / British National Grid`.
  package let name: String
  /// What the user wrote, such as `EPSG:27700`.
  package let definition: String
  /// x and y are certainly lengths, in metres or feet, and no degrees.
  package let isInLengths: Bool
  private let context: PROJContext
  private let operation: PROJObject
  private let swapsAxes: Bool
  private let area: AreaOfUse?

  /// Looks the system up: a code (`EPSG:27700`), a PROJ string, or WKT.
  package init(_ definition: String) throws(GeometryError) {
    self.definition = definition
    context = try PROJContext()
    let source = try Self.system(definition, context)
    let target = try Self.system("EPSG:4326", context)
    name = source.name
    operation = try Self.operation(source, target, definition, context)
    let axes = SystemAxes(of: operation)
    isInLengths = axes.areLengths
    // Normalising leaves some systems with the northing first.
    swapsAxes = axes.beginWithNorth
    area = AreaOfUse(source)
  }

  private static func system(
    _ definition: String, _ context: PROJContext
  ) throws(GeometryError) -> PROJObject {
    // A PROJ string is an operation unless it says that it is a system.
    let isBare = definition.hasPrefix("+") && !definition.contains("type=crs")
    let text = isBare ? definition + " +type=crs" : definition
    guard
      let system = PROJObject(context.library.create(context.handle, text), in: context),
      context.library.isCRS(system.handle) != 0
    else {
      throw GeometryError(
        .coordinateSystem,
        "'\(definition)' is no coordinate system that PROJ knows (\(context.reason)); a code looks like EPSG:27700."
      )
    }
    return system
  }

  private static func operation(
    _ source: PROJObject, _ target: PROJObject, _ definition: String, _ context: PROJContext
  ) throws(GeometryError) -> PROJObject {
    let library = context.library
    // A ballpark transformation ignores the datum, and is off by hundreds of metres in silence.
    let made = "ALLOW_BALLPARK=NO".withCString { option in
      let options: [UnsafePointer<CChar>?] = [option, nil]
      return library.createOperation(
        context.handle, source.handle, target.handle, nil, options)
    }
    guard let raw = PROJObject(made, in: context),
      let normal = PROJObject(library.normalize(context.handle, raw.handle), in: context)
    else {
      throw GeometryError(
        .coordinateSystem,
        "PROJ knows no accurate way from '\(definition)' (\(source.name)) to WGS 84; its grids may be missing (apt install proj-data)."
      )
    }
    return normal
  }

  /// The WGS 84 place of a point of the system.
  package func toWGS84(x: Double, y: Double) throws(GeometryError) -> (
    longitude: Double, latitude: Double
  ) {
    let (longitude, latitude) = try run(.forward, x, y, swap: swapsAxes)
    guard abs(longitude) <= 180, abs(latitude) <= 90 else {
      throw refusal(x, y, "it is on no globe")
    }
    if let area, !area.isNear(longitude, latitude) {
      throw refusal(
        x, y,
        "it would be at latitude \(latitude), longitude \(longitude), far outside the area of \(name) (\(area))"
      )
    }
    return (longitude, latitude)
  }

  /// The point of the system for a WGS 84 place.
  package func fromWGS84(longitude: Double, latitude: Double) throws(GeometryError) -> (
    x: Double, y: Double
  ) {
    if let area, !area.isNear(longitude, latitude) {
      throw GeometryError(
        .coordinateSystem,
        "Latitude \(latitude), longitude \(longitude) lies far outside the area of \(name) (\(area))."
      )
    }
    let (x, y) = try run(.inverse, longitude, latitude, swap: false)
    return swapsAxes ? (y, x) : (x, y)
  }

  private func run(
    _ direction: PROJLibrary.Direction, _ x: Double, _ y: Double, swap: Bool
  ) throws(GeometryError) -> (Double, Double) {
    guard x.isFinite, y.isFinite else { throw refusal(x, y, "a coordinate is not finite") }
    _ = context.library.resetError(operation.handle)
    var coordinate = cairn_proj_position()
    coordinate.v = swap ? (y, x, 0, .infinity) : (x, y, 0, .infinity)
    let result = context.library.transform(operation.handle, direction.rawValue, coordinate).v
    let code = context.library.error(operation.handle)
    guard code == 0, result.0.isFinite, result.1.isFinite else {
      let text = context.library.errorText(context.handle, code).map { String(cString: $0) }
      throw refusal(x, y, text ?? "PROJ finds no place for it")
    }
    return (result.0, result.1)
  }

  private func refusal(_ x: Double, _ y: Double, _ why: String) -> GeometryError {
    GeometryError(.coordinateSystem, "(\(x) east, \(y) north) cannot be placed by \(definition): \(why).")
  }
}
