internal import CairnStorage
internal import CairnValues

/// The columns that an import fills, once their types are known.
struct ImportPlan: Sendable {
  enum Content: Sendable, Equatable {
    case field(FieldType)
    case location
    /// The third coordinate.
    case altitude
  }

  struct Column: Sendable {
    let name: String
    let content: Content
    /// A row without a value is refused: the key, and what an existing class requires.
    var isRequired = false

    var valueType: ValueType {
      switch content {
      case .field(let type): type.valueType
      case .location: .point
      case .altitude: .double
      }
    }
  }

  /// A property that the values of the files do not fit.
  struct Misfit: Sendable {
    let property: ColumnSchema
    /// Of the property.
    let type: FieldType
    let evidence: FieldEvidence
    /// A value that keeps the property from becoming what the files have.
    var obstacle: Int64?
  }

  let columns: [Column]
  let primaryKey: Int?
  let onError: RefusalPolicy
  /// What an existing class becomes.
  var changes: [Widening.Change] = []
  /// Where there is one, nothing can be imported.
  var misfits: [Misfit] = []
  /// The types that the user has set, by property: a record whose value is of another is refused.
  var forcedTypes: [String: FieldType] = [:]
  var shapes = ShapeOptions()
  /// The texts that mean null, and the form of dates.
  var reading = FieldReading()
  /// The property that the Features' own ids become.
  var featureId = "id"
  /// Notes on the values, for the user.
  var notes: [String] = []

  var location: Int? { columns.firstIndex { $0.content == .location } }

  /// As the bulk load wants them.
  var bulkColumns: [BulkColumn] {
    columns.map { BulkColumn(name: $0.name, type: $0.valueType, isOptional: !$0.isRequired) }
  }

  func index(of name: String) -> Int? { columns.firstIndex { $0.name == name } }
}
