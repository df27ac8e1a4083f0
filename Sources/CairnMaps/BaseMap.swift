import CairnSystem
internal import CairnValues

/// The background of maps: land, borders and names of Natural Earth, to a hundredth of a degree.
package enum BaseMap {
  /// Closed rings in degrees, the largest first. None of them crosses the antimeridian.
  static let land: [[Vertex]] = landText.withUTF8Buffer(BaseMapText.lines).filter { $0.count > 3 }

  /// The borders between countries.
  static let borders: [[Vertex]] = borderText.withUTF8Buffer(BaseMapText.lines)

  /// The countries, the largest first. The number of a name is its extent in tenths of a degree of
  /// longitude.
  static let countries: [Name] = countryText.withUTF8Buffer(BaseMapText.names)

  /// The places, the most important first. The number of a name is the zoom of a web map, times
  /// ten, from which it is shown.
  static let places: [Name] = placeText.withUTF8Buffer(BaseMapText.names)

  /// The whole background as a JSON object: the texts `land` and `borders`, as `BaseMapText`
  /// describes them, and arrays of names: text, longitude, latitude and number.
  package static var json: String {
    func names(_ names: [Name]) -> String {
      let entries = names.map {
        "[\(JSONString.quoted($0.text)),\($0.longitude),\($0.latitude),\($0.number)]"
      }
      return "[\(entries.joined(separator: ","))]"
    }
    let lines = [("land", landText), ("borders", borderText)].map { name, text in
      "\"\(name)\":" + JSONString.quoted(text.description.filter { !$0.isWhitespace })
    }
    return "{\(lines.joined(separator: ",")),\"countries\":\(names(countries)),"
      + "\"places\":\(names(places))}\n"
  }

  /// The script with `readLines(text)`, which returns the lines of `BaseMapText`, for the pages that
  /// draw the background.
  package static var lineReader: [UInt8] { PackageResources.lines_js }

  /// A vertex of a line or ring.
  struct Vertex: Equatable {
    let longitude: Double
    let latitude: Double

    /// Whether the line to the next vertex is the edge of the map rather than a coast.
    func isMapEdge(to next: Vertex) -> Bool {
      abs(longitude) == 180 && longitude == next.longitude
        || latitude == -90 && next.latitude == -90
    }
  }

  /// A name on the map.
  struct Name {
    let text: String
    let longitude: Double
    let latitude: Double
    /// The extent or the zoom from which the name is shown.
    let number: Int
  }

  /// The zoom of a web map with the same scale.
  static func zoom(pixelsPerDegree: Double) -> Double { log2(pixelsPerDegree * 360 / 256) }

  /// The part of the base map that a page needs to show a frame in full detail, and the rest of the
  /// world coarsely.
  struct Excerpt {
    let land: String
    let borders: String
    let countries: [Name]
    let places: [Name]

    /// The steps outside the detailed part, in degrees.
    private static let coarseStep = 0.4
    /// The zoom of the places that are named everywhere.
    private static let coarseZoom = 30

    init(_ frame: MapFrame) {
      let window = Window(frame)
      land = BaseMapText.text(BaseMap.land.compactMap { window.excerpt($0, leastCount: 4) })
      borders = BaseMapText.text(BaseMap.borders.compactMap { window.excerpt($0, leastCount: 2) })
      countries = BaseMap.countries
      places = BaseMap.places.filter {
        $0.number <= Self.coarseZoom
          || window.contains($0.longitude, latitude: $0.latitude)
      }
    }

    /// The frame with as much again on all sides.
    private struct Window {
      private let frame: MapFrame

      init(_ frame: MapFrame) { self.frame = frame }

      func contains(_ longitude: Double, latitude: Double) -> Bool {
        let point = frame.position(longitude, latitude: latitude)
        return point.y > -1 && point.y < 2
          && frame.neighbours(point.x).contains { $0 > -1 && $0 < 2 }
      }

      /// Returns the line with the vertices outside the window thinned out; nil if nothing remains.
      func excerpt(_ line: [Vertex], leastCount: Int) -> [Vertex]? {
        var kept: [Vertex] = []
        for (index, vertex) in line.enumerated() {
          let isEnd = index == 0 || index == line.count - 1
          let isNear = kept.last.map {
            max(abs($0.longitude - vertex.longitude), abs($0.latitude - vertex.latitude))
              < Excerpt.coarseStep
          }
          if isEnd || isNear == false || vertex.isOnMapEdge
            || contains(vertex.longitude, latitude: vertex.latitude)
          {
            kept.append(vertex)
          }
        }
        return kept.count >= leastCount ? kept : nil
      }
    }
  }
}

extension BaseMap.Vertex {
  /// Whether the vertex lies where the map was cut.
  fileprivate var isOnMapEdge: Bool { abs(longitude) == 180 || latitude == -90 }
}
