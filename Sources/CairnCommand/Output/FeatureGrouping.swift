import CairnGeometry
import CairnQuery
import CairnStorage

/// Groups of rows by properties of the features that they lie in, meet or contain: `--within FILE
/// --by NAME`. A row is in the groups of all such features.
struct FeatureGrouping {
  /// The properties that groups are made by, of the class or of the features.
  let columns: [ColumnSchema]
  private let properties: [JoinExecution.Property]
  private let execution: JoinExecution

  /// - Returns: Nil if the class itself has all the keys of `--by`, or no option names a file.
  init?(
    _ source: OpenedClass, target: TargetArguments, area: AreaOptions, grouping: GroupingOptions
  ) throws {
    let lists = grouping.by
    let isOwn = (try? Grouping(grouping, of: source, geometry: area.geometry)) != nil
    guard !isOwn, !lists.isEmpty, let area = FeatureArea(area) else { return nil }
    let selection = FeatureSelection(allOf: area.argument, layer: area.options.layer)
    let features = try selection.opened(repairing: area.options.repair)
    let names = features.schema.properties.map(\.name)
    let found = try ColumnList.items(
      lists, of: source.schema, option: "--by", others: names
    ) { name in
      let own = source.schema.column(named: name).map { (JoinQuery.Side.left, $0) }
      return own ?? features.schema.column(named: name).map { (JoinQuery.Side.right, $0) }
    }
    columns = found.map(\.1)
    properties = found.map { JoinExecution.Property($0.0, name: $0.1.name) }
    let request = try QueryRequest(
      source, target: target, area: area.options, omitting: area.option)
    let location = try source.location(named: area.options.geometry, option: "--geometry")
    let query = JoinQuery(
      left: JoinQuery.Input(
        table: source.schema.name, predicate: request.predicate, path: PropertyPath(location.name)),
      right: JoinQuery.Input(
        table: features.schema.name, predicate: try selection.predicate(),
        path: PropertyPath(try features.location().name)),
      on: .relation(area.relation, edges: area.options.edges?.edges ?? .planar))
    execution = try JoinExecution(query, left: source.table, right: features.table)
  }

  /// The groups, with summaries of properties of the class.
  func groups(summarising columns: [ColumnSchema], figures: SummaryFigures) throws -> [Group] {
    try execution.groups(
      by: properties, summarising: columns.map { JoinExecution.Property(.left, name: $0.name) },
      figures: figures)
  }
}

/// The first option that relates rows to the features of a file.
private struct FeatureArea {
  let options: AreaOptions
  let option: String
  let relation: SpatialRelation
  let argument: String

  init?(_ options: AreaOptions) {
    let found = options.relations.first { _, _, argument in
      argument == "-" || System.exists(argument) || FeatureSelection(argument) != nil
    }
    guard let found else { return nil }
    self.options = options
    (option, relation, argument) = found
  }
}
