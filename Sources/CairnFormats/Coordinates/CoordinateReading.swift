/// What the coordinates of one file are.
struct CoordinateReading: Sendable {
  /// The system of x and y, as PROJ knows it; nil: longitude and latitude, degrees of WGS 84.
  let system: String?
  /// Longitudes between 180 and 360 are brought back.
  let wrapsLongitudes: Bool
  /// The user has named the system, so that what the file says of it does not count.
  let isGiven: Bool

  /// As files are read that say nothing of it.
  static let wgs84 = CoordinateReading()

  private init() {
    system = nil
    wrapsLongitudes = false
    isGiven = false
  }

  /// - Parameter member: what the file says of its system.
  init(
    _ options: ImportOptions, member: CRSMember?, file: String
  ) throws(ImportError) {
    isGiven = options.coordinateSystem != nil
    wrapsLongitudes = options.wrapsLongitudes
    switch options.coordinateSystem.map(CRSMember.init(name:)) ?? member {
    case nil, .wgs84: system = nil
    case .named(let name): system = name
    case .unclear(let text): throw ImportError(.data, "\(file): \(Self.unclear(text))")
    }
    if wrapsLongitudes, let system {
      throw ImportError(
        .usage,
        "\(file): `--wrap-longitude` is for degrees of WGS 84, and the coordinates are in \(system)"
      )
    }
  }

  /// Why coordinates that are read in this way cannot be in the system that a member names; nil: they
  /// are.
  func objection(to member: CRSMember) -> String? {
    if isGiven { return nil }
    switch member {
    case .wgs84: return system.map { "the member `crs` says CRS84, and \($0) was said before" }
    case .named(let name):
      return name == system
        ? nil
        : "the member `crs` names the coordinate system `\(name)`, which is heeded only at the head "
          + "of a file: say it with `--crs \(name)`"
    case .unclear(let text): return Self.unclear(text)
    }
  }

  private static func unclear(_ text: String) -> String {
    "the member `crs` names no coordinate system that could be looked up (\(text)): name it with "
      + "`--crs EPSG:n`"
  }
}
