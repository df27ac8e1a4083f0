import Cairn
import Foundation
import Measuring

/// A moving object.
final class Vehicle: Object {
  @Persisted(primaryKey: true) var id = 0
  /// The number of the commit that moved it last.
  @Persisted var turn = 0
  @Persisted var location: GeoPoint?
}

/// An area that vehicles enter and leave.
final class Fence: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var area: GeoPolygon?
}

/// Polygons of eight irregular vertices, one in each cell of a grid, so that the fence of a place is
/// found without a search. This is the oracle of the benchmark.
struct FenceWorld {
  private struct Ring {
    var x: [Double]
    var y: [Double]
  }

  private let columns: Int
  private let rows: Int
  private let rings: [Ring]
  private static let south = -80.0
  private static let height = 160.0

  var count: Int { rings.count }
  private var cellWidth: Double { 360 / Double(columns) }
  private var cellHeight: Double { Self.height / Double(rows) }

  init(count: Int) {
    columns = max(1, Int(Double(2 * count).squareRoot()))
    rows = max(1, count / columns)
    var random = Random(seed: 11)
    var rings: [Ring] = []
    let (width, height) = (360 / Double(columns), Self.height / Double(rows))
    for index in 0..<columns * rows {
      let x = -180 + (Double(index % columns) + 0.5) * width
      let y = Self.south + (Double(index / columns) + 0.5) * height
      var ring = Ring(x: [], y: [])
      for corner in 0..<8 {
        let (angle, radius) = (Double(corner) * .pi / 4, random.uniform(0.25, 0.48))
        ring.x.append(Self.rounded(x + width * radius * cos(angle)))
        ring.y.append(Self.rounded(y + height * radius * sin(angle)))
      }
      rings.append(ring)
    }
    self.rings = rings
  }

  /// A coordinate as the store keeps it.
  static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }

  /// The fence that holds a place; nil if there is none.
  func fence(longitude x: Double, latitude y: Double) -> Int? {
    let column = Int((x + 180) / cellWidth)
    let row = Int(((y - Self.south) / cellHeight).rounded(.down))
    guard (0..<columns).contains(column), (0..<rows).contains(row) else { return nil }
    let index = row * columns + column
    let ring = rings[index]
    var isInside = false
    var last = 7
    for next in 0..<8 {
      if (ring.y[next] > y) != (ring.y[last] > y),
        x < (ring.x[last] - ring.x[next]) * (y - ring.y[next]) / (ring.y[last] - ring.y[next])
          + ring.x[next]
      {
        isInside.toggle()
      }
      last = next
    }
    return isInside ? index : nil
  }

  /// The fence as a polygon with edges that are straight in longitude and latitude.
  private func polygon(_ index: Int) -> GeoPolygon? {
    let ring = zip(rings[index].y, rings[index].x).map { ($0, $1) }
    return GeoPolygon(outerRing: ring + [ring[0]], edges: .planar)
  }

  /// Writes the fences and the vehicles to a new store.
  func write(to store: URL, vehicles: Int) throws {
    let realm = try Realm(configuration: Self.configuration(store))
    try realm.write {
      for index in rings.indices {
        let fence = Fence()
        (fence.id, fence.area) = (index, polygon(index))
        realm.add(fence)
      }
    }
    var random = Random(seed: 3)
    try realm.write {
      for id in 0..<vehicles {
        let vehicle = Vehicle()
        vehicle.id = id
        vehicle.location = GeoPoint(
          latitude: Self.rounded(random.uniform(-75, 75)),
          longitude: Self.rounded(random.uniform(-175, 175)))
        realm.add(vehicle)
      }
    }
  }

  static func configuration(_ store: URL) -> Realm.Configuration {
    var configuration = Realm.Configuration()
    configuration.fileURL = store
    configuration.objectTypes = [Vehicle.self, Fence.self]
    return configuration
  }

  /// The fence of each vehicle, and the number of the last commit, as the store has them.
  func truth(of store: URL) throws -> (fences: [Int: Int], turn: Int) {
    let realm = try Realm(configuration: Self.configuration(store))
    var fences: [Int: Int] = [:]
    var turn = 0
    for vehicle in realm.objects(Vehicle.self) {
      turn = max(turn, vehicle.turn)
      guard let place = vehicle.location else { continue }
      fences[vehicle.id] = fence(longitude: place.longitude, latitude: place.latitude)
    }
    return (fences, turn)
  }
}
