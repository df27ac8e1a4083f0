import CairnGeometry
import CairnStorage
import CairnTestSupport
import CairnValues

@testable import CairnQuery

/// A class with locations and geometries of every kind, random rows for it, and an oracle that
/// compares every row with a shape.
struct SpatialWorld {
  static let name = "Parcel"

  static let columns: [(String, ValueType)] = [
    ("id", .int), ("area", .geometry), ("border", .polygon), ("path", .lineString), ("at", .point),
    ("number", .int),
  ]

  /// The properties with locations and geometries.
  static let spatial = ["area", "border", "path", "at"]

  static var schemas: [ColumnSchema] {
    columns.enumerated().map { position, column in
      ColumnSchema(
        id: 0, name: column.0, type: column.1, isOptional: column.0 != "id",
        isPrimaryKey: column.0 == "id", position: position)
    }
  }

  /// A class with links to parcels, and with locations in a list.
  static let holder = TableDraft(
    name: "Holder",
    columns: [
      column("at", .point), column("area", .geometry), column("parcel", .link, to: name),
      column("parcels", .link, .list, to: name), column("places", .point, .list),
    ])

  static func create(in store: Store) throws {
    try store.write { transaction in
      _ = try transaction.createTable(name, columns: schemas)
      _ = try transaction.createTable(holder.name, columns: holder.columns)
    }
  }

  // MARK: Rows

  static func row(_ id: Int, _ random: inout SplitMix64) -> [Value] {
    columns.map { $0.0 == "id" ? .int(Int64(id)) : value($0.1, &random) }
  }

  /// A row of `Holder`, with links to the first rows of the other class.
  static func holderRow(links rows: Int, _ random: inout SplitMix64) -> [Value] {
    func list(_ type: ValueType, _ value: (inout SplitMix64) -> Value) -> Value {
      .data(
        StoredCollection.encode((0..<random.below(4)).map { _ in value(&random) }, of: type))
    }
    return [
      value(.point, &random), value(.geometry, &random),
      random.chance(0.1) ? .null : .int(Int64(random.below(rows))),
      list(.link) { .int(Int64($0.below(rows))) }, list(.point) { value(.point, &$0) },
    ]
  }

  static func value(_ type: ValueType, _ random: inout SplitMix64) -> Value {
    if random.chance(0.1) { return .null }
    switch type {
    case .point: return .point(position(&random))
    case .geometry: return .geometry(geometry(&random).bytes)
    case .polygon: return .geometry(Geometry(polygon(&random)).bytes)
    case .lineString: return .geometry(Geometry(line(&random)).bytes)
    default: return .int(Int64(random.below(10)))
    }
  }

  /// A location on a coarse grid, so that vertices and edges often meet.
  static func position(_ random: inout SplitMix64) -> Position {
    Position(
      latitude: Double(random.below(33) - 16) / 2, longitude: Double(random.below(65) - 32) / 2)
  }

  static func point(_ random: inout SplitMix64) -> GeoPoint {
    let position = position(&random)
    return made(GeoPoint(latitude: position.latitude, longitude: position.longitude))
  }

  static func line(_ random: inout SplitMix64) -> GeoLineString {
    let first = point(&random)
    let rest = (0..<1 + random.below(3)).map { _ in near(first, &random) }
    return made(GeoLineString([first] + rest))
  }

  private static func near(_ point: GeoPoint, _ random: inout SplitMix64) -> GeoPoint {
    made(
      GeoPoint(
        latitude: point.latitude + Double(random.below(9) - 4) / 2,
        longitude: point.longitude + Double(1 + random.below(8)) / 2))
  }

  /// A triangle, a rectangle, or a rectangle with a hole.
  static func polygon(
    _ random: inout SplitMix64, edges: GeoPolygon.Edges = .planar
  ) -> GeoPolygon {
    let corner = point(&random)
    let (width, height) = (Double(1 + random.below(8)) / 2, Double(1 + random.below(8)) / 2)
    func at(_ x: Double, _ y: Double) -> GeoPoint {
      made(
        GeoPoint(
          latitude: corner.latitude + y * height, longitude: corner.longitude + x * width))
    }
    var rings = [[at(0, 0), at(1, 0), at(1, 1), at(0, 1), at(0, 0)]]
    if random.chance(0.3) {
      rings = [[at(0, 0), at(1, 0), at(0, 1), at(0, 0)]]
    } else if random.chance(0.3) {
      rings.append([at(0.25, 0.25), at(0.75, 0.25), at(0.5, 0.75), at(0.25, 0.25)])
    }
    return made(try? GeoPolygon(polygons: [rings], edges: edges))
  }

  static func geometry(_ random: inout SplitMix64) -> Geometry {
    switch random.below(9) {
    case 0: return Geometry(points: [])
    case 1, 2: return Geometry(point(&random))
    case 3: return Geometry(points: (0..<1 + random.below(3)).map { _ in point(&random) })
    case 4: return Geometry(line(&random))
    case 5: return Geometry(lines: [line(&random), line(&random)])
    case 6:
      return made(
        try? Geometry(members: [
          Geometry(point(&random)), Geometry(line(&random)), Geometry(polygon(&random)),
        ]))
    default: return Geometry(polygon(&random))
    }
  }

  // MARK: Changes

  /// Bulk-loads rows, clustered by `area`.
  static func load(_ ids: Range<Int>, into store: Store, _ random: inout SplitMix64) throws {
    let columns = Self.columns.map {
      BulkColumn(name: $0.0, type: $0.1, isOptional: $0.0 != "id")
    }
    let load = try BulkLoad(
      store: store, table: name, columns: columns, location: nil, primaryKey: 0, indexed: [],
      onConflict: .error)
    let batch = ColumnBatch(columns: columns)
    for id in ids {
      for (column, value) in zip(batch.columns, row(id, &random)) { column.append(value) }
    }
    try load.add(batch, number: 0)
    _ = try load.finish()
  }

  /// Inserts, moves and deletes individual rows.
  static func edit(
    _ writer: TableWriter, inserting ids: Range<Int>, changes: Int, _ random: inout SplitMix64
  ) throws {
    for id in ids { try writer.insert(row(id, &random)) }
    for _ in 0..<changes where writer.table.endKey > 0 {
      let key = random.below(writer.table.endKey)
      guard writer.table.isLive(key) else { continue }
      if random.chance(0.3) {
        try writer.delete(key)
        continue
      }
      let position = 1 + random.below(columns.count - 1)
      try writer.set(value(columns[position].1, &random), position: position, at: key)
    }
  }
}

/// A value that a constructor makes of valid arguments.
private func made<Value>(_ value: Value?) -> Value {
  guard let value else { preconditionFailure("the arguments are not valid") }
  return value
}

// MARK: Conditions

extension SpatialWorld {
  static func shape(_ random: inout SplitMix64) -> Shape {
    let edges: GeoPolygon.Edges = random.chance(0.5) ? .planar : .geodesic
    switch random.below(6) {
    case 0:
      let other = point(&random)
      let corner = point(&random)
      return .box(
        GeoBox(
          bottomLeft: corner,
          topRight: made(
            GeoPoint(
              latitude: max(corner.latitude, other.latitude),
              longitude: max(corner.longitude, other.longitude)))))
    case 1:
      return .circle(
        GeoCircle(
          center: point(&random),
          radius: made(.kilometers(random.pick([0.0, 1, 100, 400, 2000])))))
    case 2, 3: return .polygon(polygon(&random, edges: edges))
    default:
      let geometry = geometry(&random)
      return .geometry(geometry.isEmpty ? Geometry(point(&random)) : geometry, edges: edges)
    }
  }

  static func distance(_ random: inout SplitMix64) -> Distance {
    made(.kilometers(random.pick([0.0, 1, 55.66, 100, 400, 2000])))
  }

  static func comparison(_ random: inout SplitMix64) -> ComparisonOperator {
    random.pick([.less, .lessOrEqual, .greater, .greaterOrEqual])
  }

  /// A condition on a property against a shape.
  static func condition(_ path: PropertyPath, _ random: inout SplitMix64) -> PredicateNode {
    let shape = shape(&random)
    guard random.chance(0.6) else {
      return .distance(path, comparison(&random), .shape(shape), distance(&random))
    }
    let relations = SpatialRelation.allCases.filter {
      !$0.isPlanar || shape.withPlanarEdges != nil
    }
    return .relation(path, random.pick(relations), .shape(shape))
  }
}

/// Evaluates spatial conditions on single values by prepared shapes, without boxes and indexes.
struct NaiveSpatialTest {
  private let test: (GeometryView) -> Bool

  /// Creates the test of a condition against a shape.
  init(_ node: PredicateNode) throws {
    switch node {
    case .relation(_, let relation, .shape(let shape)):
      self.init(
        relation, try PreparedShape(relation.isPlanar ? shape.withPlanarEdges ?? shape : shape))
    case .distance(_, let comparison, .shape(let shape), let distance):
      let origin = try PreparedOrigin(shape)
      self.init { view in
        let radians = Value.double(origin.distance(to: view))
        let limit = Value.double(distance.radians)
        return NaiveMatcher.compares(radians, comparison, limit, [])
      }
    default: self.init { _ in false }
    }
  }

  /// Creates the test of a relation to a shape that may serve several tests.
  init(_ relation: SpatialRelation, _ shape: PreparedShape) {
    self.init { shape.holds(relation, $0) }
  }

  private init(test: @escaping (GeometryView) -> Bool) { self.test = test }

  /// Whether a value passes.
  func holds(_ value: Value) -> Bool {
    guard let geometry = Self.geometry(value), !geometry.isEmpty else { return false }
    return geometry.withView(test)
  }

  /// A location or a geometry as a geometry; nil for null.
  static func geometry(_ value: Value) -> Geometry? {
    switch value {
    case .point(let point):
      GeoPoint(latitude: point.latitude, longitude: point.longitude).map { Geometry($0) }
    case .geometry(let bytes): Geometry(packed: bytes)
    default: nil
    }
  }
}
