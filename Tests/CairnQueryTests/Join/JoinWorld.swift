import CairnGeometry
import CairnStorage
import CairnTestSupport
import CairnValues

@testable import CairnQuery

/// Two classes of the same form with random locations and geometries, in a store whose rows are
/// partly bulk-loaded, inserted, moved and deleted.
struct JoinWorld {
  let temporary: TemporaryStore
  private let snapshot: Snapshot
  let left: Table
  let right: Table

  /// The properties with locations and geometries.
  static let spatial = ["at", "area", "border", "course"]

  private static let columns: [(String, ValueType)] = [
    ("number", .int), ("at", .point), ("area", .geometry), ("border", .polygon),
    ("course", .lineString),
  ]

  /// - Parameter location: The property by which loaded rows are clustered.
  init(left: Int, right: Int, location: Int?, _ random: inout SplitMix64) throws {
    let temporary = try TemporaryStore()
    for (name, rows) in [("Left", left), ("Right", right)] {
      try Self.fill(temporary.store, name: name, rows: rows, location: location, &random)
    }
    try self.init(temporary)
  }

  /// One row on each side, with only an area.
  init(leftArea: Geometry, rightArea: Geometry) throws {
    let temporary = try TemporaryStore()
    try temporary.store.write { transaction in
      for (name, area) in [("Left", leftArea), ("Right", rightArea)] {
        try Self.createTable(name, transaction)
          .insert([.null, .null, .geometry(area.bytes), .null, .null])
      }
    }
    try self.init(temporary)
  }

  private init(_ temporary: TemporaryStore) throws {
    self.temporary = temporary
    snapshot = try temporary.store.snapshot()
    guard let left = snapshot.table("Left"), let right = snapshot.table("Right") else {
      preconditionFailure("the classes were created")
    }
    (self.left, self.right) = (left, right)
  }

  private static func createTable(
    _ name: String, _ transaction: WriteTransaction
  ) throws -> TableWriter {
    try transaction.createTable(
      name,
      columns: columns.enumerated().map { position, column in
        ColumnSchema(id: 0, name: column.0, type: column.1, isOptional: true, position: position)
      })
  }

  private static func fill(
    _ store: Store, name: String, rows: Int, location: Int?, _ random: inout SplitMix64
  ) throws {
    try store.write { _ = try createTable(name, $0) }
    let bulk = columns.map { BulkColumn(name: $0.0, type: $0.1, isOptional: true) }
    let load = try BulkLoad(
      store: store, table: name, columns: bulk, location: location, primaryKey: nil, indexed: [],
      onConflict: .error)
    let batch = ColumnBatch(columns: bulk)
    for _ in 0..<rows {
      for (column, value) in zip(batch.columns, row(&random)) { column.append(value) }
    }
    try load.add(batch, number: 0)
    _ = try load.finish()
    let write = try store.beginWrite()
    guard let writer = write.table(name) else { preconditionFailure("the class was created") }
    for _ in 0..<rows / 4 { try writer.insert(row(&random)) }
    for _ in 0..<rows / 4 where writer.table.endKey > 0 {
      let key = random.below(writer.table.endKey)
      guard writer.table.isLive(key) else { continue }
      if random.chance(0.4) {
        try writer.delete(key)
      } else {
        let position = random.below(columns.count)
        try writer.set(row(&random)[position], position: position, at: key)
      }
    }
    try write.commit()
  }

  private static func row(_ random: inout SplitMix64) -> [Value] {
    columns.map { column in
      if random.chance(0.1) { return .null }
      let corner = random.corner()
      switch column.1 {
      case .int: return .int(Int64(random.below(5)))
      case .point: return .point(Position(latitude: corner.y, longitude: corner.x))
      case .polygon: return geometry(2, at: corner, &random)
      case .lineString: return geometry(1, at: corner, &random)
      default: return geometry(random.below(6), at: corner, &random)
      }
    }
  }

  /// A point, a line, a polygon, a multipolygon, a collection or an empty geometry, on a coarse grid
  /// so that vertices and edges often meet.
  private static func geometry(
    _ kind: Int, at corner: (x: Double, y: Double), _ random: inout SplitMix64
  ) -> Value {
    var builder = GeometryBuilder()
    switch kind {
    case 0: builder.addPoint(corner)
    case 1: builder.addLine(corner, &random)
    case 2: builder.addPolygon(corner, &random)
    case 3:
      builder.begin(.multiPolygon)
      builder.addPolygon(corner, &random)
      builder.addPolygon((corner.x > 0 ? corner.x - 8 : corner.x + 8, corner.y), &random)
      builder.end()
    case 4:
      builder.begin(.geometryCollection)
      builder.addPoint(random.corner())
      builder.addLine(corner, &random)
      builder.addPolygon(corner, &random)
      builder.end()
    default:
      builder.begin(.multiPoint)
      if random.chance(0.7) { builder.addPoint(corner) }
      builder.end()
    }
    return .geometry(builder.geometry().bytes)
  }
}

extension SplitMix64 {
  /// A location on the grid, sometimes at the antimeridian or near a pole.
  fileprivate mutating func corner() -> (x: Double, y: Double) {
    let (x, y) = (Double(below(33) - 16) / 2, Double(below(33) - 16) / 2)
    if chance(0.1) { return (x < 0 ? -180 : 178 - abs(x) / 4, y) }
    if chance(0.05) { return (x * 10, y < 0 ? -86 : 84) }
    return (x, y)
  }
}

extension GeometryBuilder {
  fileprivate mutating func addPoint(_ corner: (x: Double, y: Double)) {
    begin(.point)
    add(longitude: corner.x, latitude: corner.y)
    end()
  }

  fileprivate mutating func addLine(
    _ corner: (x: Double, y: Double), _ random: inout SplitMix64
  ) {
    begin(.lineString)
    add(longitude: corner.x, latitude: corner.y)
    for _ in 0..<1 + random.below(3) {
      add(
        longitude: min(180, corner.x + Double(1 + random.below(4)) / 2),
        latitude: corner.y + Double(random.below(9) - 4) / 2)
    }
    end()
  }

  /// Adds a triangle, a rectangle, one with a hole, or a ring of many vertices.
  fileprivate mutating func addPolygon(
    _ corner: (x: Double, y: Double), _ random: inout SplitMix64
  ) {
    let (width, height) = (Double(1 + random.below(4)) / 2, Double(1 + random.below(8)) / 2)
    let ring = [(0.0, 0.0), (1, 0), (1, 1), (0, 1), (0, 0)]
    var rings = [ring]
    switch random.below(4) {
    case 0: rings = [[(0, 0), (1, 0), (0, 1), (0, 0)]]
    case 1: rings.append([(0.25, 0.25), (0.75, 0.25), (0.5, 0.75), (0.25, 0.25)])
    case 2:
      let edge = (0...20).map { Double($0) / 20 }
      rings = [
        edge.map { ($0, 0) } + edge.dropFirst().map { (1, $0) }
          + edge.reversed().dropFirst().map { ($0, 1) }
          + edge.reversed().dropFirst().map { (0, $0) }
      ]
    default: break
    }
    begin(.polygon)
    for ring in rings {
      beginRing()
      for (x, y) in ring {
        add(longitude: min(180, corner.x + x * width), latitude: corner.y + y * height)
      }
      endRing()
    }
    end()
  }
}

extension JoinWorld {
  /// The geometries of a property, by key, without nulls and empty geometries.
  static func geometries(_ table: Table, property: String) -> [(key: Int, geometry: Geometry)] {
    guard let column = table.schema.column(named: property) else { return [] }
    return (0..<table.endKey).compactMap { key in
      guard table.isLive(key) else { return nil }
      switch table.value(column.position, at: key) {
      case .point(let point):
        return GeoPoint(latitude: point.latitude, longitude: point.longitude)
          .map { (key, Geometry($0)) }
      case .geometry(let bytes):
        let geometry = Geometry(packed: bytes)
        return geometry.isEmpty ? nil : (key, geometry)
      default: return nil
      }
    }
  }

  /// The value of `number` in a row; nil for null.
  static func number(_ table: Table, at key: Int) -> Int? {
    guard case .int(let number) = table.value(0, at: key) else { return nil }
    return Int(number)
  }
}
