internal import CairnGeometry

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The part of the earth that a picture shows, straight in longitude and latitude; a degree of longitude is drawn
/// as long as it is in the middle.
struct MapFrame {
  private(set) var west: Double
  private(set) var east: Double
  private(set) var south: Double
  private(set) var north: Double

  /// How much wider than high a picture may be, and how little.
  private static let aspects = 0.8...2.6
  private static let margin = 0.06
  /// Degrees shown at least.
  private static let leastSpan = 0.01

  /// Holds the places, the outline, and the origin.
  init(_ places: PlaceLog, _ outline: Outline?, _ origin: GeoPoint?) {
    var span = LongitudeSpan()
    var latitudes = (low: 90.0, high: -90.0)
    func add(_ latitude: Double) {
      latitudes = (min(latitudes.low, latitude), max(latitudes.high, latitude))
    }
    for index in 0..<places.count {
      span.add(places[index].longitude)
      add(places[index].latitude)
    }
    for ring in outline?.rings ?? [] {
      let longitudes = ring.map(\.longitude)
      span.add(from: longitudes.min() ?? 0, to: longitudes.max() ?? 0)
      for place in ring { add(place.latitude) }
      if let pole = RingShape(ring).pole { add(pole) }
    }
    if let origin {
      span.add(origin.longitude)
      add(origin.latitude)
    }
    let bounds = span.bounds ?? (-180, 180)
    (west, east) = bounds
    (south, north) = span.bounds == nil ? (-60, 85) : latitudes
    addMargin()
    fitAspect()
  }

  /// How long a degree of longitude is drawn beside one of latitude.
  var squeeze: Double {
    east - west > 300 ? 1 : max(0.2, cos((south + north) / 2 * .pi / 180))
  }

  /// Width by height.
  var aspect: Double { (east - west) * squeeze / (north - south) }

  private mutating func addMargin() {
    let across = max(Self.leastSpan, (east - west) * Self.margin)
    let along = max(Self.leastSpan, (north - south) * Self.margin)
    (south, north) = (max(-90, south - along), min(90, north + along))
    (west, east) = (west - across, east + across)
    if east - west >= 360 { (west, east) = (-180, 180) }
  }

  /// Shows more where the picture would be a mere strip.
  private mutating func fitAspect() {
    if aspect > Self.aspects.upperBound {
      let more = ((east - west) * squeeze / Self.aspects.upperBound - (north - south)) / 2
      (south, north) = (south - more, north + more)
      if south < -90 { (south, north) = (-90, min(90, north - 90 - south)) }
      if north > 90 { (south, north) = (max(-90, south - north + 90), 90) }
    } else if aspect < Self.aspects.lowerBound {
      let more = ((north - south) * Self.aspects.lowerBound / squeeze - (east - west)) / 2
      (west, east) = (west - more, east + more)
      if east - west > 360 {
        let middle = (west + east) / 2
        (west, east) = (middle - 180, middle + 180)
      }
    }
  }

  /// Where a place stands, in parts of width and height from the upper left; in the turn that the frame shows.
  func position(_ longitude: Double, _ latitude: Double) -> (x: Double, y: Double) {
    var turned = longitude
    if turned < west { turned += 360 }
    if turned > east, turned - 360 >= west { turned -= 360 }
    return ((turned - west) / (east - west), (north - latitude) / (north - south))
  }

  /// Turns of 360 degrees by which a longitude between the two comes to lie in the frame.
  func turns(from low: Double, to high: Double) -> [Double] {
    [-720, -360, 0, 360, 720].filter { high + $0 >= west && low + $0 <= east }
  }
}

/// A ring on its way round the earth.
struct RingShape {
  /// The latitude of the pole that the ring goes round; nil: none.
  let pole: Double?

  init(_ ring: [Outline.Place]) {
    guard let first = ring.first, let last = ring.last, abs(last.longitude - first.longitude) > 180
    else {
      pole = nil
      return
    }
    let middle = ring.reduce(0) { $0 + $1.latitude } / Double(ring.count)
    pole = middle < 0 ? -90 : 90
  }

  /// Longitudes and latitudes round what the ring holds; with the pole where it goes round one.
  static func area(_ ring: [Outline.Place]) -> [(longitude: Double, latitude: Double)] {
    var places = ring.map { (longitude: $0.longitude, latitude: $0.latitude) }
    if let pole = RingShape(ring).pole, let first = places.first, let last = places.last {
      places += [(last.longitude, pole), (first.longitude, pole)]
    }
    return places
  }
}
