internal import CairnQuery
internal import CairnStorage
package import CairnValues

/// The columns that an import fills, once their types are known.
package struct ImportPlan: Sendable {
  /// The content of a column.
  package enum Content: Sendable, Equatable {
    case field(FieldType)
    /// The points of a source. If that is assumed, another geometry contradicts the plan.
    case location(SpatialSource, isAssumed: Bool)
    /// The geometries of a source, of the type of the property.
    case geometry(SpatialSource, ValueType)
    /// The third coordinate.
    case altitude
    /// The name of the file.
    case fileName
    /// The values of a formula.
    case formula(ValueType)
    /// The offset of the record in its file, or the index of the row in its layer.
    case position
  }

  /// A column and its content.
  package struct Column: Sendable {
    package let name: String
    package let content: Content
    /// Whether a row without a value is rejected, as for the key and for what an existing class
    /// requires.
    package var isRequired = false
    /// The property that holds a collection, an embedded object or a link. The field is the key of
    /// the linked object, or JSON.
    var nested: ColumnSchema?

    /// The type of the property, or of the elements of its collection.
    var storedType: ValueType { nested?.type ?? valueType }

    /// The type of the values that the reader of a file delivers.
    var valueType: ValueType {
      switch content {
      case .field(let type): type.valueType
      case .location: .point
      case .geometry(_, let type): type
      case .altitude: .double
      case .fileName: .string
      case .formula(let type): type
      case .position: .int
      }
    }

    /// The source of the locations or geometries that the column holds; nil for other columns.
    var source: SpatialSource? {
      switch content {
      case .location(let source, _), .geometry(let source, _): source
      case .field, .altitude, .fileName, .formula, .position: nil
      }
    }

    /// Whether the column holds locations or geometries.
    package var isSpatial: Bool { source != nil }

    /// Whether a formula computes the values.
    var isComputed: Bool { if case .formula = content { true } else { false } }

    /// Whether third coordinates are kept in the geometries of the only source.
    var keepsAltitudes: Bool {
      if case .geometry(.only, _) = content { true } else { false }
    }
  }

  /// A property whose type the values of the files do not fit.
  struct TypeMismatch: Sendable {
    let property: ColumnSchema
    /// The type of the property.
    let type: FieldType
    let evidence: FieldEvidence
    /// A value that prevents the property from getting the type of the files.
    var obstacle: Int64?
  }

  /// The columns, in the order of the properties.
  package var columns: [Column]
  /// The formulas, and what they read.
  var computations = Computations()
  let primaryKey: Int?
  /// The treatment of a record that cannot be stored.
  package let onError: RejectPolicy
  /// The changes to an existing class.
  var changes: [Widening.Change] = []
  /// The properties that the files do not fit. If there are any, nothing can be imported.
  var mismatches: [TypeMismatch] = []
  /// The types that the user has set, by property. A record with a value of another type is
  /// rejected.
  package var forcedTypes: [String: FieldType] = [:]
  /// How geometries that are not points are imported.
  package var geometries = GeometryOptions()
  /// The texts that mean null, and the format of dates.
  package var reading = FieldReading()
  /// The property that holds the Features' own ids.
  var featureId = "id"
  /// The columns of the files that become properties, and their names.
  var selection = ColumnSelection()
  /// Whether third coordinates of points are left out.
  var ignoresAltitude = false
  /// Notes on the values, for the user.
  var notes: [ImportMessage] = []

  /// The column of locations that determines the order of the rows; nil for only
  /// geometries. The first geometry then determines the order.
  package var location: Int? { columns.firstIndex { $0.valueType == .point } }

  /// Returns the index of the column that holds what a source contains.
  package func index(of source: SpatialSource) -> Int? {
    columns.firstIndex { $0.source == source }
  }

  /// The form in which a reader delivers what a source contains.
  package func form(of source: SpatialSource) -> SpatialForm {
    guard let index = index(of: source) else { return .points(isAssumed: false) }
    switch columns[index].content {
    case .geometry(_, let type): return .geometries(type, isRequired: columns[index].isRequired)
    case .location(let source, let isAssumed):
      let isRequired = source == .only && !geometries.allowsMissing || columns[index].isRequired
      return .points(isAssumed: isAssumed, isRequired: isRequired)
    case .field, .altitude, .fileName, .formula, .position: return .points(isAssumed: false)
    }
  }

  /// The classes that nested values refer to.
  var classes = StoreSchema(tables: [])

  /// The columns that become properties.
  var storedColumns: [Column] { columns.filter { $0.content != .position } }

  /// The columns in the form that the reader of a file fills.
  var readColumns: [BulkColumn] {
    columns.map { BulkColumn(name: $0.name, type: $0.valueType, isOptional: !$0.isRequired) }
  }

  /// The columns in the form that the bulk load takes.
  var bulkColumns: [BulkColumn] {
    storedColumns.map { column in
      BulkColumn(
        name: column.name, type: column.storedType,
        isOptional: column.nested?.isNullable ?? !column.isRequired,
        collection: column.nested?.collection ?? .none)
    }
  }

  func index(of name: String) -> Int? { columns.firstIndex { $0.name == name } }

  /// Returns the index of the column that a column of the files fills.
  package func index(ofFileColumn name: String) -> Int? {
    selection.isKept(name) ? index(of: selection.property(of: name)) : nil
  }

  /// Returns the column of the files that fills a property.
  func fileColumn(of property: String) -> String? { selection.column(of: property) }
}

extension ImportPlan {
  /// The formulas of a plan, and what they read.
  struct Computations: Sendable {
    /// The properties that are computed, with their formulas, bound to the columns that are read.
    var formulas: [(name: String, formula: BoundFormula)] = []
    /// The columns of the files whose place computed properties take. Only formulas read them.
    var inputs: [Column] = []
  }

  /// The plan of what the readers of files fill: the columns without the computed ones, those that only
  /// formulas read, and the positions of the records, which messages need.
  var forReaders: ImportPlan {
    guard !computations.formulas.isEmpty else { return self }
    var plan = self
    plan.columns = columns.filter { !$0.isComputed && $0.content != .position }
    plan.columns += computations.inputs
    plan.columns.append(Column(name: "", content: .position))
    plan.selection.keep(computations.inputs.map(\.name))
    return plan
  }
}
