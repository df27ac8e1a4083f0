import CairnPostgres
import CairnQuery
import CairnStorage

/// The figures of `stats` and `count --by` that a database computes, so that no row travels.
extension OpenedClass {
  /// The groups and their figures, in the order of the values of the groups.
  ///
  /// - Returns: Nil for a class of a file, and if the server cannot compute the figures as Cairn does.
  func remoteGroups(
    _ target: TargetArguments, area: AreaOptions, grouping: Grouping?, columns: [ColumnSchema],
    figures: [Figure]
  ) throws -> [PostgresSource.FigureGroup]? {
    guard let source = remote?.source, let keys = grouping?.columns,
      figures.allSatisfy(Figure.usual.contains)
    else { return nil }
    let area = try area.resolved(in: self)
    let request = try QueryRequest(self, target: target, area: area, advises: false)
    return try source.figures(
      of: columns.map(\.name), by: keys.map(\.name), condition: source.condition(request.condition))
  }
}

extension StatisticsReport {
  /// Writes the figures of each group, from the server of a database if it computes them.
  ///
  /// - Parameter columns: The names of the columns to summarise.
  static func write(
    _ target: TargetArguments, area: AreaOptions, grouping: GroupingOptions,
    columns names: [String] = [], figures: [Figure] = Figure.usual
  ) throws {
    let described = try OpenedClass(describing: target).measuring()
      .computing(formulasOf: grouping.by + names)
    let columns = try ColumnList.columns(names, of: described, option: "--of")
    func report(_ source: OpenedClass) throws -> StatisticsReport {
      try StatisticsReport(
        source, target: target, area: area, grouping: grouping, columns: columns, figures: figures)
    }
    let keys = try? Grouping(grouping, of: described, geometry: area.geometry)
    let groups = try described.remoteGroups(
      target, area: area, grouping: keys, columns: columns, figures: figures)
    if let groups, let keys { return try report(described).write(groups, by: keys) }
    let rows = try described.selected(target, area, RowNeeds(grouping, of: names))
    try report(rows).write()
  }
}
