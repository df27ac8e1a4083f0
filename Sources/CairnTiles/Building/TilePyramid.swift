internal import CairnIO
internal import CairnQuery
package import CairnStorage
import CairnSystem

/// All tiles of a query that are not empty, made by all processors.
///
/// The calling thread searches for the rows of tiles from the top, until it knows all rows of a tile.
/// The tiles within that one are made without further queries, from ever smaller `TileArea`s, on
/// other threads (`TileMaker`).
package struct TilePyramid {
  private let builder: TileBuilder
  private let snapshot: Snapshot
  private let zooms: ClosedRange<Int>

  /// Creates a pyramid.
  ///
  /// - Parameter snapshot: The snapshot of the builder's query.
  package init(_ builder: TileBuilder, in snapshot: Snapshot, zooms: ClosedRange<Int>) {
    self.builder = builder
    self.snapshot = snapshot
    self.zooms = zooms
  }

  /// Adds all tiles to an archive.
  ///
  /// - Parameters:
  ///   - threads: The number of threads that make tiles; the calling thread makes them if it is 0.
  ///   - progress: Called with the number of tiles so far.
  /// - Returns: The number of tiles.
  package func write(
    to archive: some TileArchive, threads: Int = processorCount(), progress: (_ tiles: Int) -> Void
  ) throws -> Int {
    // Computed values are read by the thread of the snapshot only.
    let threads = builder.layout.isComputed ? 0 : threads
    let makers = try TileMakers(builder, in: snapshot, zooms: zooms, threads: threads)
    let search = TileSearch(builder, zooms: zooms)
    let pipeline = OrderedPipeline<TileWork, [PackedTile], any Error>(ahead: 4 * max(1, threads)) {
      let maker = makers.take()
      return { work in try maker.tiles(of: work) }
    }
    var count = 0
    var bounds = TileBounds(zoom: zooms.upperBound)
    try pipeline.run(threads: threads) {
      try search.next()
    } consume: { tiles in
      for tile in tiles {
        try archive.add(tile)
        bounds.add(tile)
        count += tile.count
      }
      progress(count)
    }
    try archive.finish(
      TileSetDescription(
        layerName: builder.layerName, fields: builder.fields, zooms: zooms, bounds: bounds.degrees))
    return count
  }
}

/// Makers of tiles, one for each thread.
private final class TileMakers: @unchecked Sendable {
  // Sendable: `lock` guards the makers, each of which is used by the thread that takes it.
  private let lock = Lock()
  private var makers: [TileMaker]

  init(
    _ builder: TileBuilder, in snapshot: Snapshot, zooms: ClosedRange<Int>, threads: Int
  ) throws {
    makers = [TileMaker(builder.layout, table: builder.table, zooms: zooms)]
    guard threads > 0 else { return }
    makers = try (0..<threads).map { _ in
      // With locks of its own, so that threads do not wait for each other.
      let shared = try Snapshot(sharing: snapshot)
      return TileMaker(
        builder.layout, table: shared.table(builder.table.schema), zooms: zooms, snapshot: shared)
    }
  }

  func take() -> TileMaker {
    lock.withLock { makers.removeLast() }
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
