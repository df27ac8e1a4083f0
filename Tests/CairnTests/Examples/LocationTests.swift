import Cairn
import CairnModelTestSupport
import Foundation
import Testing

/// A location in the form of a GeoJSON Point.
class ShopPoint: EmbeddedObject {
  @Persisted private var coordinates: List<Double>
  @Persisted private var type: String = "Point"

  var latitude: Double { coordinates[1] }
  var longitude: Double { coordinates[0] }

  convenience init(_ latitude: Double, _ longitude: Double) {
    self.init()
    coordinates.append(objectsIn: [longitude, latitude])
  }
}

class Shop: Object {
  @Persisted var location: ShopPoint?
  @Persisted var point: GeoPoint?

  convenience init(_ location: ShopPoint) {
    self.init()
    self.location = location
    point = GeoPoint(latitude: location.latitude, longitude: location.longitude)
  }
}

/// Two shops, and geo shapes with or without them.
@Suite struct PlaceTests {
  let temporary: TemporaryRealm
  var shops: Results<Shop> { temporary.realm.objects(Shop.self) }

  init() throws {
    let first = Shop()
    first.location = ShopPoint(47.68, -122.35)
    first.point = GeoPoint(latitude: 47.68, longitude: -122.35)
    temporary = try TemporaryRealm(first, Shop(ShopPoint(47.9, -121.85)), Shop())
  }

  /// The counts of shops in a shape, from every form of query.
  private func counts(
    _ argument: Any?, _ within: (Query<ShopPoint?>) -> Query<Bool>,
    _ pointWithin: (Query<GeoPoint?>) -> Query<Bool>
  ) -> Set<Int> {
    let arguments = NSMutableArray()
    arguments.add(argument as Any)
    return [
      shops.where { within($0.location) }.count,
      shops.where { pointWithin($0.point) }.count,
      shops.filter("location IN %@", argument).count,
      shops.filter("point IN %@", argument).count,
      shops.filter(NSPredicate(format: "location IN %@", argumentArray: arguments as? [Any])).count,
    ]
  }

  @Test func circles() throws {
    let small = GeoCircle(center: (47.3, -121.9), radiusInRadians: 0.004363323)
    let large = try GeoCircle(
      center: #require(GeoPoint(latitude: 47.8, longitude: -122.6)),
      radius: #require(Distance.kilometers(44.4)))
    let circle = try #require(small)
    #expect(counts(small, { $0.geoWithin(circle) }, { $0.geoWithin(circle) }) == [0])
    #expect(counts(large, { $0.geoWithin(large) }, { $0.geoWithin(large) }) == [1])
  }

  @Test func boxes() throws {
    let large = GeoBox(bottomLeft: (47.3, -122.7), topRight: (48.1, -122.1))
    let bottomLeft = try #require(GeoPoint(latitude: 47.5, longitude: -122.4))
    let topRight = GeoPoint(latitude: 47.9, longitude: -121.8)
    let small = try GeoBox(bottomLeft: bottomLeft, topRight: #require(topRight))
    #expect(counts(small, { $0.geoWithin(small) }, { $0.geoWithin(small) }) == [2])
    let box = try #require(large)
    #expect(counts(large, { $0.geoWithin(box) }, { $0.geoWithin(box) }) == [1])
  }

  private static let ring: [(Double, Double)] = [
    (48.0, -122.8), (48.2, -121.8), (47.6, -121.6), (47.0, -122.0), (47.2, -122.6), (48.0, -122.8),
  ]
  private static let hole: [(Double, Double)] = [
    (47.8, -122.6), (47.7, -122.2), (47.4, -122.6), (47.6, -122.5), (47.8, -122.6),
  ]
  private static let hole2: [(Double, Double)] = [
    (47.55, -122.05), (47.55, -121.9), (47.3, -122.1), (47.55, -122.05),
  ]

  @Test func polygons() throws {
    func points(_ ring: [(Double, Double)]) throws -> [GeoPoint] {
      try ring.map { try #require(GeoPoint(latitude: $0.0, longitude: $0.1)) }
    }
    let basic = GeoPolygon(outerRing: [
      (48.0, -122.8), (48.2, -121.8), (47.6, -121.6), (47.0, -122.0), (47.2, -122.6),
      (48.0, -122.8),
    ])
    let (outer, hole) = (try points(PlaceTests.ring), try points(PlaceTests.hole))
    let oneHole = GeoPolygon(outerRing: outer, holes: [hole])
    let twoHoles = GeoPolygon(outerRing: outer, holes: [hole, try points(PlaceTests.hole2)])
    for (polygon, count) in [(basic, 2), (oneHole, 1), (twoHoles, 1)] {
      let shape = try #require(polygon)
      #expect(counts(polygon, { $0.geoWithin(shape) }, { $0.geoWithin(shape) }) == [count])
    }
    let shape = try #require(oneHole)
    let left = shops.where { $0.location.geoWithin(shape) }
    #expect(left.first?.location?.latitude == 47.9)
  }

  @Test func negatedAndNamedInText() throws {
    let box = try #require(GeoBox(bottomLeft: (47.3, -122.7), topRight: (48.1, -122.1)))
    #expect(shops.where { !$0.location.geoWithin(box) }.count == 2)
    #expect(shops.filter("location GEOWITHIN geoBox([-122.7, 47.3], [-122.1, 48.1])").count == 1)
    #expect(shops.filter("location IN geoCircle([-121.9, 47.3], 0.004363323)").isEmpty)
  }

  /// Both forms of location sort the nearest shop first and a shop without a location last.
  @Test func nearestFirst() throws {
    let east = try #require(GeoPoint(latitude: 47.9, longitude: -121.8))
    let byLocation = shops.sorted(by: \.location, distanceTo: east)
    let byPoint = shops.sorted(by: \.point, distanceTo: east)
    for order in [byLocation, byPoint] {
      #expect(order.map { $0.point?.longitude } == [-121.85, -122.35, nil])
    }
    #expect(shops.nearest(to: east, byKeyPath: "location").first?.location?.latitude == 47.9)
    let farthest = shops.sorted(by: \.location, distanceTo: east, ascending: false)
    #expect(farthest.map { $0.point?.longitude } == [-122.35, -121.85, nil])
  }

  @Test func manyShapesAtOnce() throws {
    let boxes = [-122.5, -122.0].map {
      GeoBox(bottomLeft: (47.5, $0), topRight: (48.0, $0 + 0.5))
    }
    let all = try boxes.map { try #require($0) }
    #expect(shops.count(inEach: all, property: "point") == [1, 1])
    #expect(shops.count(inEach: all, property: "location") == [1, 1])
  }

  /// A moved location is found at its new coordinates, also before the commit.
  @Test func locationsMove() throws {
    let box = try #require(GeoBox(bottomLeft: (10, 10), topRight: (11, 11)))
    let inside = shops.where { $0.location.geoWithin(box) }
    #expect(inside.isEmpty)
    let shop = try #require(shops.first)
    try temporary.realm.write {
      shop.location = ShopPoint(10.5, 10.5)
      #expect(inside.count == 1)
    }
    #expect(inside.count == 1)
    try temporary.realm.write {
      shop.location = nil
      #expect(inside.isEmpty)
    }
    #expect(inside.isEmpty)
  }
}
