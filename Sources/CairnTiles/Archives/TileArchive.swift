internal import CairnIO

/// A file of many tiles.
package protocol TileArchive: AnyObject {
  /// Adds a tile. Those of a zoom level come in the order of `HilbertTile.number`.
  func add(_ tile: PackedTile) throws
  /// Writes what is left of the file.
  func finish(_ description: TileSetDescription) throws
}

/// A tile in the gzip format.
package struct PackedTile: Sendable {
  /// The tile, or the tile that contains all that are the same.
  package let id: TileID
  /// The zoom levels at which the tile has the bytes, or all tiles within it have them.
  package let zooms: ClosedRange<Int>
  /// The bytes in the gzip format.
  package let bytes: [UInt8]
  /// The hash value of the bytes, by which equal ones are found.
  package let digest: TileDigest

  /// Creates a tile.
  ///
  /// - Parameter zooms: The zoom levels at which all tiles in the area of `id` are the same; that of
  ///   the tile by default.
  package init(_ id: TileID, zooms: ClosedRange<Int>? = nil, compressed bytes: [UInt8]) {
    self.id = id
    self.zooms = zooms ?? id.z...id.z
    self.bytes = bytes
    digest = TileDigest(bytes)
  }

  /// The number of tiles.
  var count: Int { zooms.reduce(0) { $0 + 1 << (2 * ($1 - id.z)) } }
}

/// A hash value of 128 bits, which differs from run to run: tiles of the same digest are the same.
package struct TileDigest: Hashable, Sendable {
  private let first: Int
  private let second: Int

  init(_ bytes: [UInt8]) {
    func hash(_ seed: UInt8) -> Int {
      var hasher = Hasher()
      hasher.combine(seed)
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
      return hasher.finalize()
    }
    (first, second) = (hash(0), hash(1))
  }
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
  /// The number of the first tile of a zoom level.
  private static func first(ofZoom zoom: Int) -> UInt64 {
    (((1 as UInt64) << UInt64(2 * zoom)) - 1) / 3
  }

  /// The numbers of the tiles of a zoom level in the area of a tile, which follow each other.
  static func numbers(_ id: TileID, zoom: Int) -> Range<UInt64> {
    let depth = UInt64(2 * (zoom - id.z))
    let start = first(ofZoom: zoom) + (number(id) - first(ofZoom: id.z)) << depth
    return start..<start + 1 << depth
  }

  /// The number of a tile.
  package static func number(_ id: TileID) -> UInt64 {
    let before = first(ofZoom: id.z)
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
