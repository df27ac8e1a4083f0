internal import CairnIO
internal import CairnStorage
internal import CairnValues

/// The location or geometry that the tiles of a query show, and the attributes.
struct TileLayout: Sendable {
  let options: TileOptions
  /// The name of the layer.
  let layerName: String
  /// The location or geometry.
  let place: ColumnSchema
  /// The position of the primary key if that is an integer; nil in other classes.
  let key: Int?
  let attributes: [OutputColumn]
  /// The name of the attribute that counts objects; it has underscores at its end if a property has
  /// the name.
  let countName: String
  /// Whether an attribute is computed, by the thread of its snapshot only.
  let isComputed: Bool

  /// Prepares the tiles of a class.
  ///
  /// - Throws: ``TileError`` of the kind `usage` if an option does not fit the class.
  init(_ options: TileOptions, of table: Table) throws(TileError) {
    try options.validate()
    self.options = options
    let schema = table.schema
    layerName = options.layerName ?? schema.name
    place = try Self.spatialColumn(options.geometry, of: schema)
    key = schema.primaryKey.flatMap { schema.columns[$0].type == .int ? $0 : nil }
    attributes = try Self.columns(options.attributes, of: schema, in: table.classes)
    countName = Self.countName(besides: attributes.map(\.name))
    isComputed = attributes.contains { column in
      if case .stored(let position) = column.source {
        return schema.columns[position].role == .computed
      }
      return false
    }
  }

  /// The attributes of the features with their types, as TileJSON names them: `Number`, `String` or
  /// `Boolean`.
  var fields: [(name: String, type: String)] {
    attributes.map { ($0.name, $0.fieldType) } + [(countName, "Number")]
  }

  /// The coordinates of a tile.
  func frame(_ id: TileID) -> TileFrame {
    TileFrame(id, extent: options.extent, buffer: options.buffer)
  }

  private static func countName(besides names: [String]) -> String {
    var name = TileOptions.countName
    while names.contains(name) { name += "_" }
    return name
  }

  /// The location or geometry of a class that tiles show.
  private static func spatialColumn(
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
  private static func columns(
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
