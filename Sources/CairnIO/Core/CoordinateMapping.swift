package import CairnGeometry

/// The mapping from the coordinates of a file to WGS 84. For use by one thread.
package enum CoordinateMapping {
  case degrees(wrapsLongitudes: Bool)
  case projected(CoordinateTransform)

  /// The reason that rejected records outside the system share.
  package static let rejection: RejectReason = "location is outside the coordinate system"

  /// Whether the coordinates are longitudes and latitudes.
  package var isInDegrees: Bool { if case .degrees = self { true } else { false } }

  /// The axes of the coordinates.
  package var axes: (x: CoordinateAxis, y: CoordinateAxis) {
    switch self {
    case .degrees(let wraps): (.longitude(wraps: wraps), .latitude)
    case .projected: (.x, .y)
    }
  }

  /// Returns why a geometry that names its own SRID cannot be read, or nil when it can.
  func objection(toSystem number: Int) -> ImportMessage? {
    switch self {
    case _ where number == 0: return nil
    case .degrees where number == 4326: return nil
    case .projected(let transform) where transform.definition.uppercased() == "EPSG:\(number)":
      return nil
    default:
      return "its geometry names SRID \(number); use \(option: .coordinateSystem, "EPSG:\(number)")"
    }
  }

  /// Returns what is wrong with a location, and what to do.
  ///
  /// - Parameter hasColumns: Whether columns of the coordinates may be wrong as well.
  package static func detail(_ error: GeometryError, hasColumns: Bool) -> ImportMessage {
    var text = error.message[...]
    if text.last == "." { text.removeLast() }
    guard hasColumns else { return "\(text); check \(option: .coordinateSystem)" }
    return "\(text); check \(option: .coordinateSystem), \(option: .x) and \(option: .y)"
  }
}

/// One of the coordinates of a location: its name and its range.
package struct CoordinateAxis {
  package let name: String
  let limit: Double
  /// Whether values up to twice the limit are wrapped into the range.
  var wraps = false

  static let latitude = CoordinateAxis(name: "latitude", limit: 90)
  static let altitude = CoordinateAxis(name: "altitude", limit: .infinity)
  static let x = CoordinateAxis(name: "x", limit: .infinity)
  static let y = CoordinateAxis(name: "y", limit: .infinity)

  static func longitude(wraps: Bool) -> CoordinateAxis {
    CoordinateAxis(name: "longitude", limit: 180, wraps: wraps)
  }

  /// Returns the value, wrapped if `wraps` is set, or nil when it is beyond the limit.
  @inline(__always)
  package func accept(_ value: Double) -> Double? {
    let value = EarthLimits.snapped(value, limit: limit)
    if value.magnitude <= limit { return value }
    return wraps ? wrapped(value) : nil
  }

  /// Returns the same meridian between -180 and 180.
  private func wrapped(_ value: Double) -> Double? {
    guard value.magnitude <= 360 else { return nil }
    return Longitude.moved(value, by: Longitude.turn(of: value))
  }

  /// Explains why a value is not accepted, and what to do.
  ///
  /// - Parameter columns: The placeholder for the names of the columns of projected coordinates;
  ///   nil if the format has no columns.
  package func objection(to value: Double, columns: String? = nil) -> ImportMessage {
    guard !value.isNaN, limit.isFinite else { return "is not a number" }
    let system = OptionUse(.coordinateSystem, value: "EPSG:n")
    let projected: ImportMessage =
      if let columns {
        "projected coordinates need \(options: system, OptionUse(.x, value: columns), OptionUse(.y, value: columns))"
      } else {
        "projected coordinates need \(options: system)"
      }
    let problem: ImportMessage = "is beyond ±\(Int(limit)) degrees; "
    if name == "latitude", value.magnitude <= 180 {
      return problem + "latitude and longitude may be swapped; \(projected)"
    }
    guard name == "longitude", !wraps, value.magnitude <= 360 else { return problem + projected }
    return problem + "longitudes of 0 to 360 need \(option: .wrapsLongitudes), \(projected)"
  }
}

/// A point as read from a file.
package struct Location {
  package var longitude = 0.0
  package var latitude = 0.0
  package var altitude: Double?

  package init(longitude: Double = 0, latitude: Double = 0, altitude: Double? = nil) {
    self.longitude = longitude
    self.latitude = latitude
    self.altitude = altitude
  }
}
