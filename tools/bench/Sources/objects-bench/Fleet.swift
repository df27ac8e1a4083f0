import Cairn
import Foundation
import GRDB
import Measuring

/// Vehicles in a Cairn store.
final class CairnFleet {
  let realm: Realm
  private(set) var count: Int
  private var random = Random(seed: 7)

  /// Creates a store with a number of vehicles.
  init(_ file: URL, _ count: Int) throws {
    realm = try Realm(fileURL: file)
    self.count = 0
    try realm.write { for _ in 0..<count { add() } }
  }

  /// Adds the next vehicle, in an open transaction.
  func add() {
    let vehicle = Vehicle()
    vehicle.id = count
    vehicle.name = "V\(count)"
    vehicle.speed = random.uniform(0, 30)
    vehicle.location = random.place
    realm.add(vehicle)
    count += 1
  }

  /// Changes one property of a random vehicle.
  func change() {
    realm.object(ofType: Vehicle.self, forPrimaryKey: random.below(count))?.speed =
      random.uniform(0, 30)
  }

  /// Changes one of `count` vehicles, in a transaction of its own.
  static func change(_ number: Int, of count: Int, in realm: Realm) throws {
    try realm.write {
      let vehicle = realm.object(
        ofType: Vehicle.self, forPrimaryKey: number * 7919 % Swift.max(count, 1))
      vehicle?.speed += 1
    }
  }

  /// Moves a random vehicle to a random place.
  func move() {
    realm.object(ofType: Vehicle.self, forPrimaryKey: random.below(count))?.location = random.place
  }

  /// The number of vehicles in a random circle.
  func look() -> Int {
    guard let radius = Distance.kilometers(50), let place = random.place else { return 0 }
    let circle = GeoCircle(center: place, radius: radius)
    return realm.objects(Vehicle.self).where { $0.location.geoWithin(circle) }.count
  }
}

/// The same vehicles in SQLite, with an R*Tree, through GRDB; every commit is durable.
final class GRDBFleet: @unchecked Sendable {
  let queue: DatabaseQueue
  private(set) var count = 0
  private var random = Random(seed: 7)

  init(_ file: URL, _ count: Int) throws {
    var configuration = Configuration()
    configuration.prepareDatabase {
      try $0.execute(sql: "PRAGMA synchronous = FULL; PRAGMA cache_size = -1000000")
    }
    queue = try DatabaseQueue(path: file.path, configuration: configuration)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE vehicle (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, speed REAL NOT NULL,
            latitude REAL NOT NULL, longitude REAL NOT NULL);
          CREATE VIRTUAL TABLE place USING rtree(id, west, east, south, north);
          """)
      for _ in 0..<count { try add(database) }
    }
  }

  func add(_ database: Database) throws {
    let speed = random.uniform(0, 30)
    let latitude = random.uniform(-60, 70)
    let longitude = random.uniform(-180, 180)
    try VehicleRecord(
      id: count, name: "V\(count)", speed: speed, latitude: latitude, longitude: longitude
    ).insert(database)
    try database.cachedStatement(sql: "INSERT INTO place VALUES (?, ?, ?, ?, ?)")
      .execute(arguments: [count, longitude, longitude, latitude, latitude])
    count += 1
  }

  func change(_ database: Database) throws {
    let id = random.below(count)
    try database.cachedStatement(sql: "UPDATE vehicle SET speed = ? WHERE id = ?")
      .execute(arguments: [random.uniform(0, 30), id])
  }

  static func change(_ database: Database, _ number: Int, of count: Int) throws {
    try database.cachedStatement(sql: "UPDATE vehicle SET speed = speed + 1 WHERE id = ?")
      .execute(arguments: [number * 7919 % max(count, 1)])
  }

  func move(_ database: Database) throws {
    let id = random.below(count)
    let latitude = random.uniform(-60, 70)
    let longitude = random.uniform(-180, 180)
    try database.cachedStatement(
      sql: "UPDATE vehicle SET latitude = ?, longitude = ? WHERE id = ?"
    ).execute(arguments: [latitude, longitude, id])
    try database.cachedStatement(
      sql: "UPDATE place SET west = ?, east = ?, south = ?, north = ? WHERE id = ?"
    ).execute(arguments: [longitude, longitude, latitude, latitude, id])
  }

  func look() throws -> Int {
    let latitude = random.uniform(-60, 70)
    let longitude = random.uniform(-180, 180)
    let condition = GRDBSide.circle(longitude, latitude, metres: 50_000)
    return try queue.read {
      try Int.fetchOne(
        $0,
        sql: "SELECT COUNT(*) FROM vehicle JOIN place ON place.id = vehicle.id WHERE \(condition)")
        ?? 0
    }
  }
}

extension Random {
  /// A random whole number from 0 up to `end`, exclusive.
  mutating func below(_ end: Int) -> Int { Int(next() % UInt64(max(end, 1))) }

  /// A random place in the inhabited latitudes.
  fileprivate var place: GeoPoint? {
    mutating get {
      let latitude = uniform(-60, 70)
      return GeoPoint(latitude: latitude, longitude: uniform(-180, 180))
    }
  }
}
