import CairnSystem

extension Geometry {
  /// Returns locations at random in the geometry: evenly over the area of its polygons on the sphere;
  /// without any, over the length of its lines; or else among its points.
  ///
  /// Edges of polygons are straight in longitude and latitude. The same geometry and seed have the same
  /// locations.
  ///
  /// - Parameters:
  ///   - count: the number of locations, up to 10 million.
  ///   - seed: a number on which the locations depend.
  /// - Returns: A multipoint; without locations for an empty geometry.
  /// - Throws: ``GeometryError`` if the geometry is not valid, the number is out of range, a polygon is
  ///   so thin that none of many locations lies in it, or for lines PROJ is not installed.
  public func randomLocations(
    _ count: Int, seed: UInt64 = 0
  ) throws(GeometryError) -> Geometry {
    guard 0...10_000_000 ~= count else {
      throw GeometryError(
        .outOfRange, message: "the number of locations is \(count); expected 0 to 10 million")
    }
    try validate(edges: .planar)
    // Geometries of one shape at different places do not repeat a pattern.
    var generator = SeededGenerator(
      seed: bytes.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
    if isEmpty || count == 0 { return Geometry(points: []) }
    if hasPolygons {
      return Geometry(points: try RandomArea(self).locations(count, using: &generator))
    }
    let onLines = try MeasuredLine.measuring(self) { line in
      (0..<count).compactMap { _ in
        line.location(at: Double.random(in: 0...line.length, using: &generator))
      }
    }
    let points = self.points
    return Geometry(
      points: onLines
        ?? (0..<count).map { _ in points[Int.random(in: points.indices, using: &generator)] })
  }
}

/// Boxes that cover polygons closely, to draw locations from.
private struct RandomArea {
  /// The number of boxes up to which those at the border are divided.
  private static let boxCount = 2048
  /// The number of locations outside of the polygons for each one inside after which it ends.
  private static let attempts = 1_000_000

  private let prepared: PreparedShape
  private var boxes: [(box: Envelope, isInside: Bool)] = []
  /// The area of all boxes up to each one, which is proportional to that on the sphere.
  private var areas: [Double] = []

  init(_ geometry: Geometry) throws(GeometryError) {
    prepared = try PreparedShape(.geometry(geometry, edges: .planar))
    boxes = Self.boxes(geometry, prepared)
    var sum = 0.0
    for (box, _) in boxes {
      sum += Self.height(box) * (box.east - box.west)
      areas.append(sum)
    }
  }

  private static func boxes(
    _ geometry: Geometry, _ prepared: PreparedShape
  ) -> [(box: Envelope, isInside: Bool)] {
    var inside: [Envelope] = []
    var border = geometry.withView { $0.bounds }.map { [$0] } ?? []
    for _ in 0..<24 where !border.isEmpty && inside.count + border.count < boxCount {
      var next: [Envelope] = []
      for box in border.flatMap(\.quarters) {
        switch prepared.classify(box) {
        case .disjoint: break
        case .contained: inside.append(box)
        case .intersecting: next.append(box)
        }
      }
      border = next
    }
    return inside.map { ($0, true) } + border.map { ($0, false) }
  }

  /// The difference of the sines of a box's latitudes.
  private static func height(_ box: Envelope) -> Double {
    sine(degrees: box.north) - sine(degrees: box.south)
  }

  func locations(
    _ count: Int, using generator: inout SeededGenerator
  ) throws(GeometryError) -> [GeoPoint] {
    var locations: [GeoPoint] = []
    var failures = 0
    while locations.count < count {
      if let location = location(using: &generator) {
        locations.append(location)
        failures = 0
        continue
      }
      failures += 1
      guard failures < Self.attempts else {
        throw GeometryError(
          .library,
          message: "a polygon is too thin: none of a million locations at random lies in it")
      }
    }
    return locations
  }

  /// A location in one of the boxes; nil if it is not in a polygon.
  private func location(using generator: inout SeededGenerator) -> GeoPoint? {
    let target = Double.random(in: 0..<(areas.last ?? 1), using: &generator)
    var (low, high) = (0, areas.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if areas[middle] > target { high = middle } else { low = middle + 1 }
    }
    let (box, isInside) = boxes[low]
    let longitude = Double.random(in: box.west...box.east, using: &generator)
    let rise = Double.random(in: 0...1, using: &generator) * Self.height(box)
    let sineOfLatitude = max(-1, min(1, sine(degrees: box.south) + rise))
    let latitude = max(box.south, min(box.north, arcSine(sineOfLatitude).inDegrees))
    guard isInside || prepared.holds(.intersects, longitude: longitude, latitude: latitude) else {
      return nil
    }
    return GeoPoint(latitude: latitude, longitude: longitude)
  }
}

extension Envelope {
  /// The four parts between the middle meridian and the middle parallel.
  fileprivate var quarters: [Envelope] {
    // In fixed point, so that the parts have no point in common but their edges.
    let x = E7.degrees(E7.below((west + east) / 2))
    let y = E7.degrees(E7.below((south + north) / 2))
    return [
      Envelope(west: west, south: south, east: x, north: y),
      Envelope(west: x, south: south, east: east, north: y),
      Envelope(west: west, south: y, east: x, north: north),
      Envelope(west: x, south: y, east: east, north: north),
    ]
  }
}
