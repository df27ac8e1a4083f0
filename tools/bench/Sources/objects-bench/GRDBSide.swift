import Foundation
import GRDB

/// A city as a GRDB record.
struct CityRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "city"
  var id: Int64
  var name: String
  var pop: Int
  var latitude: Double
  var longitude: Double
}

/// The same jobs on SQLite with an R*Tree, through GRDB. The R*Tree finds the box of a shape; SQL
/// tests the shape exactly.
struct GRDBSide {
  let queue: DatabaseQueue

  init(_ file: URL) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -1000000") }
    queue = try DatabaseQueue(path: file.path, configuration: configuration)
  }

  static func fill(_ file: URL, _ count: Int) throws {
    let side = try GRDBSide(file)
    try side.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    try side.queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE city (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, pop INTEGER NOT NULL,
            latitude REAL NOT NULL, longitude REAL NOT NULL);
          CREATE VIRTUAL TABLE place USING rtree(id, west, east, south, north);
          """)
      let place = try database.makeStatement(sql: "INSERT INTO place VALUES (?, ?, ?, ?, ?)")
      for (id, one) in Cities(count: count).enumerated() {
        let record = CityRecord(
          id: Int64(id), name: one.name, pop: one.pop, latitude: one.latitude,
          longitude: one.longitude)
        try record.insert(database)
        try place.execute(arguments: [
          id, one.longitude, one.longitude, one.latitude, one.latitude,
        ])
      }
    }
  }

  /// A condition in SQL, for rows of `city` joined with their entries in the R*Tree.
  static func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> String {
    """
    place.west >= \(west - 1e-4) AND place.east <= \(east + 1e-4)
    AND place.south >= \(south - 1e-4) AND place.north <= \(north + 1e-4)
    AND longitude BETWEEN \(west) AND \(east) AND latitude BETWEEN \(south) AND \(north)
    """
  }

  static func circle(_ longitude: Double, _ latitude: Double, metres: Double) -> String {
    let angle = metres / 6_378_100
    let south = latitude - angle * 180 / .pi - 1e-6
    let north = latitude + angle * 180 / .pi + 1e-6
    let width = asin(sin(angle) / cos(latitude * .pi / 180)) * 180 / .pi + 1e-6
    return box(longitude - width, south, longitude + width, north)
      + """
       AND sin(radians(latitude)) * \(sin(latitude * .pi / 180))
       + cos(radians(latitude)) * \(cos(latitude * .pi / 180)) * cos(radians(longitude - \(longitude)))
       >= \(cos(angle))
      """
  }

  func count(_ condition: String) throws -> String {
    try queue.read {
      String(
        try Int.fetchOne(
          $0, sql: "SELECT COUNT(*) FROM city JOIN place ON place.id = city.id WHERE \(condition)")
          ?? 0)
    }
  }

  func records(_ condition: String, _ rest: String = "") throws -> [CityRecord] {
    try queue.read {
      try CityRecord.fetchAll(
        $0,
        sql: "SELECT city.* FROM city JOIN place ON place.id = city.id WHERE \(condition) \(rest)")
    }
  }

  func number(_ sql: String) throws -> String {
    try queue.read { String(try Int.fetchOne($0, sql: sql) ?? 0) }
  }

  func records(sql: String) throws -> [CityRecord] {
    try queue.read { try CityRecord.fetchAll($0, sql: sql) }
  }

  /// Sums over three properties of each record, so that all are read.
  func read(sql: String) throws -> String {
    try queue.read { database in
      var (sum, letters, north) = (0, 0, 0)
      let cursor = try CityRecord.fetchCursor(database, sql: sql)
      while let city = try cursor.next() {
        sum += city.pop
        letters += city.name.utf8.count
        if city.latitude > 0 { north += 1 }
      }
      return "\(sum)/\(letters)/\(north)"
    }
  }
}
