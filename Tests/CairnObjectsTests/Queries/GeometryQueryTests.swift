import CairnGeometry
import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

private class Region: Object {
  @Persisted var number = 0
  @Persisted var area: Geometry?
  @Persisted var border: GeoPolygon?
  @Persisted var office: GeoPoint?
}

private class Trip: Object {
  @Persisted var number = 0
  @Persisted var pickup: GeoPoint?
  @Persisted var dropoff: GeoPoint?
  @Persisted var course: GeoLineString?
  @Persisted var region: Region?
  @Persisted var regions: List<Region>
  @Persisted var stops: List<GeoPoint>
}

/// Conditions on geometries, compared with the geometries themselves. A failure prints its seed.
@Suite struct GeometryQueryTests {
  private let realm: Realm
  private let store = TemporaryStore()
  private let random = SplitMix64(seed: 41)
  private var regions: Results<Region> { realm.objects(Region.self) }
  private var trips: Results<Trip> { realm.objects(Trip.self) }

  init() throws {
    realm = try store.realm()
    var random = SplitMix64(seed: 14)
    let regions = (0..<60).map { number in
      let region = Region()
      region.number = number
      region.border = random.chance(0.9) ? random.square() : nil
      switch random.below(4) {
      case 0: region.area = nil
      case 1: region.area = region.border.map { Geometry($0) }
      case 2: region.area = random.point().map { Geometry($0) }
      default: region.area = random.line().map { Geometry($0) }
      }
      region.office = random.chance(0.8) ? random.point() : nil
      return region
    }
    let trips = (0..<80).map { number in
      let trip = Trip()
      trip.number = number
      trip.pickup = random.chance(0.9) ? random.point() : nil
      trip.dropoff = random.point()
      trip.course = random.line()
      trip.region = random.chance(0.8) ? random.pick(regions) : nil
      trip.regions.append(objectsIn: (0..<random.below(3)).map { _ in random.pick(regions) })
      trip.stops.append(objectsIn: (0..<random.below(3)).compactMap { _ in random.point() })
      return trip
    }
    try realm.write {
      realm.add(regions)
      realm.add(trips)
    }
  }

  /// The relation of two geometries, by the distance and by the shapes themselves.
  private func meets(_ a: Geometry?, _ b: Geometry?) -> Bool {
    guard let a, let b, !a.isEmpty, !b.isEmpty else { return false }
    return a.distance(to: b)?.radians == 0
  }

  private func numbers(_ trips: some Sequence<Trip>) -> [Int] { trips.map(\.number).sorted() }
  private func numbers(_ found: some Sequence<Region>) -> [Int] { found.map(\.number).sorted() }

  @Test func shapesOfEveryKind() throws {
    var random = random
    for _ in 0..<20 {
      let randomPoint = random.point()
      let point = try #require(randomPoint)
      let randomLine = random.line()
      let line = try #require(randomLine)
      let randomSquare = random.square()
      let square = try #require(randomSquare)
      let expected = { (shape: Geometry) in
        numbers(self.regions.filter { self.meets($0.area, shape) } as [Region])
      }
      #expect(numbers(regions.where { $0.area.geoIntersects(point) }) == expected(Geometry(point)))
      #expect(numbers(regions.where { $0.area.geoIntersects(line) }) == expected(Geometry(line)))
      #expect(
        numbers(regions.where { $0.area.geoIntersects(square) }) == expected(Geometry(square)))
      #expect(
        numbers(regions.where { $0.area.geoIntersects(Geometry(square)) })
          == expected(Geometry(square)))
      let disjoint = numbers(regions.where { $0.area.geoDisjoint(square) })
      let there = numbers(regions.where { $0.area != nil })
      #expect(Set(disjoint).union(expected(Geometry(square))) == Set(there))
      let contains = numbers(regions.where { $0.border.geoContains(point) })
      #expect(
        contains
          == numbers(
            regions.filter { self.meets($0.border.map { Geometry($0) }, Geometry(point)) }
              as [Region]))
      let circle = GeoCircle(center: point, radius: try #require(.kilometers(120)))
      #expect(
        numbers(regions.where { $0.office.geoWithin(circle) })
          == numbers(
            regions.filter { $0.office.map { point.distance(to: $0) <= circle.radius } ?? false }
              as [Region]))
      #expect(
        numbers(regions.where { $0.area.geoIntersects(circle) })
          == numbers(
            regions.filter {
              $0.area?.distance(to: Geometry(point)).map { $0 <= circle.radius } ?? false
            } as [Region]))
    }
  }

  /// The relations of interiors, by the geometries themselves.
  @Test func touchesCrossesOverlapsAndEquals() throws {
    var random = random
    func numbers(_ holds: (Geometry) throws -> Bool) rethrows -> [Int] {
      self.numbers(try regions.filter { try $0.area.map(holds) ?? false } as [Region])
    }
    for _ in 0..<20 {
      let (randomSquare, randomLine) = (random.square(), random.line())
      let (square, line) = (try #require(randomSquare), try #require(randomLine))
      let (area, course) = (Geometry(square), Geometry(line))
      #expect(
        try self.numbers(regions.where { $0.area.geoTouches(square) })
          == numbers { try $0.touches(area) })
      #expect(
        try self.numbers(regions.where { $0.area.geoCrosses(line) })
          == numbers { try $0.crosses(course) })
      #expect(
        try self.numbers(regions.where { $0.area.geoOverlaps(square) })
          == numbers { try $0.overlaps(area) })
    }
    let known = try #require(regions.first { $0.area != nil }?.area)
    #expect(
      try self.numbers(regions.where { $0.area.geoEquals(known) })
        == numbers { try $0.equals(known) })
    #expect(
      try self.numbers(regions.where { $0.area.geoEquals($0.border) })
        == self.numbers(
          regions.filter { region in
            guard let area = region.area, let border = region.border else { return false }
            return try area.equals(Geometry(border))
          } as [Region]))
  }

  @Test func boxesAndEdges() throws {
    let box = try #require(GeoBox(bottomLeft: (50, 0), topRight: (50.2, 40)) as GeoBox?)
    let wide = try #require(
      GeoPolygon(outerRing: [(50, 0), (50, 40), (50.2, 40), (50.2, 0), (50, 0)], edges: .planar)
        as GeoPolygon?)
    let middle = try #require(GeoPoint(latitude: 50.1, longitude: 20))
    try realm.write {
      realm.deleteAll()
      realm.create(Region.self, value: ["area": middle, "border": wide, "office": middle])
    }
    #expect(regions.where { $0.area.geoWithin(box) }.count == 1)
    #expect(regions.where { $0.office.geoWithin(wide) }.count == 1)
    #expect(regions.where { $0.office.geoWithin(wide, edges: .geodesic) }.isEmpty)
    #expect(regions.where { $0.border.geoContains(middle, edges: .planar) }.count == 1)
    #expect(regions.where { $0.border.geoContains(middle) }.isEmpty)
    #expect(regions.where { $0.office.geoWithin($0.border, edges: .planar) }.count == 1)
    #expect(regions.where { $0.office.geoWithin($0.border) }.isEmpty)
    #expect(regions.filter("border GEOCONTAINS %@", middle).isEmpty)
    #expect(regions.filter("office GEOWITHIN %@", wide).count == 1)
    #expect(regions.filter("area GEOINTERSECTS %@", Geometry(middle)).count == 1)
  }

  @Test func propertiesAgainstProperties() throws {
    let limit = try #require(Distance.kilometers(300))
    func distance(_ trip: Trip) -> Distance? {
      guard let pickup = trip.pickup, let dropoff = trip.dropoff else { return nil }
      return pickup.distance(to: dropoff)
    }
    #expect(
      numbers(trips.where { $0.pickup.geoDistance(to: $0.dropoff) > .kilometers(300) })
        == numbers(trips.filter { distance($0).map { $0 > limit } ?? false } as [Trip]))
    #expect(
      numbers(trips.where { $0.pickup.geoDistance(to: $0.dropoff) <= limit })
        == numbers(trips.filter { distance($0).map { $0 <= limit } ?? false } as [Trip]))
    #expect(
      numbers(trips.where { $0.pickup.geoWithin($0.region.border) })
        == numbers(
          trips.filter {
            self.meets($0.pickup.map { Geometry($0) }, $0.region?.border.map { Geometry($0) })
          } as [Trip]))
    #expect(
      numbers(trips.where { $0.region.border.geoContains($0.pickup) })
        == numbers(trips.where { $0.pickup.geoWithin($0.region.border) }))
    #expect(
      numbers(trips.where { $0.course.geoIntersects($0.region.area) })
        == numbers(
          trips.filter {
            self.meets($0.course.map { Geometry($0) }, $0.region?.area)
          } as [Trip]))
    let any = numbers(
      trips.filter { trip in
        trip.regions.contains {
          self.meets($0.border.map { Geometry($0) }, trip.dropoff.map { Geometry($0) })
        }
      } as [Trip])
    #expect(numbers(trips.where { $0.regions.border.geoContains($0.dropoff) }) == any)
    #expect(numbers(trips.where { $0.dropoff.geoWithin($0.regions.border) }) == any)
  }

  @Test func collectionsAndDistances() throws {
    var random = random
    let randomSquare = random.square()
    let square = try #require(randomSquare)
    let shape = Geometry(square)
    #expect(
      numbers(trips.where { $0.stops.geoWithin(square) })
        == numbers(
          trips.filter { $0.stops.contains { self.meets(Geometry($0), shape) } } as [Trip]))
    for limit in [0, 50, 400.0] {
      let distance = try #require(Distance.kilometers(limit))
      #expect(
        numbers(regions.where { $0.area.geoDistance(to: square) <= distance })
          == numbers(
            regions.filter { $0.area?.distance(to: shape).map { $0 <= distance } ?? false }
              as [Region]))
      #expect(
        numbers(regions.where { !($0.area.geoDistance(to: square) <= distance) && $0.area != nil })
          == numbers(regions.where { $0.area.geoDistance(to: square) > distance }))
    }
  }

  @Test func orderByDistance() throws {
    var random = random
    let randomLine = random.line()
    let line = try #require(randomLine)
    func distances(_ found: some Sequence<Region>) -> [Double] {
      found.map { $0.area?.distance(to: Geometry(line))?.radians ?? .infinity }
    }
    let sorted = distances(regions.sorted(by: \.area, distanceTo: line))
    #expect(sorted == sorted.sorted())
    #expect(sorted.count == 60)
    let five = regions.where { $0.area != nil }.nearest(to: line, byKeyPath: "area").limit(5)
    #expect(distances(five) == Array(sorted.prefix(5)))
    let farthest = regions.sorted(by: \.area, distanceTo: line, ascending: false).first
    #expect(farthest?.area?.distance(to: Geometry(line))?.radians == sorted.filter(\.isFinite).last)
    #expect(
      regions.within(
        try #require(GeoBox(bottomLeft: (-90, -180), topRight: (90, 180)) as GeoBox?),
        property: "border"
      ).count
        == regions.where { $0.border != nil }.count)
  }

  @Test func mistakesEndTheProgram() {
    let distance = Misuse.trap("query: a negative distance")
    #expect(distance.contains("A distance must not be negative, nor NaN."))
    let ambiguous = Misuse.trap("nearest: with several locations")
    #expect(
      ambiguous.contains(
        "Class 'Station' has several locations or geometries; name one of position, entrance, outline"
      ))
  }
}

extension SplitMix64 {
  fileprivate mutating func point() -> GeoPoint? {
    GeoPoint(latitude: 45 + Double(below(50)) / 10, longitude: Double(below(80)) / 10)
  }

  fileprivate mutating func line() -> GeoLineString? {
    GeoLineString((0..<2 + below(3)).compactMap { _ in point() })
  }

  fileprivate mutating func square() -> GeoPolygon? {
    guard let corner = point() else { return nil }
    let (south, west) = (corner.latitude, corner.longitude)
    let (north, east) = (south + Double(1 + below(20)) / 10, west + Double(1 + below(20)) / 10)
    return GeoPolygon(
      outerRing: [(south, west), (south, east), (north, east), (north, west), (south, west)])
  }
}
