internal import CairnGeometry
package import CairnIO
internal import CairnIndex
package import CairnQuery
package import CairnStorage
internal import CairnValues

/// Makes the vector tiles of one query in one snapshot.
///
/// A builder belongs to the thread of its snapshot. It uses its memory again for the next tile.
package final class TileBuilder {
  private let execution: Execution
  private let table: Table
  private let options: TileOptions
  private let column: ColumnSchema
  /// The locations or geometries.
  private let places: Column
  /// The primary keys if they are integers; nil in other classes.
  private let identifiers: Column?
  private let attributes: [ColumnReader]
  /// The attributes of the features with their types, as TileJSON names them: `Number`, `String` or
  /// `Boolean`.
  package let fields: [(name: String, type: String)]
  private let layer: TileLayerEncoder
  private let shapes: TileShapes

  /// Prepares the tiles of a query.
  ///
  /// - Throws: ``TileError`` of the kind `usage` if an option does not fit the class.
  package init(
    _ execution: Execution, options: TileOptions = TileOptions()
  ) throws(TileError) {
    try options.validate()
    self.execution = execution
    self.options = options
    table = execution.table
    let schema = table.schema
    column = try Self.spatialColumn(options.geometry, of: schema)
    places = table.column(column.position)
    let keyPosition = schema.primaryKey.flatMap { schema.columns[$0].type == .int ? $0 : nil }
    identifiers = keyPosition.map(table.column)
    let columns = try Self.columns(options.attributes, of: schema, in: table.classes)
    // A property of that name keeps it.
    let countName = Self.countName(besides: columns.map(\.name))
    fields = columns.map { ($0.name, $0.fieldType) } + [(countName, "Number")]
    attributes = columns.map { [table] in ColumnReader($0, of: table) }
    layer = TileLayerEncoder(
      name: options.layerName ?? schema.name, extent: options.extent,
      keys: columns.map(\.name) + [countName])
    let world = TileID(checkedZ: 0, x: 0, y: 0)
    shapes = TileShapes(TileFrame(world, extent: options.extent, buffer: options.buffer))
  }

  /// The name of the attribute that counts objects; it has underscores at its end if a property has
  /// the name.
  private static func countName(besides names: [String]) -> String {
    var name = TileOptions.countName
    while names.contains(name) { name += "_" }
    return name
  }

  /// The location or geometry of a class that tiles show.
  package static func spatialColumn(
    _ name: String?, of schema: TableSchema
  ) throws(TileError) -> ColumnSchema {
    do throws(SpatialColumnError) { return try schema.spatialColumn(named: name) } catch {
      switch error {
      case .none:
        throw TileError(.usage, message: "`\(schema.name)` has no location, which tiles need")
      case .otherType(let name), .unknown(let name):
        throw unknown(
          name, what: "location or geometry", of: schema, among: schema.spatialColumns.map(\.name))
      }
    }
  }

  /// The columns of the attributes.
  package static func columns(
    _ names: [String]?, of schema: TableSchema, in classes: StoreSchema
  ) throws(TileError) -> [OutputColumn] {
    let names =
      names ?? schema.properties.filter { !$0.isSpatial }.map(\.name)
    return try names.map { (name) throws(TileError) in
      guard let path = ColumnPath(name, of: schema, in: classes) else {
        throw unknown(
          name, what: "property", of: schema, among: schema.properties.map(\.name))
      }
      return path.output(name, in: classes)
    }
  }

  private static func unknown(
    _ name: String, what: String, of schema: TableSchema, among names: [String]
  ) -> TileError {
    let hint = NearestName.of(name, among: names).map { "; did you mean `\($0)`?" } ?? ""
    return TileError(.usage, message: "`\(schema.name)` has no \(what) `\(name)`\(hint)")
  }

  /// The name of the layer.
  package var layerName: String { options.layerName ?? table.schema.name }

  // MARK: Tiles

  /// Returns a tile: a vector tile of version 2.1 with one layer, or no bytes if it is empty.
  ///
  /// - Throws: ``TileError`` of the kind `data` if a value cannot be written; the mistake in the
  ///   query; `QueryDeadline.Missed` if the execution has a deadline and misses it.
  /// - Complexity: O(*m* + *c*) for *m* objects that are shown and *c* cells, if the query has no
  ///   condition; otherwise that of the query in the area of the tile.
  package func tile(_ id: TileID) throws -> [UInt8] {
    let frame = TileFrame(id, extent: options.extent, buffer: options.buffer)
    let found = try rows(of: frame, limit: options.limit)
    layer.removeAll()
    let shapes = ShapeEncoder(frame, shapes: shapes, target: layer.geometry)
    if !column.isPoint {
      try forEachRow(found.keys) { key in geometry(of: key).map(shapes.add) }
      shapes.simplify()
    }
    try forEachRow(found.keys) { key in try add(key, with: shapes) }
    if let counts = found.counts { add(counts, in: frame) }
    return layer.tile()
  }

  private func forEachRow(_ keys: [Int], _ body: (Int) throws -> Void) throws {
    for (index, key) in keys.enumerated() {
      // Large geometries take long to clip.
      if index & 63 == 0 { try execution.deadline?.checkNow() }
      try body(key)
    }
  }

  /// Whether any object may meet the tile or its margin.
  package func hasObjects(in id: TileID) throws -> Bool {
    let frame = TileFrame(id, extent: options.extent, buffer: options.buffer)
    let hasRows = try execution.hasRows(in: frame.window(cells: 1), of: column.position)
    try table.requireComputed()
    return hasRows
  }

  private func rows(of frame: TileFrame, limit: Int) throws -> WindowRows {
    let found = try execution.rows(
      in: frame.window(cells: options.cells), of: column.position, limit: limit)
    try execution.deadline?.check()
    try table.requireComputed()
    return found
  }

  // MARK: Features

  private func add(_ key: Int, with shapes: ShapeEncoder) throws(TileError) {
    guard !column.isPoint else { return try addLocation(key, with: shapes) }
    guard let view = geometry(of: key) else { return }
    var hasTags = false
    for type in ShapeEncoder.types(of: view) where shapes.write(view, type) {
      if !hasTags { try addTags(key) }
      hasTags = true
      layer.endFeature(type, id: id(of: key))
    }
  }

  private func addLocation(_ key: Int, with shapes: ShapeEncoder) throws(TileError) {
    let address = RowAddress(key)
    let chunk = places.chunk(address.chunk)
    guard !chunk.isNull(address.row) else { return }
    let position = chunk.position(at: address.row)
    guard shapes.write(longitude: position.longitude, latitude: position.latitude) else { return }
    try addTags(key)
    layer.endFeature(.points, id: id(of: key))
  }

  /// The geometry of a row, valid as long as the snapshot; nil for null.
  private func geometry(of key: Int) -> GeometryView? {
    let address = RowAddress(key)
    let chunk = places.chunk(address.chunk)
    return chunk.isNull(address.row) ? nil : chunk.geometry(at: address.row)
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
  private func add(_ counts: GridCounts, in frame: TileFrame) {
    let cells = options.cells
    for cell in 0..<counts.grid.cellCount where counts.counts[cell] > 0 {
      let (row, column) = cell.quotientAndRemainder(dividingBy: cells)
      let point = TilePoint(
        (2 * column + 1) * frame.extent / (2 * cells),
        (2 * (cells - row) - 1) * frame.extent / (2 * cells))
      layer.geometry.append(point: point)
      layer.removeTags()
      layer.add(attributes.count, int: Int64(counts.counts[cell]))
      layer.endFeature(.points, id: nil)
    }
  }
}

extension OutputColumn {
  /// The type of the values in TileJSON.
  fileprivate var fieldType: String {
    switch type {
    case .bool: "Boolean"
    case .int, .float, .double, .decimal128: "Number"
    default: "String"
    }
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
