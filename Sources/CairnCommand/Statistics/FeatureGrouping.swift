import CairnGeometry
import CairnQuery
import CairnRequest
import CairnStorage

/// Groups of rows by properties of the features that they lie in, meet or contain: `--within FILE
/// --by NAME`. A row is in the groups of all such features.
struct FeatureGrouping {
  /// The properties that groups are made by, of the class or of the features.
  let columns: [ColumnSchema]
  private let properties: [JoinExecution.Property]
  private let execution: JoinExecution
  private let source: OpenedClass
  private let features: OpenedClass

  /// - Returns: Nil if the class itself has all the keys of `--by`, or no option names a file.
  /// - Throws: A usage failure for a key that both the class and the features have; `City.name` and
  ///   `zones.name` tell them apart.
  init?(
    _ source: OpenedClass, _ arguments: RowArguments, grouping: GroupingOptions
  ) throws {
    guard !grouping.by.isEmpty, let area = FeatureArea(arguments.area) else { return nil }
    let repairs = area.options.allowances.contains(.repairing)
    let selection = FeatureSelection(allOf: area.argument, layer: area.options.layer)
    if (try? Grouping(grouping, of: source, geometry: area.options.geometry)) != nil {
      // Standard input can only be read once, for the area.
      guard area.argument != "-",
        let features = try? selection.opened(repairing: repairs)
      else { return nil }
      try FeatureKeys(source.schema, features.schema, area).requireClear(grouping.by)
      return nil
    }
    let predicate = try selection.predicate()
    let features = try selection.opened(repairing: repairs).measuring()
      .computing(formulasOf: predicate)
    let keys = FeatureKeys(source.schema, features.schema, area)
    let found = try keys.resolve(grouping.by)
    columns = found.map { $0.column.changed(name: $0.title) }
    properties = found.map { JoinExecution.Property($0.side, name: $0.column.name) }
    let request = try QueryRequest(source, arguments, omitting: area.option)
    let location = try source.location(named: area.options.geometry, option: "--geometry")
    let query = JoinQuery(
      left: JoinQuery.Input(
        table: source.schema.name, predicate: request.predicate, path: PropertyPath(location.name)),
      right: JoinQuery.Input(
        table: features.schema.name, predicate: predicate,
        path: PropertyPath(try features.location().name)),
      on: .relation(area.relation, edges: area.options.edges ?? .planar))
    execution = try JoinExecution(query, left: request.source.table, right: features.table)
    (self.source, self.features) = (request.source, features)
  }

  /// The groups, with summaries of properties of the class.
  func groups(summarising columns: [ColumnSchema], figures: SummaryFigures) throws -> [Group] {
    let groups = try execution.groups(
      by: properties, summarising: columns.map { JoinExecution.Property(.left, name: $0.name) },
      figures: figures)
    try source.requireComputed()
    try features.requireComputed()
    return groups
  }
}

/// The keys of `--by` that are columns of the class or of the features of a file.
private struct FeatureKeys {
  /// A key: its column, and the name as written.
  struct Key {
    let side: JoinQuery.Side
    let column: ColumnSchema
    let title: String
  }

  private let own: TableSchema
  private let features: TableSchema
  /// The names that may precede a property of the features, other than that of the class: the name
  /// of the file without its extension, that of the layer, and that of the file.
  private let names: [String]

  init(_ own: TableSchema, _ features: TableSchema, _ area: FeatureArea) {
    self.own = own
    self.features = features
    let file = area.argument.split(separator: "/").last.map(String.init) ?? area.argument
    let stem = file.split(separator: ".").first.map(String.init) ?? file
    names = [stem, features.name, file].filter { $0 != own.name }
  }

  private func key(_ title: String) -> Key? {
    if let column = own.column(qualified: title) {
      return Key(side: .left, column: column, title: title)
    }
    return featureColumn(title).map { Key(side: .right, column: $0, title: title) }
  }

  private func featureColumn(_ title: String) -> ColumnSchema? {
    if let column = features.column(named: title) { return column }
    for name in names where title.hasPrefix("\(name).") {
      if let column = features.column(named: String(title.dropFirst(name.count + 1))) {
        return column
      }
    }
    return nil
  }

  func resolve(_ lists: [String]) throws -> [Key] {
    try requireClear(lists)
    return try ColumnList.items(
      lists, of: own, option: "--by", others: features.properties.map(\.name), resolve: key)
  }

  /// Throws if a key is a column of both.
  func requireClear(_ lists: [String]) throws {
    var shared: String?
    _ = try ColumnList.items(
      lists, of: own, option: "--by", others: features.properties.map(\.name)
    ) { title -> String? in
      guard key(title) != nil else { return GroupFunction.parse(title) == nil ? nil : title }
      if own.column(named: title) != nil, features.column(named: title) != nil { shared = title }
      return title
    }
    guard let shared else { return }
    let other = names.first ?? "FILE"
    throw Failure(
      .usage,
      message: "--by: '\(shared)' is a column of \(own.name) and of \(other); write "
        + "'\(own.name).\(shared)' or '\(other).\(shared)'")
  }
}

/// The first option that relates rows to the features of a file.
private struct FeatureArea {
  let options: AreaArguments
  let option: String
  let relation: SpatialRelation
  let argument: String

  init?(_ options: AreaArguments) {
    let found = options.relations.first { _, _, argument in
      argument == "-" || System.exists(argument) || FeatureSelection(argument) != nil
    }
    guard let found else { return nil }
    self.options = options
    (option, relation, argument) = found
  }
}
