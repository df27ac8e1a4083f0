import CairnFormats
import CairnValues

/// The points of GeoJSON, read in the plainest way.
enum NaivePoints {
  /// An import that refuses what it cannot store has the points that are there.
  static func check(_ preview: ImportPreview, _ bytes: [UInt8], isLines: Bool) {
    // In degrees as they are written, unless a system is named.
    guard preview.summary.systems.isEmpty,
      let location = preview.columns.firstIndex(where: { $0.type == .point }),
      let points = isLines ? points(ofLines: bytes) : NaiveJSON(bytes[...]).flatMap(points)
    else { return }
    let rows = preview.summary.inserted
    require(rows == points.count, "\(rows) rows were read of \(points.count) features")
    for (row, point) in zip(preview.firstRows, points) {
      require(isSame(row[location], point), "\(row[location]) was read, and \(point) is written")
    }
  }

  private static func isSame(_ value: Value, _ point: [Double]) -> Bool {
    guard case .point(let place) = value else { return point.isEmpty }
    return point.count >= 2 && place.longitude == point[0] && place.latitude == point[1]
  }

  private static func points(ofLines bytes: [UInt8]) -> [[Double]]? {
    var all: [[Double]] = []
    for line in bytes.split(separator: 0x0A) where !line.allSatisfy({ $0 <= 0x20 }) {
      guard let json = NaiveJSON(line), let points = points(of: json) else { return nil }
      all += points
    }
    return all
  }

  /// One for each Feature, empty where it has no place; nil where that is not for this reader to say.
  private static func points(of json: NaiveJSON) -> [[Double]]? {
    switch json.member("type")?.text {
    case "FeatureCollection":
      var all: [[Double]] = []
      for feature in json.member("features")?.elements ?? [] {
        guard let own = points(of: feature) else { return nil }
        all += own
      }
      return all
    case "Feature":
      guard let geometry = json.member("geometry") else { return nil }
      if geometry.isNull { return [[]] }
      guard geometry.member("type")?.text == "Point",
        let numbers = geometry.member("coordinates")?.elements?.map({ $0.number ?? .nan })
      else { return nil }
      return [numbers]
    default: return nil
    }
  }
}
