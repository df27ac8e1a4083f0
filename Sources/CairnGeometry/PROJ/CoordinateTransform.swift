import CPROJ

/// A conversion between a coordinate system and WGS 84 longitude and latitude in degrees.
///
/// x points east and y north, whatever the axis order in the system's own definition is. A
/// transform is for one thread: every worker creates its own.
package final class CoordinateTransform {
  /// The name of the system in PROJ, such as `OSGB36 / British National Grid`.
  package let name: String
  /// The definition as the user wrote it, such as `EPSG:27700`.
  package let definition: String
  /// Whether x and y are certainly lengths, in metres or feet, and not degrees.
  package let isInLengths: Bool
  /// Whether the system's own definition has the northing or the latitude first.
  package let beginsWithNorth: Bool
  /// Whether PROJ does not know the datum, so that it is taken for WGS 84.
  package let assumesDatum: Bool
  private let context: PROJContext
  private let operation: PROJObject
  private let swapsAxes: Bool
  private let area: AreaOfUse?

  /// Looks up a system by a code (`EPSG:27700`), a PROJ string, or WKT.
  package init(_ definition: String) throws(GeometryError) {
    self.definition = definition
    context = try PROJContext()
    let source = try Self.system(definition, context: context)
    let target = try Self.system("EPSG:4326", context: context)
    name = source.name
    let made = try Self.operation(source, target: target, definition: definition, context: context)
    operation = made.normal
    assumesDatum = made.assumesDatum
    beginsWithNorth = SystemAxes(of: made.raw).beginWithNorth
    let axes = SystemAxes(of: operation)
    isInLengths = axes.areLengths
    // Normalizing leaves some systems with the northing first.
    swapsAxes = axes.beginWithNorth
    area = AreaOfUse(source)
  }

  /// The definition of the system in PROJJSON; nil if PROJ cannot write it so.
  package var projJSON: String? {
    guard let system = try? Self.system(definition, context: context) else { return nil }
    return context.library.projJSON(context.handle, system.handle, nil).map(String.init(cString:))
  }

  private static func system(
    _ definition: String, context: PROJContext
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
        message: "'\(definition)' is not a coordinate system that PROJ knows (\(context.reason)); "
          + "a code looks like EPSG:27700"
      )
    }
    return system
  }

  private static func operation(
    _ source: PROJObject, target: PROJObject, definition: String, context: PROJContext
  ) throws(GeometryError) -> (raw: PROJObject, normal: PROJObject, assumesDatum: Bool) {
    // A ballpark transformation ignores the datum, and is silently off by hundreds of metres.
    var raw = create(source, target: target, ballpark: false)
    let assumesDatum = raw == nil && hasUnknownModernDatum(source)
    if assumesDatum { raw = create(source, target: target, ballpark: true) }
    guard let raw,
      let normal = PROJObject(
        context.library.normalize(context.handle, raw.handle), in: context)
    else {
      throw GeometryError(
        .coordinateSystem,
        message:
          "PROJ has no accurate transformation from '\(definition)' (\(source.name)) to WGS 84; "
          + "its grids may be missing (apt install proj-data)"
      )
    }
    return (raw, normal, assumesDatum)
  }

  private static func create(
    _ source: PROJObject, target: PROJObject, ballpark: Bool
  ) -> PROJObject? {
    let context = source.context
    let made = (ballpark ? "ALLOW_BALLPARK=YES" : "ALLOW_BALLPARK=NO").withCString { option in
      let options: [UnsafePointer<CChar>?] = [option, nil]
      return context.library.createOperation(
        context.handle, source.handle, target.handle, nil, options)
    }
    return PROJObject(made, in: context)
  }

  /// Whether no register has the datum, and its ellipsoid is that of WGS 84 or GRS 1980. The datums on
  /// these are centred on the earth, so that they agree with WGS 84 within a few metres. Programs that
  /// forget the datum's name write such files.
  private static func hasUnknownModernDatum(_ system: PROJObject) -> Bool {
    let (context, library) = (system.context, system.context.library)
    guard let datum = PROJObject(library.datum(context.handle, system.handle), in: context),
      library.code(datum.handle, 0) == nil,
      let ellipsoid = PROJObject(library.ellipsoid(context.handle, system.handle), in: context)
    else { return false }
    var (semiMajor, inverseFlattening) = (0.0, 0.0)
    let isKnown = library.ellipsoidParameters(
      context.handle, ellipsoid.handle, &semiMajor, nil, nil, &inverseFlattening)
    return isKnown != 0 && abs(semiMajor - 6_378_137) < 0.01
      && abs(inverseFlattening - 298.257_223) < 1e-5
  }

  /// The WGS 84 location of a point of the system.
  package func toWGS84(x: Double, y: Double) throws(GeometryError) -> (
    longitude: Double, latitude: Double
  ) {
    let found = try run(.forward, x: x, y: y, swap: swapsAxes)
    let longitude = EarthLimits.longitude(found.0)
    let latitude = EarthLimits.latitude(found.1)
    guard abs(longitude) <= 180, abs(latitude) <= 90 else {
      throw refusal(x, y: y, why: "it is not on the earth")
    }
    if let area, !area.isNear(longitude, latitude: latitude) {
      throw refusal(
        x, y: y,
        why: "it would be at latitude \(latitude), longitude \(longitude), "
          + "far outside the area of \(name) (\(area))"
      )
    }
    return (longitude, latitude)
  }

  /// The point of the system for a WGS 84 location.
  package func fromWGS84(longitude: Double, latitude: Double) throws(GeometryError) -> (
    x: Double, y: Double
  ) {
    if let area, !area.isNear(longitude, latitude: latitude) {
      throw GeometryError(
        .coordinateSystem,
        message: "latitude \(latitude), longitude \(longitude) lies far outside the area of "
          + "\(name) (\(area))"
      )
    }
    let (x, y) = try run(.inverse, x: longitude, y: latitude, swap: false)
    return swapsAxes ? (y, x) : (x, y)
  }

  private func run(
    _ direction: PROJLibrary.Direction, x: Double, y: Double, swap: Bool
  ) throws(GeometryError) -> (Double, Double) {
    guard x.isFinite, y.isFinite else { throw refusal(x, y: y, why: "a coordinate is not finite") }
    _ = context.library.resetError(operation.handle)
    var coordinate = cairn_proj_position()
    coordinate.v = swap ? (y, x, 0, .infinity) : (x, y, 0, .infinity)
    let result = context.library.transform(operation.handle, direction.rawValue, coordinate).v
    let code = context.library.error(operation.handle)
    guard code == 0, result.0.isFinite, result.1.isFinite else {
      let text = context.library.errorText(context.handle, code).map { String(cString: $0) }
      throw refusal(x, y: y, why: text ?? "PROJ finds no location for it")
    }
    return (result.0, result.1)
  }

  private func refusal(_ x: Double, y: Double, why: String) -> GeometryError {
    GeometryError(
      .coordinateSystem,
      message: "(\(x) east, \(y) north) cannot be placed by \(definition): \(why)")
  }
}

/// The first two axes of the coordinate system that an operation begins with.
struct SystemAxes {
  private let first: Axis
  private let second: Axis

  private struct Axis {
    /// `north`, `east` and so on; empty if PROJ does not tell.
    var direction = ""
    /// `metre`, `degree`, `US survey foot` and so on; empty if PROJ does not tell.
    var unit = ""
  }

  init(of operation: PROJObject) {
    first = Self.axis(0, of: operation)
    second = Self.axis(1, of: operation)
  }

  var beginWithNorth: Bool { first.direction == "north" && second.direction == "east" }

  /// Whether both axes are lengths; false also if PROJ does not tell.
  var areLengths: Bool {
    [first.unit, second.unit].allSatisfy { $0.hasSuffix("metre") || $0.contains("foot") }
  }

  private static func axis(_ index: Int32, of operation: PROJObject) -> Axis {
    let context = operation.context
    let library = context.library
    var (direction, unit): (UnsafePointer<CChar>?, UnsafePointer<CChar>?) = (nil, nil)
    guard
      let source = PROJObject(library.sourceCRS(context.handle, operation.handle), in: context),
      let axes = PROJObject(library.coordinateSystem(context.handle, source.handle), in: context),
      library.axis(
        context.handle, axes.handle, index, nil, nil, &direction, nil, &unit, nil, nil) != 0
    else { return Axis() }
    return Axis(
      direction: direction.map { String(cString: $0) } ?? "",
      unit: unit.map { String(cString: $0) } ?? "")
  }
}

/// The area that a coordinate system is meant for.
struct AreaOfUse: CustomStringConvertible {
  private let west: Double
  private let south: Double
  private let east: Double
  private let north: Double
  private let name: String

  /// The least margin in degrees: areas of use are drawn along borders, data is not.
  private static let minMargin = 3.0

  /// Returns nil if PROJ does not know the area.
  init?(_ system: PROJObject) {
    var (west, south, east, north) = (-1000.0, -1000.0, -1000.0, -1000.0)
    var name: UnsafePointer<CChar>?
    let found = system.context.library.areaOfUse(
      system.context.handle, system.handle, &west, &south, &east, &north, &name)
    guard found != 0, west > -1000, south > -1000, east > -1000, north > -1000 else { return nil }
    self.west = west
    self.south = south
    self.east = west > east ? east + 360 : east
    self.north = north
    self.name = name.map { String(cString: $0) } ?? "unnamed"
  }

  /// Whether a location is in the area, or no further from it than the area is wide and high.
  func isNear(_ longitude: Double, latitude: Double) -> Bool {
    let height = max(north - south, Self.minMargin)
    guard latitude >= south - height, latitude <= north + height else { return false }
    let width = max(east - west, Self.minMargin)
    guard width < 120 else { return true }
    return [longitude - 360, longitude, longitude + 360]
      .contains { $0 >= west - width && $0 <= east + width }
  }

  var description: String { "\(name): \(west) to \(east) east, \(south) to \(north) north" }
}
