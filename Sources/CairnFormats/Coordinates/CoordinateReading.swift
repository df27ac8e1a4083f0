/// What the coordinates of one file are.
struct CoordinateReading: Sendable {
  /// The system of x and y, as PROJ knows it; nil: longitude and latitude, degrees of WGS 84.
  let system: String?
  /// Longitudes between 180 and 360 are brought back.
  let wrapsLongitudes: Bool
  /// The user has named the system, so that what the file says of it does not count.
  let isGiven: Bool

  /// - Parameter member: what the file says of its system.
  init(
    _ options: ImportOptions, member: CRSMember?, file: String
  ) throws(ImportError) {
    isGiven = options.coordinateSystem != nil
    wrapsLongitudes = options.wrapsLongitudes
    switch options.coordinateSystem.map(CRSMember.init(name:)) ?? member {
    case nil, .wgs84: system = nil
    case .named(let name): system = name
    case .unclear(let text): throw Self.unclear(text, file)
    }
    if wrapsLongitudes, let system {
      throw ImportError(
        .usage,
        "\(file): `--wrap-longitude` is for degrees of WGS 84, and the coordinates are in \(system)"
      )
    }
  }

  /// Fails where a file, behind what was read of it first, names another system than it is read in.
  func check(_ member: CRSMember, file: String) throws(ImportError) {
    if isGiven { return }
    switch member {
    case .unclear(let text): throw Self.unclear(text, file)
    case .wgs84 where system == nil: return
    case .named(let name) where name == system: return
    case .wgs84: throw Self.late("CRS84", file)
    case .named(let name): throw Self.late(name, file)
    }
  }

  private static func unclear(_ text: String, _ file: String) -> ImportError {
    ImportError(
      .data,
      "\(file): the member `crs` names no coordinate system that could be looked up (\(text)): "
        + "name it with `--crs EPSG:n`"
    )
  }

  private static func late(_ name: String, _ file: String) -> ImportError {
    ImportError(
      .data,
      "\(file): the member `crs`, which names the coordinate system `\(name)`, comes too late to be "
        + "heeded: say it with `--crs \(name)`"
    )
  }
}
