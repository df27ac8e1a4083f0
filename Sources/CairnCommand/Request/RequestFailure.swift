import CairnRequest
import CairnStorage
import CairnValues

extension Failure {
  /// The failure for a class that lacks what the conditions of a command line refer to.
  init(_ error: RequestError, of source: OpenedClass) {
    let schema = source.schema
    switch error {
    case .location(let error): self.init(error, of: schema)
    case .noDate:
      self.init(.usage, message: "--datetime: '\(schema.name)' has no date")
    case .noFullText:
      let texts = schema.properties.filter { $0.type == .string && $0.collection == .none }
      let example = texts.first?.name ?? "COLUMN"
      self.init(
        .badData,
        message: "--search: no column of '\(schema.name)' has a full-text index; "
          + (texts.isEmpty
            ? "it has no texts"
            : source.backend.holdsAllRows
              ? "make one with 'cairn index STORE \(schema.name) \(example) --full-text', "
                + "or search without one: \"\(example) TEXT '…'\""
              : "search a column of a database with the condition \"\(example) TEXT '…'\""))
    }
  }

  /// The failure for a class without a location or geometry.
  ///
  /// - Parameters:
  ///   - option: The option that names it.
  ///   - reason: The reason why a location is needed, for a class without one.
  init(
    _ error: SpatialColumnError, of schema: TableSchema, option: String = "--geometry",
    reason: String = "which this query needs"
  ) {
    switch error {
    case .none:
      self.init(.usage, message: "'\(schema.name)' has no location, \(reason)")
    case .otherType(let name):
      self.init(
        .usage, message: "\(option): '\(name)' of '\(schema.name)' is not a location or a geometry")
    case .unknown(let name):
      self.init(
        .usage,
        message: "\(option): '\(schema.name)' has no location or geometry '\(name)'"
          + Hint.text(name, among: schema.spatialColumns.map(\.name)))
    }
  }

  /// The failure for a class that does not exist, with the nearest one.
  init(_ error: UnknownClass) {
    let names = error.schema.tables.map(\.name)
    let hint = Hint.text(error.name, among: names)
    let list = names.isEmpty ? "; it has no classes" : "; it has \(names.joined(separator: ", "))"
    self.init(
      .usage,
      message: "\(error.path) has no class '\(error.name)'\(hint.isEmpty ? list : hint)")
  }
}
