import CairnQuery
import CairnRequest
import CairnStorage
import CairnValues

/// Columns that a query computes beside those of the class.
extension OpenedClass {
  /// The class with the measures of its geometry as columns, for conditions, orders, groups and
  /// figures. The rows of a database have none, because the server selects them.
  func measuring() -> OpenedClass {
    backend.holdsAllRows ? with(table.measuring()) : self
  }

  /// The class with the formulas in lists of columns as further columns, which `column` finds.
  ///
  /// - Throws: A failure for a formula that does not fit the class.
  func computing(formulasOf lists: [String]) throws -> OpenedClass {
    let formulas = formulaItems(lists) { try? Formula(parsing: $0) }
    return try computing(formulas.map { (FormulaName.name($0.text), $0.formula) })
  }

  /// The class with the named formulas of `--select` as further columns, which conditions refer to by
  /// their names. Formulas that name what only the output has, such as the distance, are left out, and
  /// those with the name of a column.
  func computing(namesOf lists: [String]) -> OpenedClass {
    let formulas = formulaItems(lists) { _ in nil }.compactMap { item -> (String, Formula)? in
      guard let name = ComputedColumn.split(item.text)?.name, schema.column(named: name) == nil,
        (try? bound(item.formula)) != nil
      else { return nil }
      return (name, item.formula)
    }
    return (try? computing(formulas)) ?? self
  }

  /// The class with the formulas that a predicate compares as further columns.
  func computing(formulasOf predicate: Predicate) throws -> OpenedClass {
    try computing(predicate.formulas.map { (FormulaName.name($0), try Formula(parsing: $0)) })
  }

  /// The column of an item of a list: a column of the class, or one with the values of a formula.
  func column(_ item: String) -> ColumnSchema? {
    schema.column(qualified: item)
      ?? schema.column(named: FormulaName.name(String(item.trimmingSpaces())))
  }

  /// Throws the first error of the computed columns that were read.
  func requireComputed() throws {
    do { try table.requireComputed() } catch let error as FormulaError {
      throw Failure(.badData, message: "\(error.message), in \(table.name(ofRow: error.key))")
    }
  }

  /// The items of lists that are formulas: `FORMULA AS NAME`, or what `parse` returns a formula for.
  private func formulaItems(
    _ lists: [String], parse: (String) -> Formula?
  ) -> [(text: String, formula: Formula)] {
    func formula(_ item: String) -> Formula? {
      if schema.column(qualified: item) != nil || GroupFunction.parse(item) != nil { return nil }
      if let named = ComputedColumn.split(item) { return try? Formula(parsing: named.formula) }
      return parse(item).flatMap { $0.isName ? nil : $0 }
    }
    // The items that are anything else are resolved later; they end at the next comma here, too.
    let items = try? ColumnList.items(lists) { text -> String? in
      let item = String(text.trimmingSpaces())
      let isWhole = !text.contains(",") || schema.column(qualified: item) != nil
      return isWhole || GroupFunction.parse(item) != nil || formula(item) != nil ? item : nil
    } unknown: {
      ColumnList.unknown($0, in: schema, option: "", others: [])
    }
    return (items ?? []).compactMap { item in formula(item).map { (item, $0) } }
  }

  private func computing(_ formulas: [(name: String, formula: Formula)]) throws -> OpenedClass {
    var columns: [(name: String, formula: BoundFormula)] = []
    for (name, formula) in formulas {
      let isKnown = schema.column(named: name) != nil || columns.contains { $0.name == name }
      if !isKnown { columns.append((name, try bound(formula))) }
    }
    if columns.isEmpty { return self }
    guard backend.holdsAllRows else {
      let shown = FormulaName.text(of: columns[0].name) ?? columns[0].name
      throw Failure(.usage, message: "'\(shown)' is a formula, which a database does not compute")
    }
    return with(
      table.computing(columns.map { table.computation($0.name, of: $0.formula) }))
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
}

extension ColumnSchema {
  /// The title of the column in output: of a formula, the name that it was given, or its text.
  var title: String {
    FormulaName.text(of: name).map { ComputedColumn.split($0)?.name ?? $0 } ?? name
  }
}
