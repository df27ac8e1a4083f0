import CairnGeometry
import CairnIO
import CairnQuery
import CairnRequest
import CairnStorage
import CairnValues

/// The work of `dissolve`: one row for each group, with the shape that its geometries make together.
struct Dissolve: ComputedRows {
  /// The class, with the rows of a database.
  let source: OpenedClass
  private let request: QueryRequest
  private let grouping: Grouping
  /// The columns that are added up.
  private let summed: [ColumnSchema]
  /// The column of the locations or geometries.
  private let spatial: ColumnSchema
  private let aggregate: GeometryAggregate
  /// The order of the rows of each group, as far as it matters.
  private let order: [SortKey]

  init(
    _ arguments: RowArguments, by keys: [String], of sums: [String],
    as aggregate: GeometryAggregate,
    order: [String], mode: Store.Mode
  ) throws {
    let described = try OpenedClass(describing: arguments, mode: mode).measuring()
      .computing(formulasOf: keys + sums)
    var needs = RowNeeds()
    needs.needsLocation = true
    needs.texts = keys + sums + order
    request = try QueryRequest(described, arguments).fetched(needs)
    source = request.source
    let geometry = arguments.area.geometry
    grouping = try Grouping(keys, in: nil, of: source, geometry: geometry)
    spatial = try source.location(named: geometry, option: "--geometry")
    summed = try ColumnList.columns(sums, of: source, option: "--of")
    if let other = summed.first(where: { !$0.type.isNumeric }) {
      throw Failure(
        .usage, message: "--of adds up numbers, and '\(other.title)' is a \(other.typeText)")
    }
    self.aggregate = aggregate
    self.order =
      try Order(
        request, sort: order, limit: nil, computed: [], source: source
      ).stored ?? []
  }

  /// The subject of a map.
  var subject: MapSubject { request.subject }

  /// The columns of the output: the keys, the number of rows, the sums and the shape.
  var columns: [OutputColumn] {
    let keys = grouping.keys.map { ($0.name, $0.type) }
    let sums = summed.map { ($0.title, $0.type == .int ? ValueType.int : .double) }
    let all =
      keys + [(keys.contains { $0.0 == "count" } ? "rows" : "count", .int)] + sums
      + [(spatial.name, .geometry)]
    return all.enumerated().map { index, column in
      OutputColumn(name: column.0, type: column.1, source: .given(index))
    }
  }

  /// No column of the rows is one of the class.
  func origin(_ column: OutputColumn) -> ColumnSchema? { nil }

  /// Writes the rows, in the order of the keys.
  func write(to writer: RowWriter, _ progress: any ProgressReporter) throws {
    try writer.write(rows(progress))
  }

  private func rows(_ progress: any ProgressReporter) throws -> [[Value]] {
    let groups = try request.execution().groups(
      by: grouping.keys.map(\.key), summarising: summed.map(\.name), collecting: spatial.name)
    try source.requireComputed()
    let shapes = try self.shapes(groups) { count in
      // The process ends as soon as a new store is removed.
      if Interruption.isPending { throw CancellationError() }
      progress.show(WorkProgress(phase: "joining", rows: count))
    }
    progress.clear()
    return try zip(groups, shapes).map { group, shape in
      let sums = try zip(summed, group.summaries).map { column, summary in
        if case .int = summary.sum, column.type == .int { return summary.sum }
        guard column.type != .int else {
          throw Failure(
            .badData,
            message: "the sum of '\(column.title)' does not fit in 64 bits: "
              + "\(summary.sum.plainText)")
        }
        return summary.sum.doubleValue.map { .double($0) } ?? .null
      }
      return named(group.values) + [.int(Int64(group.count))] + sums
        + [shape.map { .geometry($0.bytes) } ?? .null]
    }
  }

  private func shapes(
    _ groups: [Group], progress: (Int) throws -> Void
  ) throws -> [Geometry?] {
    let keys = try sorted(groups.map { $0.summaries.last?.keys ?? [] })
    do {
      return try GroupShapes(aggregate, of: source.table.column(spatial.position))
        .shapes(of: keys, progress: progress)
    } catch let error as GroupShapes.GroupFailure {
      let values = named(groups[error.group].values).map { ValueText.text($0) }
      let place = values.isEmpty ? "" : "the group \(values.joined(separator: ", ")): "
      throw Failure(.badData, message: "\(place)\(error.cause.message)")
    }
  }

  /// The rows of each group in the order of `--order`.
  private func sorted(_ groups: [[Int]]) throws -> [[Int]] {
    guard aggregate.isOrdered, !order.isEmpty else { return groups }
    var query = source.query
    query.sort = order
    var places: [Int: Int] = [:]
    for (place, key) in try request.execution(query).keys().enumerated() { places[key] = place }
    return groups.map { $0.sorted { places[$0, default: 0] < places[$1, default: 0] } }
  }

  /// The values of a group, in which cells have their names.
  private func named(_ values: [Value]) -> [Value] {
    zip(grouping.keys, values).map { key, value in
      guard let grid = key.grid, case .int(let code) = value else { return value }
      return .string(grid.name(of: code))
    }
  }
}
