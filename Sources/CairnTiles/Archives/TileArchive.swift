internal import CairnIO
internal import CairnQuery

/// A file of many tiles.
package protocol TileArchive: AnyObject {
  /// Adds a tile in the gzip format. Tiles come in the order of `HilbertTile.number`.
  func add(_ id: TileID, compressed tile: [UInt8]) throws
  /// Writes what is left of the file.
  func finish(_ description: TileSetDescription) throws
}

/// The description of a set of tiles, for the programs that show it.
package struct TileSetDescription: Sendable {
  /// The name of the layer.
  package let layerName: String
  /// The attributes with their types: `Number`, `String` or `Boolean`.
  package let fields: [(name: String, type: String)]
  /// The zoom levels.
  package let zooms: ClosedRange<Int>
  /// A box in degrees.
  package typealias Bounds = (west: Double, south: Double, east: Double, north: Double)
  /// The box of the tiles.
  package let bounds: Bounds

  /// Creates a description.
  package init(
    layerName: String, fields: [(name: String, type: String)], zooms: ClosedRange<Int>,
    bounds: Bounds
  ) {
    self.layerName = layerName
    self.fields = fields
    self.zooms = zooms
    self.bounds = bounds
  }

  /// The centre of the box: longitude and latitude.
  var center: (longitude: Double, latitude: Double) {
    ((bounds.west + bounds.east) / 2, (bounds.south + bounds.north) / 2)
  }

  /// The description of the layers in JSON, as TileJSON has it.
  package var vectorLayers: String {
    let fields = fields.map {
      Cell.string($0.name).jsonText + ":" + Cell.string($0.type).jsonText
    }
    return "[{\"id\":\(Cell.string(layerName).jsonText),\"minzoom\":\(zooms.lowerBound),"
      + "\"maxzoom\":\(zooms.upperBound),\"fields\":{\(fields.joined(separator: ","))}}]"
  }
}

/// The numbers of tiles in PMTiles: all tiles of a zoom level come after those of the level below,
/// along a Hilbert curve.
package enum HilbertTile {
  /// The number of a tile.
  package static func number(_ id: TileID) -> UInt64 {
    let before = (((1 as UInt64) << UInt64(2 * id.z)) - 1) / 3
    var (x, y, distance) = (id.x, id.y, 0 as UInt64)
    var side = (1 << id.z) / 2
    while side > 0 {
      let (right, upper) = (x & side > 0 ? 1 : 0, y & side > 0 ? 1 : 0)
      distance += UInt64(side) * UInt64(side) * UInt64((3 * right) ^ upper)
      if upper == 0 {
        if right == 1 { (x, y) = (side - 1 - x & (side - 1), side - 1 - y & (side - 1)) }
        (x, y) = (y, x)
      }
      side >>= 1
    }
    return before + distance
  }

  /// The four tiles of the next zoom level that cover a tile, in the order of their numbers.
  static func children(_ id: TileID) -> [TileID] {
    (0..<4).map { TileID(checkedZ: id.z + 1, x: 2 * id.x + $0 & 1, y: 2 * id.y + $0 >> 1) }
      .sorted { number($0) < number($1) }
  }
}

/// The tiles of a query that are not empty, level by level.
package struct TilePyramid {
  private let builder: TileBuilder
  private let zooms: ClosedRange<Int>

  /// Creates a pyramid.
  package init(_ builder: TileBuilder, zooms: ClosedRange<Int>) {
    self.builder = builder
    self.zooms = zooms
  }

  /// Adds all tiles to an archive. Only the tiles of objects are visited, from the top.
  ///
  /// - Parameter progress: Called after each tile with the zoom level and the number of tiles.
  /// - Returns: The number of tiles.
  package func write(
    to archive: some TileArchive, progress: (_ zoom: Int, _ tiles: Int) -> Void
  ) throws -> Int {
    var level = [TileID(checkedZ: 0, x: 0, y: 0)]
    var count = 0
    for zoom in 0...zooms.upperBound {
      if zoom > 0 { level = level.flatMap(HilbertTile.children) }
      level = try level.filter { try builder.hasObjects(in: $0) }
      guard zooms.contains(zoom) else { continue }
      for id in level {
        let tile = try builder.tile(id)
        guard !tile.isEmpty else { continue }
        try archive.add(id, compressed: compressed(tile))
        count += 1
        progress(zoom, count)
      }
    }
    try archive.finish(
      TileSetDescription(
        layerName: builder.layerName, fields: builder.fields, zooms: zooms,
        bounds: Self.bounds(of: level)))
    return count
  }

  /// The box around tiles of one zoom level in degrees; that of the world without tiles.
  private static func bounds(of tiles: [TileID]) -> TileSetDescription.Bounds {
    guard let first = tiles.first else {
      return (-180, -Mercator.maxLatitude, 180, Mercator.maxLatitude)
    }
    var (west, north, east, south) = (first.x, first.y, first.x, first.y)
    for tile in tiles {
      (west, east) = (min(west, tile.x), max(east, tile.x))
      (north, south) = (min(north, tile.y), max(south, tile.y))
    }
    let side = Double(1 << first.z)
    return (
      Mercator.longitude(Double(west) / side), Mercator.latitude(Double(south + 1) / side),
      Mercator.longitude(Double(east + 1) / side), Mercator.latitude(Double(north) / side)
    )
  }

  private func compressed(_ tile: [UInt8]) throws(TileError) -> [UInt8] {
    do throws(OutputError) { return try GzipCompressor().compress(tile, isLast: true) } catch {
      throw TileError(.io, message: error.message)
    }
  }
}
