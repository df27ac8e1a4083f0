import CairnGeometry
import CairnQuery
import CairnStorage
import CairnTestSupport
import CairnTiles
import CairnValues
import Foundation

/// A store with a class of locations and geometries.
struct TileWorld {
  static let columns: [(String, ValueType)] = [
    ("id", .int), ("name", .string), ("kind", .int), ("spot", .point), ("area", .geometry),
  ]
  let folder: TemporaryFolder
  let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try Store.open(folder["tiles.cairn"], mode: .create)
  }

  typealias Row = (id: Int, kind: Int, spot: Position?, area: Geometry?)

  private static func values(_ row: Row) -> [Value] {
    [
      .int(Int64(row.id)), .string("row \(row.id)"), .int(Int64(row.kind)),
      row.spot.map { .point($0) } ?? .null, row.area.map { .geometry($0.bytes) } ?? .null,
    ]
  }

  /// Bulk-loads rows, clustered by `spot` or by `area`.
  func load(_ rows: [Row], by location: String) throws {
    let columns = Self.columns.map {
      BulkColumn(name: $0.0, type: $0.1, isOptional: $0.0 != "id")
    }
    let load = try BulkLoad(
      store: store, table: "rows", columns: columns,
      location: location == "spot" ? 3 : nil, primaryKey: 0, indexed: [],
      onConflict: .error)
    let batch = ColumnBatch(columns: columns)
    for row in rows {
      for (column, value) in zip(batch.columns, Self.values(row)) { column.append(value) }
    }
    try load.add(batch, number: 0)
    _ = try load.finish()
  }

  /// Deletes rows and inserts others, each in a commit of its own kind.
  func edit(deleting keys: [Int], inserting rows: [Row]) throws {
    try store.write { transaction in
      guard let writer = transaction.table("rows") else { return }
      for key in keys { try writer.delete(key) }
      for row in rows { try writer.insert(Self.values(row)) }
    }
  }

  /// The features of a tile.
  func features(
    _ z: Int, _ x: Int, _ y: Int, _ predicate: String? = nil, options: TileOptions
  ) throws -> [VectorTile.Feature] {
    let condition = try predicate.map { try Predicate(parsing: $0) } ?? .true
    let request = TileRequest(className: "rows", predicate: condition, options: options)
    let snapshot = try store.snapshot()
    let bytes = try request.builder(in: snapshot).tile(TileID(z: z, x: x, y: y))
    return try VectorTile(bytes).layers.first?.features ?? []
  }
}

/// Web Mercator by its textbook formula.
enum Plane {
  /// The coordinates of a location in units of a tile with 4096 on a side.
  static func unit(
    _ longitude: Double, _ latitude: Double, _ z: Int, _ x: Int, _ y: Int
  ) -> (x: Double, y: Double) {
    let world = 4096 * pow(2.0, Double(z))
    let sine = sin(latitude * .pi / 180)
    return (
      (longitude + 180) / 360 * world - Double(x) * 4096,
      (0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)) * world - Double(y) * 4096
    )
  }

  /// The location of a point of the world, whose sides are 0 ... 1.
  static func location(_ x: Double, _ y: Double) -> (longitude: Double, latitude: Double) {
    (x * 360 - 180, atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi)
  }
}

extension ColumnBuilder {
  /// Appends a value of one of the types of the world.
  fileprivate func append(_ value: Value) {
    switch value {
    case .int(let number): append(int: number)
    case .string(let text): Array(text.utf8).withUnsafeBytes { append(bytes: $0) }
    case .geometry(let bytes): bytes.withUnsafeBytes { append(bytes: $0) }
    case .point(let place): append(longitude: place.longitude, latitude: place.latitude)
    default: appendNull()
    }
  }
}
