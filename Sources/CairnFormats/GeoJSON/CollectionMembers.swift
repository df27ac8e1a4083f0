/// What a FeatureCollection says besides its Features.
struct CollectionMembers {
  private let file: String
  private let reading: CoordinateReading
  var hasFeatures = false
  private var type: String?
  private var crs: CRSMember?

  /// - Parameter reading: what the coordinates of the Features are taken for.
  init(file: String, reading: CoordinateReading) {
    self.file = file
    self.reading = reading
  }

  /// Takes a member in; those without a meaning for us (`bbox`, foreign members) are passed over.
  mutating func take(_ name: String, _ text: UnsafeBufferPointer<UInt8>) {
    switch name {
    case "type": type = String(decoding: text, as: UTF8.self)
    case "crs": crs = CRSMember(text)
    default: break
    }
  }

  /// The advice for JSON that is not GeoJSON.
  static let plainJSON = "plain JSON is read with `--format json`"

  /// Called when the collection has ended.
  func check() throws(ImportError) {
    guard type == "\"FeatureCollection\"" else {
      let shown = type.map { "`\($0)`" } ?? "missing"
      let advice =
        type == "\"Topology\""
        ? ": `topo2geo` or `ogr2ogr` makes GeoJSON of TopoJSON"
        : type == nil ? ": \(Self.plainJSON)" : ""
      throw ImportError(
        .data,
        "\(file): the `type` of the whole is \(shown), and a FeatureCollection, a Feature or a geometry was expected\(advice)"
      )
    }
    guard hasFeatures else {
      throw ImportError(.data, "\(file): the FeatureCollection has no array `features`")
    }
    if let objection = crs.flatMap(reading.objection) {
      throw ImportError(.data, "\(file): \(objection)")
    }
  }
}
