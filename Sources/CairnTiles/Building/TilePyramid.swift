internal import CairnIO
internal import CairnQuery
internal import CairnStorage
import CairnSystem

/// All tiles of a query that are not empty, made by all processors.
///
/// The calling thread searches for the rows of tiles from the top, until it knows all rows of a tile.
/// The tiles within that one are made without further queries, from ever smaller `TileArea`s, on
/// other threads (`TileMaker`).
package struct TilePyramid {
  private let builder: TileBuilder
  private let zooms: ClosedRange<Int>

  /// Creates a pyramid.
  package init(_ builder: TileBuilder, zooms: ClosedRange<Int>) {
    self.builder = builder
    self.zooms = zooms
  }

  /// Adds all tiles to an archive.
  ///
  /// - Parameters:
  ///   - threads: The number of threads that make tiles; the calling thread makes them if it is 1.
  ///   - progress: Called with the number of tiles so far.
  /// - Returns: The number of tiles.
  package func write(
    to archive: some TileArchive, threads: Int = processorCount(), progress: (_ tiles: Int) -> Void
  ) throws -> Int {
    let pipeline = OrderedPipeline<TileWork, [PackedTile], any Error>(
      ahead: 4 * threads, makers: makers(threads).map { maker in { try maker.tiles(of: $0) } })
    defer { pipeline.stop() }
    var count = 0
    var bounds = TileBounds(zoom: zooms.upperBound)
    func add(_ tiles: [PackedTile]) throws {
      for tile in tiles {
        try archive.add(tile)
        bounds.add(tile)
        count += tile.count
      }
      progress(count)
    }
    let search = TileSearch(builder, zooms: zooms)
    while let work = try search.next() { try pipeline.add(work, add) }
    try pipeline.drain(add)
    try builder.table.requireComputed()
    try archive.finish(
      TileSetDescription(
        layerName: builder.layerName, fields: builder.fields, zooms: zooms, bounds: bounds.degrees))
    return count
  }

  /// A maker for each thread, or one for the calling thread.
  private func makers(_ threads: Int) -> [TileMaker] {
    // Computed values are read by the thread of the snapshot only.
    if threads > 1, !builder.layout.isComputed {
      let tables = (0..<threads).compactMap { _ in builder.table.shared() }
      if !tables.isEmpty {
        return tables.map { TileMaker(builder.layout, table: $0.table, zooms: zooms, shared: $0) }
      }
    }
    return [TileMaker(builder.layout, table: builder.table, zooms: zooms)]
  }
}

/// The box around the tiles of a zoom level.
private struct TileBounds {
  private let zoom: Int
  private var west = Int.max
  private var north = Int.max
  private var east = Int.min
  private var south = Int.min

  init(zoom: Int) { self.zoom = zoom }

  mutating func add(_ tile: PackedTile) {
    guard tile.zooms.contains(zoom) else { return }
    let side = 1 << (zoom - tile.id.z)
    (west, north) = (min(west, tile.id.x * side), min(north, tile.id.y * side))
    (east, south) = (max(east, (tile.id.x + 1) * side), max(south, (tile.id.y + 1) * side))
  }

  /// The box in degrees; that of the world without tiles.
  var degrees: TileSetDescription.Bounds {
    guard west < east else { return (-180, -Mercator.maxLatitude, 180, Mercator.maxLatitude) }
    let side = Double(1 << zoom)
    return (
      Mercator.longitude(Double(west) / side), Mercator.latitude(Double(south) / side),
      Mercator.longitude(Double(east) / side), Mercator.latitude(Double(north) / side)
    )
  }
}
