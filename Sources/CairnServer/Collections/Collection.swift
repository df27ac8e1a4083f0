import CairnQuery
import CairnStorage
import CairnValues

/// A class of the store as a collection of features.
struct Collection {
  let context: RequestContext
  let table: Table

  var schema: TableSchema { table.schema }
  var name: String { schema.name }
  var extent: Extent { context.service.cache.extent(of: table, in: context.state) }

  /// - Throws: A problem that suggests the nearest class if the class does not exist.
  init(_ name: String, context: RequestContext) throws(Problem) {
    let snapshot = context.state.snapshot
    guard let table = snapshot.table(name), !table.schema.isEmbedded else {
      throw .notFound(
        "collection", name: name,
        among: snapshot.schema.tables.filter { !$0.isEmbedded }.map(\.name))
    }
    self.init(table, context: context)
  }

  init(_ table: Table, context: RequestContext) {
    self.context = context
    self.table = table
  }

  /// Prepares a query of the class, which ends at the deadline of the request.
  func execution(_ query: TableQuery) throws -> Execution {
    let execution = try Execution(query, on: table, deadline: context.deadline)
    execution.watch = context.options.watch
    return execution
  }

  /// The number of items that meet a condition.
  func count(_ predicate: Predicate) throws -> Int {
    if predicate.root == .constant(true) { return table.liveCount }
    let execution = try execution(TableQuery(table: name, predicate: predicate))
    return try context.service.cache.count(
      name + "\u{0}" + predicate.description, in: context.state
    ) {
      let count = execution.count()
      try context.deadline.check()
      return count
    }
  }

  /// Returns the column of a property that the client named.
  ///
  /// - Parameters:
  ///   - columns: The columns to choose from.
  ///   - parameter: The parameter that names it.
  func column(
    _ name: String, of columns: [ColumnSchema], parameter: String
  ) throws(Problem) -> ColumnSchema {
    if let column = columns.first(where: { $0.name == name }) { return column }
    let hint = NearestName.of(name, among: columns.map(\.name)).map { "; did you mean '\($0)'?" }
    throw .badRequest("\(parameter): '\(self.name)' has no property '\(name)'\(hint ?? "")")
  }

  /// The URL of the collection.
  var url: String { context.url("collections", name) }
}

extension ColumnSchema {
  /// The type in words, with the kind of collection.
  var typeName: String {
    switch collection {
    case .none: type.name
    case .list: "list of \(type.name)"
    case .set: "set of \(type.name)"
    case .map: "map of \(type.name)"
    }
  }
}
