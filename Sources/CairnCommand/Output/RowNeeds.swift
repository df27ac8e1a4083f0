import CairnGeometry
import CairnIO
import CairnPostgres
import CairnStorage
import CairnValues

/// The columns that a command reads of the rows of a database, so that only these are fetched.
struct RowNeeds {
  /// Whether all columns are printed.
  private var isAll = false
  /// Whether a location is needed that no option names.
  private var needsLocation = false
  /// Whether the rows need their primary key, which breaks ties.
  private(set) var needsKey = false
  /// The texts of the options that may name columns.
  private var texts: [String] = []
  /// The number of rows that are printed, from the first one of the order; nil for all rows.
  private(set) var limit: Int?

  /// The needs of `count`.
  init() {}

  /// The needs of `query` and `export`.
  init(_ rows: RowOptions, format: OutputFormat) {
    isAll = rows.select.isEmpty || rows.select.contains { $0.contains("*") }
    needsLocation = format.needsLocation
    texts = rows.select + rows.sort + rows.distinct + rows.picture.columns.map(\.name)
    if rows.distinct.isEmpty, rows.sample == nil {
      limit = rows.limit.map { $0.addingReportingOverflow(rows.offset) }
        .flatMap { $0.overflow ? nil : $0.partialValue }
    }
  }

  /// The needs of `stats`, and of `count --by`.
  init(_ grouping: GroupingOptions, of columns: [String] = []) {
    // Groups by location or by the features of a file name no location.
    needsLocation = !grouping.by.isEmpty
    texts = grouping.by + columns
  }

  /// The needs of `join`.
  init(_ join: JoinCommand) throws {
    isAll = join.by.isEmpty && (join.select.isEmpty || join.select.contains { $0.contains("*") })
    needsLocation = true
    // The nearest of two rows at the same distance is the one with the smaller key.
    needsKey = join.on == .nearest
    texts = join.select + join.by + join.of + join.sort + join.geometry
    texts += try QueryRequest.text(join.predicate).map { [$0] } ?? []
  }

  /// Adds the columns of a condition, which is decided again here, and the location of areas.
  mutating func add(_ target: TargetArguments, area: AreaOptions) throws {
    if let text = try QueryRequest.text(target.predicate) { texts.append(text) }
    if let name = area.geometry { texts.append(name) }
    let isPlain =
      !area.hasOrigin && area.bbox.isEmpty && area.outside == nil && area.relations.isEmpty
    if !isPlain { needsLocation = true }
  }

  /// The same needs for rows in an order that only this command computes.
  func unlimited() -> RowNeeds {
    var needs = self
    needs.limit = nil
    return needs
  }

  /// The names of the columns; nil for all. A column whose name is a part of an option's text is
  /// fetched too, although the option may mean something else.
  func columns(of table: PostgresTable) -> Set<String>? {
    if isAll { return nil }
    var names = Set(
      table.columns.map(\.name).filter { name in texts.contains { $0.contains(name) } })
    if needsLocation { names.formUnion(table.columns.filter(\.isSpatial).map(\.name)) }
    if needsKey { names.formUnion(table.columns.filter(\.isPrimaryKey).map(\.name)) }
    if isMeasured, let geometry = table.columns.first(where: \.isGeometry) {
      names.insert(geometry.name)
    }
    return names
  }

  /// Whether an option may name a measure, such as `area`, of the first geometry, without the name of
  /// the geometry.
  private var isMeasured: Bool {
    GeometryMeasure.allCases.contains { measure in
      texts.contains { $0.contains(measure.rawValue) }
    }
  }
}

extension PostgresColumn {
  /// Whether the column becomes a property that has measures.
  fileprivate var isGeometry: Bool { type.isGeometry && collection == .none }
}
