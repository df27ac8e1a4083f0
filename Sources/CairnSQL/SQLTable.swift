import CairnStorage
import CairnValues

/// A table or a view of an engine, as the compiler needs to know it: the columns with the property
/// that each holds.
public struct SQLTable: Hashable, Sendable {
  /// The name of the table.
  public var name: String
  /// The schema that the table belongs to; nil for the engine's search path.
  public var schema: String?
  /// The columns. Paths of a predicate name them.
  public var columns: [SQLColumn]
  /// The properties that identify a row, in order; empty if the table has no key. They break the
  /// ties of a sort.
  public var key: [String]
  /// Whether the rows are in partitions, which PostgreSQL skips if a check constraint on the bounds of
  /// their geometries contradicts a condition. Conditions on geometries then name their bounds.
  public var hasPartitions: Bool

  /// Creates a table.
  public init(
    name: String, schema: String? = nil, columns: [SQLColumn], key: [String] = [],
    hasPartitions: Bool = false
  ) {
    self.name = name
    self.schema = schema
    self.columns = columns
    self.key = key
    self.hasPartitions = hasPartitions
  }

  /// Returns the column that holds a property. Names are compared by code point.
  public func column(named name: String) -> SQLColumn? {
    columns.first { $0.property.utf8.elementsEqual(name.utf8) }
  }

  /// The name of the table with its schema.
  public var qualifiedName: SQLFragment {
    schema.map { "\(name: $0).\(name: name)" } ?? "\(name: name)"
  }
}

/// A column of a table.
public struct SQLColumn: Hashable, Sendable {
  /// The name of the property that the column holds.
  public var property: String
  /// The type of the column's values, in Cairn's terms.
  public var type: SQLColumnType
  /// SQL for the value: the column's name, or an expression such as a cast.
  public var expression: SQLFragment

  /// Creates a column.
  ///
  /// - Parameter expression: SQL for the value; nil for the column of the property's name.
  public init(_ property: String, type: SQLColumnType, expression: SQLFragment? = nil) {
    self.property = property
    self.type = type
    self.expression = expression ?? "\(name: property)"
  }
}

/// The type of a column: the type of the property, and how the engine keeps it.
public enum SQLColumnType: Hashable, Sendable {
  /// Truth values.
  case bool
  /// Integers of at most 64 bits.
  case int
  /// Numbers of single precision.
  case float
  /// Numbers of double precision.
  case double
  /// Decimal numbers. Cairn keeps 34 digits, so the engine's answers agree up to 34 digits.
  case decimal
  /// Texts, whose equality must compare bytes: not `citext`, and no collation that is not
  /// deterministic.
  case text
  /// Bytes.
  case data
  /// Dates.
  case date(SQLDateStorage)
  /// UUIDs.
  case uuid
  /// Object identifiers in 24 lower-case hexadecimal digits.
  case objectId
  /// Locations.
  case location(SQLLocationStorage)
  /// Geometries of any kind.
  case geometry(SQLGeometryStorage)
  /// Values that no condition is sent for: arrays, JSON and others.
  case other
}

/// How an engine keeps dates.
public enum SQLDateStorage: Hashable, Sendable {
  /// Times in microseconds, with a time zone, or in UTC without one. ``SQLDate`` converts them.
  case timestamp(hasZone: Bool)
  /// Days, which mean their beginning in UTC.
  case day
  /// Seconds since 2001-01-01T00:00:00Z in double precision: Cairn's own form, without any loss.
  case seconds
}

/// How an engine keeps locations in longitude and latitude.
public enum SQLLocationStorage: Hashable, Sendable {
  /// A column of points, with the number of its coordinate system.
  case geometry(srid: Int)
  /// A column of points on the ellipsoid: PostGIS's geography.
  case geography
  /// Two columns of double precision in degrees: SQL for the longitude and for the latitude. The
  /// location is null if either is null.
  case coordinates(longitude: SQLFragment, latitude: SQLFragment)
}

/// How an engine keeps geometries.
public enum SQLGeometryStorage: Hashable, Sendable {
  /// Planar geometries, with the number of their coordinate system.
  case geometry(srid: Int)
  /// Geometries on the ellipsoid: PostGIS's geography.
  case geography
}

extension SQLColumnType {
  /// The type of the property as a predicate sees it; nil for values that no condition is sent for.
  package var valueType: ValueType? {
    switch self {
    case .bool: .bool
    case .int: .int
    case .float: .float
    case .double: .double
    case .decimal: .decimal128
    case .text: .string
    case .data: .data
    case .date: .date
    case .uuid: .uuid
    case .objectId: .objectId
    case .location: .point
    case .geometry: .geometry
    case .other: nil
    }
  }
}

extension SQLTable {
  /// Creates the table that keeps the objects of a class as an engine usually does: times with a
  /// time zone, and geometries in WGS 84.
  ///
  /// A property has the name that the program gives it, and its column the name in the store. Links, embedded objects, collections and mixed values become columns that no condition is sent
  /// for.
  package init(_ table: TableSchema, name: String? = nil, schema: String? = nil) {
    let names = Dictionary(table.aliases.map { ($1, $0) }) { first, _ in first }
    self.init(
      name: name ?? table.name, schema: schema,
      columns: table.properties.map {
        SQLColumn(
          names[$0.name] ?? $0.name, type: SQLColumnType($0), expression: "\(name: $0.name)")
      },
      key: table.primaryKey.map { [names[table.properties[$0].name] ?? table.properties[$0].name] }
        ?? [])
  }

  /// A class with the same properties, for binding predicates. Columns without a type are mixed.
  package var classSchema: TableSchema {
    TableSchema(
      id: 1, name: name,
      columns: columns.enumerated().map { index, column in
        ColumnSchema(
          id: UInt16(clamping: index + 1), name: column.property,
          type: column.type.valueType ?? .mixed, isOptional: true, position: index)
      })
  }
}

extension SQLColumnType {
  /// The type of the column for a property of a class.
  package init(_ column: ColumnSchema) {
    guard column.collection == .none else {
      self = .other
      return
    }
    self =
      switch column.type {
      case .bool: .bool
      case .int: .int
      case .float: .float
      case .double: .double
      case .decimal128: .decimal
      case .string: .text
      case .data: .data
      case .date: .date(.timestamp(hasZone: true))
      case .uuid: .uuid
      case .objectId: .objectId
      case .point: .location(.geometry(srid: 4326))
      case .geometry, .lineString, .polygon: .geometry(.geometry(srid: 4326))
      case .mixed, .link, .embedded, .box: .other
      }
  }
}
