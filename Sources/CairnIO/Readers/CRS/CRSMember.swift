/// The member `crs`, by which GeoJSON named its coordinate system before RFC 7946.
package enum CRSMember: Equatable {
  /// Longitude and latitude in degrees of WGS 84, the system of GeoJSON without this member.
  case wgs84
  /// A system that PROJ may recognize.
  case named(String)
  /// Anything else, as written in the file.
  case unclear(String)

  /// Creates a member from the name of a system, in any of its common spellings.
  package init(name: String) {
    self = Self.isWGS84(name) ? .wgs84 : .named(name)
  }

  /// Creates a member from the SRID of a geometry. 0 means that none is named.
  init(srid: Int?) {
    self = srid.flatMap { $0 == 0 ? nil : CRSMember(name: "EPSG:\($0)") } ?? .wgs84
  }

  /// Parses the JSON text of the member.
  package init(_ text: UnsafeBufferPointer<UInt8>) {
    let shown = String(decoding: text.prefix(200), as: UTF8.self)
    guard let base = text.baseAddress, shown != "null" else {
      self = .wgs84
      return
    }
    let name = Self.name(JSONScan(bytes: base, count: text.count))
    self = name.map(Self.init(name:)) ?? .unclear(shown)
  }

  /// Returns the name in `{"type":"name","properties":{"name":…}}` or
  /// `{"type":"EPSG","properties":{"code":…}}`.
  private static func name(_ scan: JSONScan) -> String? {
    guard let type = scan.member("type", ofObjectAt: 0),
      let properties = scan.member("properties", ofObjectAt: 0)
    else { return nil }
    switch scan.content(type) {
    case "name":
      return scan.member("name", ofObjectAt: properties.lowerBound).map(scan.content)
    case "EPSG":
      return scan.member("code", ofObjectAt: properties.lowerBound)
        .map { "EPSG:" + scan.content($0) }
    default: return nil
    }
  }

  private static func isWGS84(_ name: String) -> Bool {
    let name = name.uppercased()
    if ["CRS84", "OGC:CRS84", "EPSG:4326", "WGS84", "WGS 84"].contains(name) { return true }
    let isAddress = name.hasPrefix("URN:") || name.hasPrefix("HTTP")
    return isAddress && endings.contains { name.hasSuffix($0) }
  }

  private static let endings = [":CRS84", "/CRS84", ":4326", "/4326", "#4326"]
}

/// The interpretation of the coordinates of one file.
struct CoordinateReading: Sendable {
  /// The system of x and y, as PROJ identifies it; nil for longitude and latitude in degrees of WGS
  /// 84.
  let system: String?
  /// Whether longitudes between 180 and 360 are wrapped.
  let wrapsLongitudes: Bool
  /// Whether the user named the system, which overrides what the file says.
  let isGiven: Bool

  /// The reading of files that do not name a system.
  static let wgs84 = CoordinateReading()

  private init() {
    system = nil
    wrapsLongitudes = false
    isGiven = false
  }

  /// Creates the reading of a file.
  ///
  /// - Parameter member: The system that the file names.
  init(
    _ options: ImportOptions, member: CRSMember?, file: String
  ) throws(ImportError) {
    isGiven = options.coordinateSystem != nil
    wrapsLongitudes = options.wrapsLongitudes
    switch options.coordinateSystem.map(CRSMember.init(name:)) ?? member {
    case nil, .wgs84: system = nil
    case .named(let name): system = name
    case .unclear(let text): throw ImportError(.data, message: "\(file): \(Self.unclear(text))")
    }
    if wrapsLongitudes, let system {
      throw ImportError(
        .usage,
        message: "\(file): \(option: .wrapsLongitudes) applies to degrees of WGS 84, "
          + "but the coordinates are in \(system)"
      )
    }
  }

  /// Returns why the system that a member names contradicts this reading, or nil when it does not.
  func objection(to member: CRSMember) -> ImportMessage? {
    if isGiven { return nil }
    switch member {
    case .wgs84: return system.map { "the member `crs` says CRS84, but \($0) was set before" }
    case .named(let name):
      return name == system
        ? nil
        : "the member `crs` names the coordinate system `\(name)`, but counts only at the head "
          + "of a file; name the system with \(option: .coordinateSystem, name)"
    case .unclear(let text): return Self.unclear(text)
    }
  }

  private static func unclear(_ text: String) -> ImportMessage {
    "the member `crs` does not name a coordinate system that can be looked up (\(text)); "
      + "name it with \(option: .coordinateSystem, "EPSG:n")"
  }
}
