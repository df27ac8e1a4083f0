public import CairnObjects

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Vector tiles of results, lists and other collections of objects.
extension RealmCollection where Element: ObjectBase {
  /// Returns a tile of the objects as a Mapbox Vector Tile of version 2.1, with one layer; no bytes
  /// if the tile is empty.
  ///
  /// If a tile has more objects than the limit of the options, those smaller than a pixel, such as
  /// all locations, are counted in a grid of cells: a cell is a point with the attribute `count`
  /// (`count_` if the class has a property of that name). A feature's identifier is the primary key
  /// if that is an integer of at least zero. Lines and areas are clipped to the tile and its margin,
  /// and simplified; borders that areas share stay shared. Objects beyond the latitudes ±85.0511 are
  /// in no tile.
  ///
  ///     let large = realm.objects(City.self).where { $0.population > 100_000 }
  ///     let tile = try large.tile(z: 6, x: 33, y: 22)
  ///
  /// - Parameters:
  ///   - z: The zoom level, 0 ... 24. At level *z*, the world is divided into 2^*z* columns and rows.
  ///   - x: The column, from 0 at the antimeridian.
  ///   - y: The row, from 0 in the north.
  ///   - options: The attributes, the name of the layer, and the limits.
  /// - Throws: ``TileError`` if there is no such tile, or if an option does not fit the class.
  /// - Complexity: O(*m* + *c*) for *m* objects that are shown and *c* cells, if the results have no
  ///   condition; otherwise that of the query in the area of the tile.
  public func tile(
    z: Int, x: Int, y: Int, options: TileOptions = TileOptions()
  ) throws -> Data {
    let id = try TileID(z: z, x: x, y: y)
    return Data(try TileBuilder(storedRows().execution, options: options).tile(id))
  }
}
