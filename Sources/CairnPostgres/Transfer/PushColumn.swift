internal import CairnGeometry
import CairnStorage
import CairnValues

/// A property that a push sends, and the column that receives it.
struct PushColumn: Sendable {
  let schema: ColumnSchema
  /// The type of the column, such as `geometry(Point,4326)`.
  let sqlType: String
  /// Whether every location is sent with its altitude.
  let hasAltitudes: Bool
  /// The comment that keeps a type that PostgreSQL lacks.
  let note: CairnType?

  /// The definition for `CREATE TABLE`.
  var definition: String {
    let isRequired = schema.collection == .none && !schema.isOptional
    return "\(SQLName.quoted(schema.name)) \(sqlType)\(isRequired ? " NOT NULL" : "")"
  }

  /// Whether the column gets a GiST index.
  var isSpatial: Bool { schema.isSpatial }

  /// - Throws: ``PostgresError`` if PostgreSQL has no type for the property.
  init(_ schema: ColumnSchema, of table: Table) throws(PostgresError) {
    guard let plain = PushType.name(schema.type), schema.collection != .map,
      schema.collection == .none || PushType.element(schema.type) != 0
    else {
      throw PostgresError(
        .usage,
        message: "'\(schema.name)' cannot be pushed: PostgreSQL has no type for links, embedded "
          + "objects, mixed values, maps and collections of locations; choose other columns")
    }
    self.schema = schema
    let altitudes = schema.collection == .none ? Altitudes(of: schema, in: table) : .none
    hasAltitudes = altitudes == .all
    let type =
      switch altitudes {
      case .none: plain
      case .all: plain.split(separator: ",").joined(separator: "Z,")
      // PostGIS has no type for a column that mixes geometries with and without altitudes.
      case .some: "geometry"
      }
    sqlType = schema.collection == .none ? type : "\(type)[]"
    note =
      switch (schema.type, schema.collection) {
      case (.objectId, .none): .objectId
      case (.objectId, .list): .objectIds
      case (_, .set): .set
      case (.polygon, .none): .polygon
      default: nil
      }
  }
}

/// The types of PostgreSQL for those of Cairn.
enum PushType {
  /// The name of the type; nil if PostgreSQL has no counterpart.
  static func name(_ type: ValueType) -> String? {
    switch type {
    case .bool: "boolean"
    case .int: "bigint"
    case .float: "real"
    case .double: "double precision"
    case .string, .objectId: "text"
    case .data: "bytea"
    case .date: "timestamp with time zone"
    case .uuid: "uuid"
    case .decimal128: "numeric"
    case .point: "geometry(Point,4326)"
    case .lineString: "geometry(LineString,4326)"
    case .geometry, .polygon: "geometry(Geometry,4326)"
    case .mixed, .link, .embedded, .box: nil
    }
  }

  /// The number in `pg_type` of the type as an element of an array; 0 for other types.
  static func element(_ type: ValueType) -> UInt32 {
    switch type {
    case .bool: 16
    case .int: 20
    case .float: 700
    case .double: 701
    case .string, .objectId: 25
    case .data: 17
    case .date: 1184
    case .uuid: 2950
    case .decimal128: 1700
    default: 0
    }
  }
}

/// Whether the locations or geometries of a column have altitudes.
private enum Altitudes {
  case none
  case some
  case all

  init(of schema: ColumnSchema, in table: Table) {
    guard schema.isSpatial else {
      self = .none
      return
    }
    var (with, without) = (0, 0)
    for index in 0..<table.chunkCount {
      let chunk = table.column(schema.position).chunk(index)
      for row in 0..<table.rowCount(ofChunk: index) where !chunk.isNull(row) {
        let has =
          schema.isPoint
          ? chunk.altitude(at: row) != 0 : GeometryView(chunk.bytes(at: row)).hasAltitudes
        if has { with += 1 } else { without += 1 }
      }
    }
    // A location without an altitude has the altitude 0.
    self = with == 0 ? .none : without == 0 || schema.isPoint ? .all : .some
  }
}
