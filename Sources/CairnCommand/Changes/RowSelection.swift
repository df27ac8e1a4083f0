import ArgumentParser
import CairnQuery
import CairnRequest
import CairnStorage

/// The rows that `delete` and `update` change: those that meet a predicate and lie in areas.
struct RowSelection {
  /// The class before the change.
  let source: OpenedClass
  private let request: QueryRequest

  /// Opens the store for writing, and reads the conditions before the transaction begins.
  init(_ arguments: RowArguments) throws {
    _ = try arguments.reference.requireStore()
    source = try OpenedClass(describing: arguments, mode: .readWrite).measuring()
    request = try QueryRequest(source, arguments)
  }

  /// Throws unless the rows are given either by conditions or by `--all`.
  static func validate(_ target: TargetArguments, area: AreaOptions, all: Bool) throws {
    try area.requireRadius()
    // The run reports a wrong name of a class.
    guard let arguments = try? target.arguments(area) else { return }
    let hasConditions = !arguments.isEmpty
    if all, hasConditions {
      throw ValidationError("--all means every row; leave out either --all or the conditions")
    }
    if !all, !hasConditions {
      throw ValidationError("give a condition, an area such as --bbox, or --all for every row")
    }
  }

  /// The class and the keys of its rows in the state that an open transaction begins with, in rising
  /// order.
  func rows() throws -> (source: OpenedClass, keys: [Int]) {
    let current = try OpenedClass(source.store, className: source.schema.name).measuring()
      .computing(formulasOf: request.formulas)
    let query = TableQuery(table: current.schema.name, predicate: request.predicate)
    let keys = try Execution(query, on: current.table).keys()
    try current.requireComputed()
    return (current, keys)
  }

  /// Prints a note if no row matches, but some would with latitude and longitude swapped.
  func noteIfSwapped() throws {
    try SwappedCoordinates(of: request).printNoteIfMatching()
  }
}
