/// One of the coordinates of a place: how it is called, and how far it reaches.
struct CoordinateAxis {
  let name: String
  let limit: Double
  /// Values up to twice the limit are brought back.
  var wraps = false

  static let latitude = CoordinateAxis(name: "latitude", limit: 90)
  static let altitude = CoordinateAxis(name: "altitude", limit: .infinity)
  static let x = CoordinateAxis(name: "x", limit: .infinity)
  static let y = CoordinateAxis(name: "y", limit: .infinity)

  static func longitude(wraps: Bool) -> CoordinateAxis {
    CoordinateAxis(name: "longitude", limit: 180, wraps: wraps)
  }

  /// The value, brought back where that is wanted; nil when it is beyond the limit.
  @inline(__always)
  func accept(_ value: Double) -> Double? {
    if value.magnitude <= limit { return value }
    return wraps ? wrapped(value) : nil
  }

  /// The same meridian between -180 and 180, to the 13 decimals that a longitude of 360 has: a bare
  /// subtraction would end in digits that no one wrote.
  private func wrapped(_ value: Double) -> Double? {
    guard value.magnitude <= 360 else { return nil }
    let turned = value > 0 ? value - 360 : value + 360
    return (turned * 1e13).rounded() / 1e13
  }

  /// Why a value is not accepted, and what to do.
  func objection(to value: Double, options: StaticString) -> String {
    let projected = "projected coordinates need `\(options)`"
    let problem = "is beyond ±\(Int(limit)) degrees: "
    if name == "latitude", value.magnitude <= 180 {
      return problem + "are latitude and longitude changed over? Else \(projected)"
    }
    guard name == "longitude", !wraps, value.magnitude <= 360 else { return problem + projected }
    return problem + "longitudes of 0 to 360 need `--wrap-longitude`, \(projected)"
  }
}
