import CairnGeometry
import CairnIO
import CairnValues

/// A coordinate system in which the service gives and takes coordinates, with the order of axes that
/// its authority defines.
struct ServedSystem: Equatable {
  /// The identifier in responses.
  let uri: String
  /// The code in PROJ's form, as `EPSG:3857`; nil for longitude and latitude of WGS 84.
  let code: String?

  /// Longitude and latitude of WGS 84.
  static let crs84 = ServedSystem(
    uri: "http://www.opengis.net/def/crs/OGC/1.3/CRS84", code: nil)

  private init(uri: String, code: String?) {
    self.uri = uri
    self.code = code
  }

  /// Creates the system of a code such as `EPSG:3857`.
  init(code: String) {
    let parts = code.split(separator: ":", maxSplits: 1).map(String.init)
    let (authority, number) = parts.count == 2 ? (parts[0], parts[1]) : ("EPSG", code)
    self.init(uri: "http://www.opengis.net/def/crs/\(authority)/0/\(number)", code: code)
  }

  /// The systems of a service.
  static func all(_ options: ServiceOptions) -> [ServedSystem] {
    [crs84] + options.systems.map(ServedSystem.init(code:))
  }

  /// Returns the system that a parameter names, as a URI or as a code; WGS 84 for nil.
  ///
  /// - Throws: A problem if the service does not offer it.
  static func named(
    _ text: String?, parameter: String, options: ServiceOptions
  ) throws(Problem) -> ServedSystem {
    guard let text else { return crs84 }
    let systems = all(options)
    let bare =
      text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
    let wanted = bare.uppercased()
    let found = systems.first { system in
      if system.uri.uppercased() == wanted { return true }
      guard let code = system.code?.uppercased() else {
        return ["CRS84", "OGC:CRS84", "URN:OGC:DEF:CRS:OGC:1.3:CRS84"].contains(wanted)
      }
      return wanted == code
        || wanted == "URN:OGC:DEF:CRS:" + code.replacing(":", with: "::")
    }
    guard let found else {
      let names = systems.map(\.uri).joined(separator: ", ")
      throw .badRequest("\(parameter): '\(text)' is not one of the coordinate systems \(names)")
    }
    return found
  }

  /// The system for output; nil for longitude and latitude.
  func output() throws(GeometryError) -> OutputSystem? {
    guard let code else { return nil }
    return try OutputSystem(code, isInOwnOrder: true)
  }

  /// Converts a point of the system to longitude and latitude.
  func transform() throws(GeometryError) -> CoordinateTransform? {
    guard let code else { return nil }
    return try CoordinateTransform(code)
  }
}

extension String {
  /// The text with a part replaced wherever it occurs.
  fileprivate func replacing(_ part: Character, with other: String) -> String {
    split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
  }
}
