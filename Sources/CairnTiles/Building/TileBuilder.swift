internal import CairnIO
package import CairnQuery
internal import CairnStorage

/// Makes the vector tiles of one query in one snapshot.
///
/// A builder belongs to the thread of its snapshot. It uses its memory again for the next tile.
package final class TileBuilder {
  private let execution: Execution
  let layout: TileLayout
  private let encoder: TileEncoder
  private let area: TileArea

  /// Prepares the tiles of a query.
  ///
  /// - Throws: ``TileError`` of the kind `usage` if an option does not fit the class.
  package init(
    _ execution: Execution, options: TileOptions = TileOptions()
  ) throws(TileError) {
    self.execution = execution
    layout = try TileLayout(options, of: execution.table)
    encoder = TileEncoder(layout, table: execution.table, deadline: execution.deadline)
    area = TileArea(layout.frame(TileID(checkedZ: 0, x: 0, y: 0)))
  }

  /// The name of the layer.
  package var layerName: String { layout.layerName }

  /// The attributes of the features with their types, as TileJSON names them: `Number`, `String` or
  /// `Boolean`.
  package var fields: [(name: String, type: String)] { layout.fields }

  /// The class of the rows.
  var table: Table { execution.table }

  /// Returns a tile: a vector tile of version 2.1 with one layer, or no bytes if it is empty.
  ///
  /// - Throws: ``TileError`` of the kind `data` if a value cannot be written; the mistake in the
  ///   query; `QueryDeadline.Missed` if the execution has a deadline and misses it.
  /// - Complexity: O(*m* + *c*) for *m* objects that are shown and *c* cells, if the query has no
  ///   condition; otherwise that of the query in the area of the tile.
  package func tile(_ id: TileID) throws -> [UInt8] {
    let found = try rows(of: id)
    area.begin(layout.frame(id))
    try encoder.add(found.keys, to: area)
    return try encoder.tile(area, counts: found.counts)
  }

  /// The area of a tile with rows.
  func area(of keys: [Int], in id: TileID) throws -> TileArea {
    let area = TileArea(layout.frame(id))
    try encoder.add(keys, to: area)
    return area
  }

  /// Finds the rows of a tile and its margin.
  func rows(of id: TileID) throws -> WindowRows {
    let options = layout.options
    let found = try execution.rows(
      in: layout.frame(id).window(cells: options.cells), of: layout.place.position,
      limit: options.limit)
    try execution.deadline?.check()
    try table.requireComputed()
    return found
  }
}
