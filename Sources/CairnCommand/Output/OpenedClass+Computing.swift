import CairnQuery
import CairnStorage
import CairnValues

/// Columns that a query computes beside those of the class.
extension OpenedClass {
  /// The class with the measures of its geometry as columns, for conditions, orders, groups and
  /// figures. The rows of a database have none, because the server selects them.
  func measuring() -> OpenedClass {
    remote == nil ? computing { $0.measuring() } : self
  }

  /// The class with the formulas of lists of columns as further columns: `FORMULA AS NAME`, or a
  /// formula, whose name is then its text.
  ///
  /// - Parameters:
  ///   - option: The option with the lists.
  ///   - onlyNamed: Whether only formulas with a name become columns. Those that name what only the
  ///     output has, such as the distance, then do not.
  /// - Throws: A failure for a formula that does not fit the class.
  func computing(
    formulasOf lists: [String], option: String, onlyNamed: Bool = false
  ) throws -> OpenedClass {
    let schema = table.schema
    var found: [(name: String, formula: BoundFormula)] = []
    var failure: Failure?
    _ = try? ColumnList.items(lists) { text -> Void? in
      if schema.column(qualified: text) != nil || GroupFunction.parse(text) != nil { return () }
      let whole = onlyNamed ? nil : (try? Formula(parsing: text)).map { ($0, text) }
      guard let (formula, name) = ComputedColumn.formula(text) ?? whole,
        !formula.isName || name != text
      else { return text.contains(",") ? nil : () }
      do { found.append((name, try bound(formula))) } catch {
        failure = failure ?? Failure(error)
      }
      return ()
    } unknown: {
      ColumnList.unknown($0, in: schema, option: option, others: [])
    }
    if onlyNamed {
      found.removeAll { schema.property(named: $0.name) != nil }
    } else if let failure {
      throw failure
    }
    for (name, _) in found where schema.property(named: name) != nil {
      throw Failure(
        .usage,
        message: "\(option): '\(schema.name)' has a column '\(name)'; give the formula another name"
      )
    }
    if found.isEmpty { return self }
    return computing { table in
      table.computing(found.map { table.computation($0.name, of: $0.formula) })
    }
  }

  /// The class with the formulas that a predicate compares as further columns.
  func computing(formulasOf predicate: Predicate) throws -> OpenedClass {
    if predicate.formulas.isEmpty { return self }
    guard remote == nil else {
      throw Failure(
        .usage,
        message:
          "'\(predicate.formulas[0])' is a formula, which a condition on a database cannot have"
      )
    }
    let formulas = try predicate.formulas.map { text in
      (text, try bound(Formula(parsing: text)))
    }
    return computing { table in
      table.computing(formulas.map { table.computation($0.0, of: $0.1) })
    }
  }

  /// Binds a formula whose values a column can hold: locations and geometries would need an index.
  private func bound(_ formula: Formula) throws -> BoundFormula {
    let bound = try formula.bound(to: schema)
    if let type = bound.type, type == .point || type.isGeometry {
      throw Failure(
        .usage,
        message: "'\(formula.text)' is a \(type.name); name the column itself instead of a formula")
    }
    return bound
  }

  /// The column of an item of a list: a column of the class, or a formula with its name.
  func column(_ text: String) -> ColumnSchema? {
    schema.column(qualified: text)
      ?? ComputedColumn.formula(text).flatMap { schema.column(named: $0.name) }
  }

  /// Throws the first error of the computed columns that were read.
  func requireComputed() throws { try table.requireComputed() }

  private func computing(_ change: (Table) -> Table) -> OpenedClass {
    var opened = OpenedClass(store: store, snapshot: snapshot, table: change(table))
    opened.remote = remote
    return opened
  }
}
