/// What the member `crs` says, by which GeoJSON named its coordinate system before RFC 7946.
package enum CRSMember: Equatable {
  /// Longitude and latitude, degrees of WGS 84, as GeoJSON is without it.
  case wgs84
  /// A system that PROJ may know.
  case named(String)
  /// Anything else, as it stands in the file.
  case unclear(String)

  /// A name, in one of the ways they are written.
  package init(name: String) {
    self = Self.isWGS84(name) ? .wgs84 : .named(name)
  }

  /// The JSON text of the member.
  package init(_ text: UnsafeBufferPointer<UInt8>) {
    let shown = String(decoding: text.prefix(200), as: UTF8.self)
    guard let base = text.baseAddress, shown != "null" else {
      self = .wgs84
      return
    }
    let name = Self.name(JSONScan(bytes: base, count: text.count))
    self = name.map(Self.init(name:)) ?? .unclear(shown)
  }

  /// `{"type":"name","properties":{"name":…}}`, or `{"type":"EPSG","properties":{"code":…}}`.
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

extension JSONScan {
  /// Where the value of a member stands in the object that begins at the index; nil when there is
  /// no such member, or no object that is whole up to there.
  func member(_ name: String, ofObjectAt start: Int) -> Range<Int>? {
    guard start < count, bytes[start] == UInt8(ascii: "{") else { return nil }
    var index = skipSpace(start + 1)
    while index < count, bytes[index] == UInt8(ascii: "\"") {
      guard let end = skipString(index) else { return nil }
      let colon = skipSpace(end)
      let value = skipSpace(colon + 1)
      guard value < count, let valueEnd = skipValue(value) else { return nil }
      if text(index + 1, end - 1) == name { return value..<valueEnd }
      index = skipSpace(valueEnd)
      guard index < count, bytes[index] == UInt8(ascii: ",") else { return nil }
      index = skipSpace(index + 1)
    }
    return nil
  }

  /// A short value as text, the quotes of a string taken off.
  func content(_ range: Range<Int>) -> String {
    guard bytes[range.lowerBound] == UInt8(ascii: "\"") else {
      return text(range.lowerBound, range.upperBound)
    }
    // Some writers escape the slashes of addresses.
    return text(range.lowerBound + 1, range.upperBound - 1).replacing("\\/", with: "/")
  }
}
