internal import CairnGeometry
internal import CairnIO
internal import CairnIndex
internal import CairnQuery
internal import CairnStorage
internal import CairnValues

/// Writes the vector tiles of rows that were found.
///
/// An encoder belongs to the thread of its table's snapshot. It uses its memory again for the next tile.
final class TileEncoder {
  private let layout: TileLayout
  private let deadline: QueryDeadline?
  /// The locations or geometries.
  private let places: ChunkCursor
  /// The primary keys if they are integers; nil in other classes.
  private let identifiers: ChunkCursor?
  private let attributes: [ColumnReader]
  private let layer: TileLayerEncoder
  private let shapes: TileShapes
  private let scratch = UnrolledPart()

  /// - Parameter deadline: The time at which the work ends; nil for no limit.
  init(_ layout: TileLayout, table: Table, deadline: QueryDeadline? = nil) {
    self.layout = layout
    self.deadline = deadline
    places = ChunkCursor(table.column(layout.place.position))
    identifiers = layout.key.map { ChunkCursor(table.column($0)) }
    attributes = layout.attributes.map { ColumnReader($0, of: table) }
    layer = TileLayerEncoder(
      name: layout.layerName, extent: layout.options.extent,
      keys: layout.attributes.map(\.name) + [layout.countName])
    shapes = TileShapes(layout.frame(TileID(checkedZ: 0, x: 0, y: 0)))
  }

  // MARK: Rows

  /// Adds rows to an area.
  func add(_ keys: [Int], to area: TileArea) throws {
    try forEach(keys) { key in
      let address = RowAddress(key)
      let chunk = places.chunk(address.chunk)
      guard !chunk.isNull(address.row) else { return }
      if layout.place.isPoint {
        let position = chunk.position(at: address.row)
        area.add(key, longitude: position.longitude, latitude: position.latitude)
      } else {
        area.add(key, chunk.geometry(at: address.row), scratch: scratch)
      }
    }
  }

  private func forEach<Rows: Sequence>(
    _ rows: Rows, _ body: (Rows.Element) throws -> Void
  ) throws {
    for (index, row) in rows.enumerated() {
      // Large geometries take long to clip.
      if index & 63 == 0 { try deadline?.checkNow() }
      try body(row)
    }
  }

  // MARK: Tiles

  /// Returns the tile of an area: a vector tile of version 2.1 with one layer, or no bytes if it is
  /// empty.
  ///
  /// - Parameter counts: The numbers of further rows in each cell.
  /// - Throws: ``TileError`` of the kind `data` if a value cannot be written; `QueryDeadline.Missed`.
  func tile(_ area: TileArea, counts: GridCounts?) throws -> [UInt8] {
    layer.removeAll()
    let shapes = ShapeEncoder(area.frame, shapes: shapes, target: layer.geometry)
    if area.hasShapes {
      try forEach(area.rows) { shapes.add($0, of: area) }
      shapes.simplify()
    }
    try forEach(area.rows) { row in try add(row, of: area, with: shapes) }
    if let counts { add(counts) }
    return layer.tile()
  }

  private func add(
    _ row: TileArea.Row, of area: TileArea, with shapes: ShapeEncoder
  ) throws(TileError) {
    var hasTags = false
    for type in TileLayerEncoder.GeometryType.allCases where row.has(type) {
      guard shapes.write(row, of: area, type) else { continue }
      if !hasTags { try addTags(row.key) }
      hasTags = true
      layer.endFeature(type, id: id(of: row.key))
    }
  }

  /// The identifier of a feature: the primary key if that is an integer, and none if it is negative or
  /// null; in other classes the row's key, which is stable until the store is compacted.
  private func id(of key: Int) -> UInt64? {
    guard let identifiers else { return UInt64(key) }
    let address = RowAddress(key)
    let chunk = identifiers.chunk(address.chunk)
    return chunk.isNull(address.row) ? nil : UInt64(exactly: chunk.int(at: address.row))
  }

  private func addTags(_ key: Int) throws(TileError) {
    layer.removeTags()
    for index in attributes.indices {
      do throws(OutputError) { layer.add(index, try attributes[index].cell(at: key)) } catch {
        throw TileError(.data, message: "an object nests more than 512 objects and collections")
      }
    }
  }

  /// Adds a feature for each cell with objects: a point in its centre.
  private func add(_ counts: GridCounts) {
    let (cells, extent) = (layout.options.cells, layout.options.extent)
    for cell in 0..<counts.grid.cellCount where counts.counts[cell] > 0 {
      let (row, column) = cell.quotientAndRemainder(dividingBy: cells)
      let point = TilePoint(
        (2 * column + 1) * extent / (2 * cells), (2 * (cells - row) - 1) * extent / (2 * cells))
      layer.geometry.append(point: point)
      layer.removeTags()
      layer.add(attributes.count, int: Int64(counts.counts[cell]))
      layer.endFeature(.points, id: nil)
    }
  }
}

/// A column that is read chunk by chunk, which is looked up once.
private final class ChunkCursor {
  private let column: Column
  private var present: Chunk?
  private var index = -1

  init(_ column: Column) { self.column = column }

  /// Returns the rows of a chunk.
  func chunk(_ index: Int) -> Chunk {
    if index == self.index, let present { return present }
    let chunk = column.chunk(index)
    (self.index, present) = (index, chunk)
    return chunk
  }
}

extension TileLayerEncoder {
  /// Adds a tag for a value; none for null. A date is written with its time, so that all tiles
  /// have one form, and a collection or an
  /// object as JSON.
  fileprivate func add(_ key: Int, _ cell: Cell) {
    switch cell {
    case .null: break
    case .bool(let flag): add(key, flag: flag)
    case .int(let int): add(key, int: int)
    case .float(let float): add(key, float: float)
    case .double(let double): add(key, double: double)
    case .decimal(let decimal): add(key, double: decimal.doubleValue)
    case .date(let date, _): add(key, text: ISODate.format(date, as: .time))
    case .text(let bytes), .json(let bytes): add(key, text: bytes)
    case .string(let text), .other(let text): add(key, text: text)
    case .geometry(let geometry):
      geometry.wkt.withUnsafeBytes { add(key, text: $0) }
    case .point, .projected: add(key, text: cell.jsonText)
    }
  }
}
