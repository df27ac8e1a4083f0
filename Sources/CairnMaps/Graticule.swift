import CairnSystem

/// The meridians and parallels of a map at round degrees, with their labels at its edges.
struct Graticule {
  typealias Point = (x: Double, y: Double)

  /// A label at a point, as fractions of width and height.
  struct Label {
    let text: String
    let point: Point
    /// Whether the label belongs to a meridian, which ends at the lower edge.
    let isMeridian: Bool
  }

  /// The lines, as fractions of width and height.
  private(set) var lines: [[Point]] = []
  private(set) var labels: [Label] = []

  init(_ frame: MapFrame) {
    if let polar = frame.polar {
      addRays(frame, polar: polar)
      addCircles(frame, polar: polar)
    } else {
      addMeridians(frame)
      addParallels(frame)
    }
  }

  private static let steps = [
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 45,
  ]

  private static func roundStep(_ least: Double) -> Double { steps.first { $0 >= least } ?? 45 }

  private static func step(_ frame: MapFrame) -> Double {
    roundStep(max((frame.east - frame.west) / 8, (frame.north - frame.south) / 5))
  }

  /// Returns the multiples of a step between two numbers.
  private static func multiples(of step: Double, from low: Double, to high: Double) -> [Double] {
    guard low <= high else { return [] }
    let (first, last) = (Int((low / step).rounded(.up)), Int((high / step).rounded(.down)))
    return first <= last ? (first...last).map { Double($0) * step } : []
  }

  private mutating func addMeridians(_ frame: MapFrame) {
    for longitude in Self.multiples(of: Self.step(frame), from: frame.west, to: frame.east) {
      let x = frame.fraction(longitude, y: 0).x
      lines.append([(x, 0), (x, 1)])
      labels.append(
        Label(text: DegreeText.meridian(longitude), point: (x, 1), isMeridian: true))
    }
  }

  private mutating func addParallels(_ frame: MapFrame) {
    for latitude in Self.multiples(of: Self.step(frame), from: frame.south, to: frame.north) {
      let y = frame.fraction(0, y: latitude).y
      lines.append([(0, y), (1, y)])
      labels.append(
        Label(text: DegreeText.parallel(latitude), point: (0, y), isMeridian: false))
    }
  }

  /// Adds meridians from the pole to the edges of the map.
  private mutating func addRays(_ frame: MapFrame, polar: PolarProjection) {
    let far = polar.isNorth ? 90 - PolarProjection.reach : PolarProjection.reach - 90
    for longitude in stride(from: -150.0, through: 180, by: 30) {
      let ends = [polar.isNorth ? 90.0 : -90, far].map {
        frame.position(longitude, latitude: $0)
      }
      guard let line = UnitClip.line(ends[0], end: ends[1]) else { continue }
      lines.append([line.0, line.1])
      labels.append(
        Label(text: DegreeText.meridian(longitude), point: line.1, isMeridian: true))
    }
  }

  /// Adds parallels, each with a label on the first meridian that shows it.
  private mutating func addCircles(_ frame: MapFrame, polar: PolarProjection) {
    for distance in Self.multiples(of: Self.step(frame), from: 0.001, to: PolarProjection.reach) {
      let latitude = polar.isNorth ? 90 - distance : distance - 90
      let circle: [Point] = stride(from: -180.0, through: 180, by: 2).map {
        frame.position($0, latitude: latitude)
      }
      lines += circle.split { !Self.isInside($0, margin: 0) }.map { Array($0) }
      let places: [Point] = stride(from: -165.0, through: 165, by: 30).map {
        frame.position($0, latitude: latitude)
      }
      guard let middle = places.first(where: { Self.isInside($0, margin: 0.05) }) else { continue }
      labels.append(
        Label(text: DegreeText.parallel(latitude), point: middle, isMeridian: false))
    }
  }

  private static func isInside(_ point: Point, margin: Double) -> Bool {
    let range = margin...(1 - margin)
    return range.contains(point.x) && range.contains(point.y)
  }
}

/// Degrees in words.
enum DegreeText {
  /// Returns a longitude of any rotation, such as `12.5°W`.
  static func meridian(_ degrees: Double) -> String {
    let turned = degrees - ((degrees + 180) / 360).rounded(.down) * 360
    let text = text(turned, positive: "E", negative: "W")
    return text == "180°W" ? "180°" : text
  }

  /// Returns a latitude, such as `45°N`.
  static func parallel(_ degrees: Double) -> String {
    text(degrees, positive: "N", negative: "S")
  }

  private static func text(_ degrees: Double, positive: String, negative: String) -> String {
    let rounded = (degrees * 1000).rounded() / 1000
    let size = abs(rounded)
    let digits = size == size.rounded() ? "\(Int(size))" : "\(size)"
    return "\(digits)°" + (rounded == 0 ? "" : rounded < 0 ? negative : positive)
  }
}
