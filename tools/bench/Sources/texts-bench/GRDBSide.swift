import Cairn
import Foundation
import GRDB

/// The same jobs on SQLite's FTS5 and R*Tree, through GRDB with cached statements.
struct GRDBSide {
  private let queue: DatabaseQueue

  init(_ file: URL) throws {
    var configuration = GRDB.Configuration()
    configuration.prepareDatabase {
      try $0.execute(sql: "PRAGMA cache_size = -1000000; PRAGMA mmap_size = 8000000000")
    }
    queue = try DatabaseQueue(path: file.path, configuration: configuration)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
  }

  func fill(_ texts: [Texts.Text]) throws {
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'unicode61 remove_diacritics 2');
          CREATE VIRTUAL TABLE place
            USING rtree(id, south, north, west, east, +latitude REAL, +longitude REAL);
          """)
      let text = try database.makeStatement(sql: "INSERT INTO texts(rowid, text) VALUES (?, ?)")
      let place = try database.makeStatement(sql: "INSERT INTO place VALUES (?, ?, ?, ?, ?, ?, ?)")
      for (id, one) in texts.enumerated() {
        try text.execute(arguments: [id, one.text])
        try place.execute(arguments: [
          id, one.latitude, one.latitude, one.longitude, one.longitude, one.latitude,
          one.longitude,
        ])
      }
    }
  }

  /// Merges the segments of FTS5 into one, which makes its searches faster.
  func optimize() throws {
    try queue.write { try $0.execute(sql: "INSERT INTO texts(texts) VALUES ('optimize')") }
  }

  func count(_ search: String) throws -> Int {
    try number("SELECT count(*) FROM texts WHERE texts MATCH ?", [search])
  }

  func count(_ search: String, within circle: GeoCircle) throws -> Int {
    let (latitude, longitude) = (circle.center.latitude, circle.center.longitude)
    let angle = circle.radius.radians
    let height = angle * 180 / .pi * 1.0001
    let width = height / cos(latitude * .pi / 180) * 1.01
    return try number(
      """
      SELECT count(*) FROM place JOIN texts ON texts.rowid = place.id
      WHERE texts MATCH ? AND north >= ? AND south <= ? AND east >= ? AND west <= ?
        AND pow(sin(radians(latitude - ?) / 2), 2)
          + cos(radians(latitude)) * ? * pow(sin(radians(longitude - ?) / 2), 2) <= ?
      """,
      [
        search, latitude - height, latitude + height, longitude - width, longitude + width,
        latitude, cos(latitude * .pi / 180), longitude, pow(sin(angle / 2), 2),
      ])
  }

  func best(_ search: String) throws -> Int {
    try queue.read { database in
      try String.fetchAll(
        database.cachedStatement(
          sql: "SELECT text FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT 10"),
        arguments: [search]
      ).reduce(0) { $0 + ($1.isEmpty ? 0 : 1) }
    }
  }

  private func number(_ sql: String, _ arguments: StatementArguments) throws -> Int {
    try queue.read {
      try Int.fetchOne($0.cachedStatement(sql: sql), arguments: arguments) ?? 0
    }
  }
}
