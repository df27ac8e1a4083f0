internal import CairnIO
internal import CairnIndex
internal import CairnQuery
internal import CairnStorage

/// Makes the tiles of one part of a pyramid after the other, on one thread.
final class TileMaker {
  private let layout: TileLayout
  private let zooms: ClosedRange<Int>
  private let encoder: TileEncoder
  private let packer = GzipPacker()
  /// The table, if it is the maker's own.
  private let shared: SharedTable?
  /// Memory for an area of each zoom level.
  private var areas: [TileArea?] = Array(repeating: nil, count: TileID.maxZoom + 1)
  private var tiles: [PackedTile] = []

  /// - Parameters:
  ///   - zooms: The zoom levels of the pyramid.
  ///   - shared: What keeps the table; nil if the caller does.
  init(
    _ layout: TileLayout, table: Table, zooms: ClosedRange<Int>, shared: SharedTable? = nil
  ) {
    self.layout = layout
    self.zooms = zooms
    self.shared = shared
    encoder = TileEncoder(layout, table: table)
  }

  /// Returns the tiles of a part that are not empty.
  func tiles(of work: TileWork) throws -> [PackedTile] {
    tiles = []
    switch work.source {
    case .area(let area): try add(area, counts: nil, isTree: work.isTree)
    case .rows(let rows):
      let area = area(work.id)
      try encoder.add(rows.keys, to: area)
      try add(area, counts: rows.counts, isTree: work.isTree)
    }
    return tiles
  }

  private func add(_ area: TileArea, counts: GridCounts?, isTree: Bool) throws {
    if isTree { try addTree(area) } else { try add(area, counts, zooms: nil) }
  }

  /// The memory for an area, without rows.
  private func area(_ id: TileID) -> TileArea {
    let frame = layout.frame(id)
    guard let area = areas[id.z] else {
      let made = TileArea(frame)
      areas[id.z] = made
      return made
    }
    area.begin(frame)
    return area
  }

  /// Adds the tile of an area, and all within it.
  private func addTree(_ area: TileArea) throws {
    guard !area.isEmpty else { return }
    let id = area.frame.id
    let rest = max(id.z, zooms.lowerBound)...zooms.upperBound
    if area.isUniform { return try add(area, nil, zooms: rest) }
    if zooms.contains(id.z) { try add(area, nil, zooms: nil) }
    guard id.z < zooms.upperBound else { return }
    for child in HilbertTile.children(id) {
      let part = self.area(child)
      part.add(area)
      try addTree(part)
    }
  }

  /// Adds a tile, or the same tile at several zoom levels.
  private func add(_ area: TileArea, _ counts: GridCounts?, zooms: ClosedRange<Int>?) throws {
    let tile = try encoder.tile(area, counts: counts)
    guard !tile.isEmpty else { return }
    tiles.append(PackedTile(area.frame.id, zooms: zooms, compressed: try compressed(tile)))
  }

  private func compressed(_ tile: [UInt8]) throws(TileError) -> [UInt8] {
    do throws(OutputError) { return try packer.pack(tile) } catch {
      throw TileError(.io, message: error.message)
    }
  }
}
