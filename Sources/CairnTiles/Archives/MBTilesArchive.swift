internal import CairnIO

/// Writes an archive in the format MBTiles, version 1.3: a SQLite database.
package final class MBTilesArchive: TileArchive {
  private let library: SQLiteLibrary
  private var connection: SQLiteLibrary.Connection?
  private var insertion: SQLiteLibrary.Statement?

  private static let readWrite: Int32 = 2
  private static let done: Int32 = 101

  /// Begins an archive.
  ///
  /// - Parameter path: An empty file.
  /// - Throws: ``TileError`` of the kind `library` if libsqlite3 is not installed, `io` if the file
  ///   cannot be written.
  package init(path: String) throws {
    library = try SQLiteLibrary.shared()
    try check(library.open(path, &connection, Self.readWrite, nil))
    try execute(
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA application_id = 0x4d504258;
      BEGIN;
      CREATE TABLE metadata (name text, value text);
      CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
      """)
    insertion = try statement("INSERT INTO tiles VALUES (?, ?, ?, ?)")
  }

  deinit {
    _ = library.finalize(insertion)
    _ = library.close(connection)
  }

  package func add(_ id: TileID, compressed tile: [UInt8]) throws {
    guard let insertion else { return }
    // Rows are counted from the south.
    for (index, value) in [id.z, id.x, 1 << id.z - 1 - id.y].enumerated() {
      try check(library.bindInt(insertion, Int32(index + 1), Int64(value)))
    }
    try tile.withUnsafeBytes {
      try check(library.bindBlob(insertion, 4, $0.baseAddress, Int32($0.count), nil))
      try step(insertion)
    }
  }

  package func finish(_ description: TileSetDescription) throws {
    let (bounds, center) = (description.bounds, description.center)
    for (name, value) in [
      ("name", description.layerName), ("format", "pbf"), ("type", "overlay"), ("version", "2"),
      ("minzoom", "\(description.zooms.lowerBound)"),
      ("maxzoom", "\(description.zooms.upperBound)"),
      ("bounds", "\(bounds.west),\(bounds.south),\(bounds.east),\(bounds.north)"),
      ("center", "\(center.longitude),\(center.latitude),\(description.zooms.lowerBound)"),
      ("generator", "cairn"), ("json", "{\"vector_layers\":\(description.vectorLayers)}"),
    ] {
      let row = try statement("INSERT INTO metadata VALUES (?, ?)")
      defer { _ = library.finalize(row) }
      try name.withCString { name in
        try value.withCString { value in
          try check(library.bindText(row, 1, name, -1, nil))
          try check(library.bindText(row, 2, value, -1, nil))
          try step(row)
        }
      }
    }
    try execute(
      """
      CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
      COMMIT;
      """)
    _ = library.finalize(insertion)
    insertion = nil
    try check(library.close(connection))
    connection = nil
  }

  // MARK: SQLite

  private func execute(_ text: String) throws(TileError) {
    guard let connection else { return }
    try check(library.execute(connection, text, nil, nil, nil))
  }

  private func statement(_ text: String) throws(TileError) -> SQLiteLibrary.Statement {
    var statement: SQLiteLibrary.Statement?
    guard let connection, library.prepare(connection, text, -1, &statement, nil) == 0,
      let statement
    else { throw failure }
    return statement
  }

  private func step(_ statement: SQLiteLibrary.Statement) throws(TileError) {
    guard library.step(statement) == Self.done else { throw failure }
    try check(library.reset(statement))
  }

  private func check(_ code: Int32) throws(TileError) {
    if code != 0 { throw failure }
  }

  private var failure: TileError {
    let text = library.message(connection).map { String(cString: $0) } ?? "unknown error"
    return TileError(.io, message: "SQLite: \(text)")
  }
}
