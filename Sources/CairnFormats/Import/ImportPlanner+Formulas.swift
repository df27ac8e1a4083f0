package import CairnQuery
internal import CairnStorage
internal import CairnValues

/// A property that an import computes of the columns of the files.
package struct ImportFormula: Sendable {
  /// The name of the property.
  package let name: String
  package let formula: Formula

  package init(_ name: String, _ formula: Formula) {
    self.name = name
    self.formula = formula
  }
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
    return plan
  }
}

extension ImportPlan.Content {
  /// A formula whose type is not known yet.
  static let unboundFormula = formula(.string)
}

// Properties that formulas compute.
extension ImportPlanner {
  /// The names of the properties that formulas compute.
  var computedNames: Set<String> { Set(options.formulas.map(\.name)) }

  /// Returns the columns of the files whose place computed properties take.
  func inputs(_ inferred: InferredColumns, isComplete: Bool) -> [ImportPlan.Column] {
    inferred.columns.filter { computedNames.contains($0.name) }.map {
      ImportPlan.Column(name: $0.name, content: .field(type(of: $0, isComplete)))
    }
  }

  /// Returns the column for a property of the class that a formula computes.
  func computedColumn(_ own: ColumnSchema) throws(ImportError) -> ImportPlan.Column {
    guard own.collection == .none, !own.isLink, Self.isComputable(own.type) else {
      throw cannotExtend("`\(own.name)` is of type \(own.typeText), which no formula computes")
    }
    return .init(name: own.name, content: .formula(own.type), isRequired: !own.isOptional)
  }

  /// Binds the formulas to the other columns, and sets the types of the columns that they compute.
  /// Adds those that neither the files nor the class have.
  func computations(
    of columns: inout [ImportPlan.Column], inputs: [ImportPlan.Column]
  ) throws(ImportError) -> ImportPlan.Computations {
    var computations = ImportPlan.Computations(inputs: inputs)
    guard !options.formulas.isEmpty else { return computations }
    for name in options.formulas.map(\.name) where !columns.contains(where: { $0.name == name }) {
      columns.append(
        .init(name: name, content: .unboundFormula, isRequired: name == options.primaryKey))
    }
    let schema = Self.schema(columns.filter { !$0.isComputed } + inputs)
    for (name, formula) in options.formulas.map({ ($0.name, $0.formula) }) {
      guard let index = columns.firstIndex(where: { $0.name == name }), columns[index].isComputed
      else {
        throw ImportError(
          .usage, message: "\(option: .formulas, name): `\(name)` is not a column of values")
      }
      let bound: BoundFormula
      do throws(PredicateError) { bound = try formula.bound(to: schema) } catch {
        throw ImportError(.usage, message: "\(option: .formulas, name): \(error.message)")
      }
      let type = try type(of: bound, for: name)
      columns[index] = .init(
        name: name, content: .formula(type), isRequired: columns[index].isRequired)
      computations.formulas.append((name, bound))
    }
    return computations
  }

  /// Returns the type of a computed property: that of the class, if it has the property.
  private func type(
    of formula: BoundFormula, for name: String
  ) throws(ImportError) -> ValueType {
    if let own = existing?.schema.column(named: name) {
      let isNumber = { (type: ValueType) in [.int, .double, .float].contains(type) }
      guard let type = formula.type, type != own.type, !(isNumber(type) && isNumber(own.type))
      else { return own.type }
      throw ImportError(
        .usage,
        message: "\(option: .formulas, name): `\(name)` of the class \(className) is of type "
          + "\(own.typeText), and the formula of type \(type.name)")
    }
    guard let type = formula.type, Self.isComputable(type) else {
      let found = formula.type.map { "of type \($0.name)" } ?? "always null"
      throw ImportError(
        .usage,
        message:
          "\(option: .formulas, name): the formula is \(found); expected a text, a number, a "
          + "date or a bool, such as cast(… AS double)")
    }
    return type
  }

  private static func isComputable(_ type: ValueType) -> Bool {
    [.bool, .int, .double, .float, .date, .decimal128, .string].contains(type)
  }

  /// The columns as those of a class, which formulas are bound to.
  private static func schema(_ columns: [ImportPlan.Column]) -> TableSchema {
    TableSchema(
      id: 0, name: "the import",
      columns: columns.enumerated().map { position, column in
        ColumnSchema(
          id: UInt16(clamping: position), name: column.name, type: column.valueType,
          isOptional: true, isIndexed: false, isPrimaryKey: false, position: position)
      })
  }
}
