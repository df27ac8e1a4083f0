internal import CairnGeometry

/// Rings on the earth as they lie in a frame, in each turn in which it shows them.
struct FramePicture {
  private let frame: MapFrame

  init(_ frame: MapFrame) { self.frame = frame }

  /// Calls `draw` with each piece of coast.
  func forEachLine(
    _ ring: [Coastline.Place], _ draw: ((x: Double, y: Double), (x: Double, y: Double)) -> Void
  ) {
    for turn in turns(ring.lazy.map(\.longitude)) {
      for (start, end) in zip(ring, ring.dropFirst()) where !start.isSeam(to: end) {
        draw(
          point(start.longitude + turn, start.latitude), point(end.longitude + turn, end.latitude))
      }
    }
  }

  /// Calls `draw` with each piece of an outline.
  func forEachLine(
    _ ring: [Outline.Place], _ draw: ((x: Double, y: Double), (x: Double, y: Double)) -> Void
  ) {
    for turn in turns(ring.lazy.map(\.longitude)) {
      for (start, end) in zip(ring, ring.dropFirst()) {
        draw(
          point(start.longitude + turn, start.latitude), point(end.longitude + turn, end.latitude))
      }
    }
  }

  /// The ring as areas to be filled, cut to the frame.
  func areas(_ ring: [Coastline.Place]) -> [[(x: Double, y: Double)]] {
    areas(ring.map { ($0.longitude, $0.latitude) })
  }

  /// The ring as areas to be filled, cut to the frame; one round a pole holds the pole.
  func areas(_ ring: [Outline.Place]) -> [[(x: Double, y: Double)]] {
    areas(RingShape.area(ring))
  }

  private func areas(_ places: [(Double, Double)]) -> [[(x: Double, y: Double)]] {
    turns(places.lazy.map(\.0)).compactMap { turn in
      let area = UnitClip.ring(places.map { point($0.0 + turn, $0.1) }, margin: 0.02)
      return area.count > 2 ? area : nil
    }
  }

  private func turns(_ longitudes: some Sequence<Double>) -> [Double] {
    var (low, high) = (Double.infinity, -Double.infinity)
    for longitude in longitudes { (low, high) = (min(low, longitude), max(high, longitude)) }
    return frame.turns(from: low, to: high)
  }

  /// Parts of width and height, of the turn that the longitude is in.
  private func point(_ longitude: Double, _ latitude: Double) -> (x: Double, y: Double) {
    (
      (longitude - frame.west) / (frame.east - frame.west),
      (frame.north - latitude) / (frame.north - frame.south)
    )
  }
}
