internal import CairnIO

/// Writes an archive in the format MBTiles, version 1.3: a SQLite database.
///
/// Tiles with the same bytes refer to one image, as many programs write them; `tiles` is a view.
package final class MBTilesArchive: TileArchive {
  private let library: SQLiteLibrary
  private var connection: SQLiteLibrary.Connection?
  private var imageInsertion: SQLiteLibrary.Statement?
  private var tileInsertion: SQLiteLibrary.Statement?
  /// The numbers of the images, by the hash values of their bytes.
  private var images: [TileDigest: Int64] = [:]

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
      CREATE TABLE images (tile_id integer PRIMARY KEY, tile_data blob);
      CREATE TABLE map (zoom_level integer, tile_column integer, tile_row integer, tile_id integer);
      CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data
        FROM map JOIN images ON images.tile_id = map.tile_id;
      """)
    imageInsertion = try statement("INSERT INTO images VALUES (?, ?)")
    tileInsertion = try statement("INSERT INTO map VALUES (?, ?, ?, ?)")
  }

  deinit {
    endInsertions()
    _ = library.close(connection)
  }

  private func endInsertions() {
    _ = library.finalize(imageInsertion)
    _ = library.finalize(tileInsertion)
    (imageInsertion, tileInsertion) = (nil, nil)
  }

  package func add(_ tile: PackedTile) throws {
    let image = try image(tile)
    for zoom in tile.zooms {
      let side = 1 << (zoom - tile.id.z)
      for x in tile.id.x * side..<(tile.id.x + 1) * side {
        for y in tile.id.y * side..<(tile.id.y + 1) * side {
          // Rows are counted from the south.
          try insert(zoom, x, 1 << zoom - 1 - y, image)
        }
      }
    }
  }

  private func insert(_ zoom: Int, _ column: Int, _ row: Int, _ image: Int64) throws(TileError) {
    guard let tileInsertion else { return }
    try check(library.bindInt(tileInsertion, 1, Int64(zoom)))
    try check(library.bindInt(tileInsertion, 2, Int64(column)))
    try check(library.bindInt(tileInsertion, 3, Int64(row)))
    try check(library.bindInt(tileInsertion, 4, image))
    try step(tileInsertion)
  }

  /// The number of the image with the bytes of a tile, which is inserted unless an earlier tile has them.
  private func image(_ tile: PackedTile) throws -> Int64 {
    if let known = images[tile.digest] { return known }
    let number = Int64(images.count + 1)
    images[tile.digest] = number
    guard let imageInsertion else { return number }
    try check(library.bindInt(imageInsertion, 1, number))
    try tile.bytes.withUnsafeBytes {
      try check(library.bindBlob(imageInsertion, 2, $0.baseAddress, Int32($0.count), nil))
      try step(imageInsertion)
    }
    return number
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
      CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row);
      COMMIT;
      """)
    endInsertions()
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
