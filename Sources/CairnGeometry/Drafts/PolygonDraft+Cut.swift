extension PolygonDraft {
  /// Cuts valid polygons at every writing of the antimeridian, as RFC 7946, section 3.1.9, would have it,
  /// and brings the pieces back onto the earth.
  mutating func cut(_ polygons: [[PlaneRing]]) throws(GeometryError) -> [[PlaneRing]] {
    var pieces: [[PlaneRing]] = []
    for rings in polygons {
      guard let outer = rings.first, let west = outer.xs.min(), let east = outer.xs.max() else {
        continue
      }
      let first = Self.turn(of: west, isEast: false)
      let turns = first...max(first, Self.turn(of: east, isEast: true))
      guard turns.count > 1 else {
        pieces.append(Self.moved(rings, by: turns.lowerBound))
        continue
      }
      pieces += try Self.cut(rings, at: turns)
    }
    changes.append(
      polygons.count == pieces.count
        ? "Longitudes beyond ±180 were brought back by whole turns."
        : "Longitudes beyond ±180 were brought back by whole turns, with cuts along the antimeridian: "
          + "\(polygons.count) became \(pieces.count) polygons.")
    return pieces
  }

  /// Which world a longitude is in: 0 is -180 ... 180, 1 the next to the east.
  private static func turn(of longitude: Double, isEast: Bool) -> Int {
    let worlds = (longitude + 180) / 360
    // One that only touches the end of a world does not reach into the next.
    return isEast ? Int(worlds.rounded(.up)) - 1 : Int(worlds.rounded(.down))
  }

  private static func cut(
    _ rings: [PlaneRing], at turns: ClosedRange<Int>
  ) throws(GeometryError) -> [[PlaneRing]] {
    let context = try GEOSContext()
    let polygon = try GEOSPolygon(rings, in: context)
    var pieces: [[PlaneRing]] = []
    for turn in turns {
      let (west, east) = (Double(turn) * 360 - 180, Double(turn) * 360 + 180)
      let world = PlaneRing(xs: [west, east, east, west, west], ys: [-90, -90, 90, 90, -90])
      let inside = try polygon.intersection(with: GEOSPolygon([world], in: context))
      pieces += inside.map { moved($0, by: turn) }
    }
    return pieces
  }

  private static func moved(_ rings: [PlaneRing], by turn: Int) -> [PlaneRing] {
    guard turn != 0 else { return rings }
    return rings.map { ring in
      PlaneRing(
        xs: ring.xs.map { max(-180, min(180, $0 - Double(turn) * 360)) }, ys: ring.ys)
    }
  }
}
