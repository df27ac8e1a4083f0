import CairnStorage
import CairnValues

/// A table or view of a database, as the catalogue describes it.
package struct PostgresTable: Sendable {
  /// The schema that has the table.
  package let schema: String
  /// The name of the table.
  package let name: String
  /// The kind of the relation.
  package let kind: Kind
  /// The server's estimate of the number of rows; nil if it has none.
  package let estimatedRows: Int?
  /// The size of the table with its indexes, in bytes.
  package let bytes: Int
  /// Whether other tables, which inherit from this one, keep rows of it.
  package let hasPartitions: Bool
  /// The columns in order.
  package let columns: [PostgresColumn]

  /// The kinds of relations, with their letters in `pg_class`.
  package enum Kind: String, Sendable {
    /// A table.
    case table = "r"
    /// A view.
    case view = "v"
    /// A view that is stored.
    case materializedView = "m"
    /// A table of another server.
    case foreignTable = "f"
    /// A table whose rows are in partitions.
    case partitionedTable = "p"

    /// The kind in words.
    package var words: String {
      switch self {
      case .table: "table"
      case .view: "view"
      case .materializedView: "materialized view"
      case .foreignTable: "foreign table"
      case .partitionedTable: "partitioned table"
      }
    }
  }

  /// The name with its schema, quoted for a statement.
  package var quotedName: String { "\(SQLName.quoted(schema)).\(SQLName.quoted(name))" }

  /// The column of that name.
  package func column(named name: String) -> PostgresColumn? {
    columns.first { $0.name == name }
  }
}

/// A column of a table or view.
package struct PostgresColumn: Sendable {
  /// The name of the column.
  package let name: String
  /// The type as the server writes it, such as `geometry(Point,4326)`.
  package let sqlType: String
  /// The property's type in Cairn.
  package let type: ValueType
  /// The kind of collection, if the column is an array.
  package let collection: CollectionKind
  /// Whether rows, or the elements of an array, may be null.
  package let isOptional: Bool
  /// The way in which values are read.
  let form: ValueForm
  /// The spatial reference of a geometry; 0 if each value has its own.
  package let srid: Int
  /// Whether the column is a `geography`.
  package let isGeography: Bool
  /// Whether the equality of texts compares bytes: the collation is deterministic.
  let comparesBytes: Bool
  /// Whether the column alone is the primary key.
  package internal(set) var isPrimaryKey = false
  /// Whether the column is one of those of the primary key.
  var isInKey = false
  /// The access method of an index that begins with the column; nil without one.
  package internal(set) var index: String?

  /// Whether the times of the column have a zone.
  var hasZone: Bool { sqlType.hasSuffix("with time zone") }

  /// Whether the values are points or geometries.
  package var isSpatial: Bool { type == .point || type.isGeometry }

  /// The column for a bulk load. Every column may be null there, because a query fetches only some.
  package var bulkColumn: BulkColumn {
    BulkColumn(name: name, type: type, isOptional: true, collection: collection)
  }

  /// The expression that yields the column in the form that is read.
  var expression: String {
    let name = SQLName.quoted(name)
    return form == .castText ? "\(name)::text" : name
  }
}

/// The binary form of a value.
indirect enum ValueForm: Sendable, Hashable {
  case bool
  case int16
  case int32
  case int64
  /// An unsigned number of 32 bits.
  case oid
  case float
  case double
  case numeric
  case text
  /// Any other type, which the server writes as text.
  case castText
  case bytes
  case date
  /// A time in microseconds, with or without a zone.
  case timestamp
  case uuid
  /// A text of 24 hexadecimal digits that is an ObjectId.
  case objectId
  /// EWKB.
  case geometry
  case array(ValueForm)
  /// An array without order or duplicates.
  case set(ValueForm)
}

/// Names in statements.
package enum SQLName {
  /// Returns a name in double quotes.
  package static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  /// Returns a text as a literal. A backslash is an ordinary character, as the session's settings say.
  package static func literal(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }
}
