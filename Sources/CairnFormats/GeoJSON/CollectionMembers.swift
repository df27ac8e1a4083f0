/// What a FeatureCollection says besides its Features.
struct CollectionMembers {
  let file: String
  var hasFeatures = false
  private var type: String?
  private var crs: String?

  init(file: String) { self.file = file }

  /// Takes a member in; those without a meaning for us (`bbox`, foreign members) are passed over.
  mutating func take(_ name: String, _ text: UnsafeBufferPointer<UInt8>) {
    switch name {
    case "type": type = String(decoding: text, as: UTF8.self)
    case "crs": crs = String(decoding: text.prefix(1000), as: UTF8.self)
    default: break
    }
  }

  /// Called when the collection has ended.
  func check() throws(ImportError) {
    guard type == "\"FeatureCollection\"" else {
      let shown = type.map { "`\($0)`" } ?? "missing"
      throw ImportError(
        .data, "\(file): the `type` of the whole is \(shown), and a FeatureCollection was expected")
    }
    guard hasFeatures else {
      throw ImportError(.data, "\(file): the FeatureCollection has no array `features`")
    }
    if let crs, !Self.isWGS84(crs) {
      throw ImportError(
        .data,
        "\(file): the coordinate system `\(crs)` is not WGS 84, and its coordinates would be "
          + "misread: transform the file to longitude and latitude (CRS84) first"
      )
    }
  }

  private static func isWGS84(_ crs: String) -> Bool {
    let name = crs.uppercased()
    if name == "NULL" || name.contains("CRS84\"") { return true }
    return ["EPSG::4326\"", "EPSG:4326\"", "WGS84\"", "WGS 84\""].contains { name.contains($0) }
  }
}
