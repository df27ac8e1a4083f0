internal import CairnQuery
internal import CairnStorage
internal import CairnValues

extension ImportPlan.Content {
  /// A formula whose type is not known yet.
  static let unboundFormula = formula(.string)
}

// Properties that formulas compute.
extension ImportPlanner {
  /// The names of the properties that formulas compute.
  var computedNames: Set<String> { Set(options.formulas.map(\.name)) }

  /// Returns the columns of the files that only formulas read: those whose place computed properties
  /// take, and those that are left out.
  func inputs(
    _ inferred: InferredColumns, leftOut: [InferredColumns.Column], isComplete: Bool
  ) -> [ImportPlan.Column] {
    let replaced = inferred.columns.filter { computedNames.contains($0.name) }
    return (replaced + leftOut).map { column in
      let type = type(of: column, isComplete)
      let own = existing?.schema.column(named: column.name).flatMap { FieldType($0.type) }
      // A column without values has the type of the property.
      let isBlank = column.evidence.isEmpty && options.types[column.name] == nil
      return ImportPlan.Column(
        name: column.name, content: .field(isBlank ? own ?? type : type))
    }
  }

  /// The names of the columns without values.
  func blanks(_ columns: [InferredColumns.Column]) -> Set<String> {
    Set(columns.filter { $0.evidence.isEmpty && options.types[$0.name] == nil }.map(\.name))
  }

  /// The columns of the files that are left out, and that formulas read.
  func leftOut(of inferred: InferredColumns) -> [InferredColumns.Column] {
    let names = options.formulas.reduce(into: Set<String>()) { $0.formUnion($1.formula.names) }
    return inferred.columns.filter { column in
      names.contains(column.name) && !options.selection.isKept(column.name)
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
  ///
  /// - Parameter blanks: The columns without values.
  func computations(
    of columns: inout [ImportPlan.Column], inputs: [ImportPlan.Column], blanks: Set<String>
  ) throws(ImportError) -> ImportPlan.Computations {
    var computations = ImportPlan.Computations(inputs: inputs)
    guard !options.formulas.isEmpty else { return computations }
    for name in options.formulas.map(\.name) where !columns.contains(where: { $0.name == name }) {
      columns.append(
        .init(name: name, content: .unboundFormula, isRequired: name == options.primaryKey))
    }
    let read = columns.filter { !$0.isComputed } + inputs
    for (name, formula) in options.formulas.map({ ($0.name, $0.formula) }) {
      guard let index = columns.firstIndex(where: { $0.name == name }), columns[index].isComputed,
        columns.count(where: { $0.name == name }) == 1
      else {
        throw ImportError(
          .usage, message: "\(option: .formulas, name): `\(name)` is not a column of values")
      }
      let bound: BoundFormula
      do throws(PredicateError) { bound = try Self.bound(formula, to: read, blanks) } catch {
        throw ImportError(.usage, message: "\(option: .formulas, name): \(error.message)")
      }
      let type = try type(of: bound, for: name)
      columns[index] = .init(
        name: name, content: .formula(type), isRequired: columns[index].isRequired)
      computations.formulas.append((name, bound))
    }
    return computations
  }

  /// Binds a formula to columns. Those without values get a type that fits, if theirs does not.
  private static func bound(
    _ formula: Formula, to columns: [ImportPlan.Column], _ blanks: Set<String>
  ) throws(PredicateError) -> BoundFormula {
    let blanks = blanks.intersection(formula.names)
    do throws(PredicateError) { return try formula.bound(to: schema(columns)) } catch {
      for type in blanks.isEmpty ? [] : [ValueType.int, .date, .bool] {
        if let bound = try? formula.bound(to: schema(columns, typing: blanks, as: type)) {
          return bound
        }
      }
      throw error
    }
  }

  /// Returns the type of a computed property: that of the class, if it has the property.
  private func type(
    of formula: BoundFormula, for name: String
  ) throws(ImportError) -> ValueType {
    if let own = existing?.schema.column(named: name) {
      let isNumber = { (type: ValueType) in [.int, .double, .float].contains(type) }
      guard let type = formula.type, type != own.type, !(isNumber(type) && isNumber(own.type))
      else { return own.type }
      if own.type == .string, options.declaredClass == nil, try isRetyped(own, to: type) {
        return type
      }
      throw ImportError(
        .usage,
        message: "\(option: .formulas, name): `\(name)` of the class \(className) is of type "
          + "\(own.typeText), and the formula of type \(type.name); cast(… AS …) converts it")
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

  /// The columns as those of a class, which formulas are bound to, some of them with another type.
  private static func schema(
    _ columns: [ImportPlan.Column], typing names: Set<String> = [], as type: ValueType = .string
  ) -> TableSchema {
    TableSchema(
      id: 0, name: "the import",
      columns: columns.enumerated().map { position, column in
        ColumnSchema(
          id: UInt16(clamping: position), name: column.name,
          type: names.contains(column.name) ? type : column.valueType,
          isOptional: true, isIndexed: false, isPrimaryKey: false, position: position)
      })
  }
}
