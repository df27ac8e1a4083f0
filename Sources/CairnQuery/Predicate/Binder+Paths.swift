import CairnStorage
import CairnValues

extension Binder {
  /// The property that a path leads to.
  func column(_ path: PropertyPath, isOperand: Bool = false) throws(PredicateError) -> ColumnSchema
  {
    let names = path.components.compactMap { component in
      if case .property(let name) = component { name } else { nil }
    }
    func failure(_ kind: PredicateError.Kind, _ message: String) -> PredicateError {
      isOperand ? operandError(kind, message) : pathError(kind, message)
    }
    guard let column = schema.column(named: names[0]) else {
      throw failure(.unknownProperty, unknown(names))
    }
    if path.components.count > 1 {
      throw failure(
        .unsupported,
        column.type == .link || column.type == .embedded
          ? "'\(PropertyName.text(of: path))' goes through a link; links cannot be followed yet."
          : "'\(PropertyName.text(of: path))' goes through \(column.words), which is no link."
      )
    }
    guard column.collection == .none, column.type != .mixed else {
      let what = column.collection == .none ? "holds mixed values" : "is a collection"
      throw failure(.unsupported, "Property '\(column.name)' \(what), which cannot be asked yet.")
    }
    return column
  }

  private func unknown(_ names: [String]) -> String {
    let whole = names.joined(separator: ".")
    if names.count > 1, schema.column(named: whole) != nil {
      return
        "Property '\(names[0])' not found in object of type '\(schema.name)'. "
        + "For the property '\(whole)' write `\(whole)` in backquotes."
    }
    let all = schema.properties.map(\.name)
    let message = "Property '\(names[0])' not found in object of type '\(schema.name)'."
    if let nearest = NearestName.of(names[0], among: all) {
      return "\(message) Did you mean '\(nearest)'?"
    }
    let shown = all.prefix(12).map { "'\($0)'" }.joined(separator: ", ")
    return "\(message) There are \(shown)\(all.count > 12 ? " and \(all.count - 12) more" : "")."
  }
}
