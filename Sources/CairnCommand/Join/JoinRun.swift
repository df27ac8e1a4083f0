import CairnGeometry
import CairnIO
import CairnPostgres
import CairnQuery
import CairnRequest
import CairnSQL
import CairnStorage
import CairnValues

/// The work of `join`: pairs the rows of two classes, and writes the pairs, their groups or the
/// query plan, or makes a class of them.
struct JoinRun {
  private let options: JoinOptions
  private let sides: JoinSides
  private let query: JoinQuery
  private let execution: JoinExecution

  /// - Parameter target: The class that is made of the pairs; nil if they are printed.
  init(_ options: JoinOptions, into target: NewClass? = nil) throws {
    self.options = options
    let references = try options.classes.references(condition: options.predicate)
    let condition = try RowArguments.text(references.condition)
    let (left, right) = try Self.classes(
      references.left, references.right, options, condition: condition, into: target)
    let names = try options.names(
      left: left.schema.name, right: right.schema.name, areSame: left.snapshot === right.snapshot,
      hasCondition: condition != nil)
    let sides = JoinSides(
      left: JoinSides.Side(name: names.left, source: left),
      right: JoinSides.Side(name: names.right, source: right),
      hasDistance: options.on.measuresDistance)
    let conditions = try condition.map { try JoinConditions($0, of: sides) } ?? JoinConditions()
    func input(_ side: JoinQuery.Side, predicate: Predicate) throws -> JoinQuery.Input {
      JoinQuery.Input(
        table: sides[side].source.schema.name, predicate: predicate,
        path: try options.on.relation.map { _ in try sides.geometry(side, among: options.geometry) }
      )
    }
    self.sides = sides
    query = JoinQuery(
      left: try input(.left, predicate: conditions.left),
      right: try input(.right, predicate: conditions.right),
      on: try Self.condition(options, of: sides),
      where: conditions.comparisons, isOuter: options.outer)
    execution = try JoinExecution(
      query, left: sides.left.source.table, right: sides.right.source.table)
  }

  private static func condition(
    _ options: JoinOptions, of sides: JoinSides
  ) throws -> JoinQuery.Condition {
    switch options.on {
    case .place(let relation): options.condition(relation)
    case .equal(let text): .equal(try JoinConditions.equalities(text, of: sides))
    }
  }

  private static func classes(
    _ left: ClassReference, _ right: ClassReference, _ options: JoinOptions, condition: String?,
    into target: NewClass?
  ) throws -> (left: OpenedClass, right: OpenedClass) {
    if case .database(let url) = left.container {
      let needs = RowNeeds(options, condition: condition)
      return try ClassReference.database(url, leavingOut: options.reading.leavesOut).classes(
        left.className ?? "", right.className ?? "", hasKeys: needs.needsKey,
        columns: needs.columns)
    }
    if options.reading.leavesOut { try left.requireDatabase() }
    let (left, right) = try left.open(
      with: right, into: target, untrusted: options.checking.untrusted)
    return (left.measuring(), right.measuring())
  }

  /// Prints the pairs as a statement for an engine.
  func writeStatement(_ dialect: SQLDialect) throws {
    try JoinStatement(
      query, of: sides, dialect: dialect, style: options.exact ? .exact : .idiomatic
    ).write(columns: options.select)
  }

  /// Writes the result to a file, or to standard output for nil and `-`.
  func write(_ format: OutputFormat, to path: String?) throws {
    try sides.left.source.rejectOutput(to: path)
    let groups = try self.groups(format)
    let pairs = try groups == nil ? pairColumns(needsLocation: format.needsLocation) : nil
    let columns = groups?.columns ?? pairs?.columns ?? []
    let order = try Order(groups, of: sides, options)
    try options.picture.check(format, columns: columns)
    let system = try options.crs.map {
      try RowQuery.system($0, columns: columns, format: format)
    }
    let target = try OutputTarget(
      path, format: options.explain ? nil : format, holding: sides.left.source.snapshot)
    if options.explain {
      let text = PrintableText.escaped(try execution.explain(), keeping: ["\n"])
      try sides.requireComputed()
      target.sink.append(text.hasSuffix("\n") ? text : text + "\n")
      return try target.finish()
    }
    var style = Display(target.descriptor).style
    style.picture.title =
      options.on.relation == nil
      ? options.on.text : "\(sides.left.name) \(options.on.text) \(sides.right.name)"
    style.picture.colour = options.picture.colourBy
    style.picture.size = options.picture.sizeBy
    let writer = try RowWriter(
      format, columns: columns, in: system, measuringOn: ColumnChoice.ellipsoid(for: columns),
      style: style, with: OutputTarget.writers, to: target.sink)
    if let groups { try write(groups, by: order, to: writer) }
    let screens = TableScreens(limit: limit, format: format, target: target)
    let count = try pairs.map {
      try write(
        $0, by: order, to: writer, limit: screens.limit, maxRows: screens.maxRows,
        isRounded: format.isForPeople)
    }
    try writer.finish()
    writer.noteOmittedColumns()
    try target.finish()
    if let count, count > writer.rowCount {
      Console.printMessage(TableScreens.note(writer.rowCount, of: count))
    }
  }

  /// Writes the result into a new class.
  func write(into target: NewClass) throws {
    let groups = try self.groups(.jsonl)
    let pairs = try groups == nil ? pairColumns(needsLocation: false) : nil
    let columns = sides.namedForClass(groups?.columns ?? pairs?.columns ?? [])
    let order = try Order(groups, of: sides, options)
    try target.fill(
      columns, from: origin, hasKey: false, progress: SilentProgress(hasSummary: true)
    ) { writer in
      if let groups { try write(groups, by: order, to: writer) }
      if let pairs {
        _ = try write(
          pairs, by: order, to: writer, limit: limit, maxRows: .max, isRounded: false)
      }
    }
  }

  /// The column of a class that an output column shows unchanged.
  private func origin(_ column: OutputColumn) -> ColumnSchema? {
    guard case .stored(let position) = column.source else { return nil }
    let origin = (column.table == 0 ? sides.left : sides.right).source.schema.columns[position]
    if origin.isHidden { return nil }
    return options.outer && column.table == 1 ? origin.changed(isOptional: true) : origin
  }

  private func pairColumns(needsLocation: Bool) throws -> PairColumns {
    var chosen = try sides.columns(options.select, needsLocation: needsLocation)
    chosen.columns = try sides.adding(options.picture.columns, to: chosen.columns)
    return chosen
  }

  /// The groups of `--by`; nil without it. Formats that need a location have that of the class of the
  /// first key as a further one.
  private func groups(_ format: OutputFormat) throws -> JoinGroups? {
    guard !options.by.isEmpty else { return nil }
    var by = try sides.properties(options.by, option: "--by")
    if format.needsLocation, !by.contains(where: \.column.isSpatial) {
      let side = by[0].property.side
      let name = try sides[side].source.location(for: "which the format needs").name
      by += try sides.properties(["\(sides[side].name).\(name)"], option: "--by")
    }
    return try JoinGroups(
      by: by, of: try sides.properties(options.of, option: "--of"),
      left: options.outer ? (query.left, sides.left.source.table) : nil)
  }

  /// The most rows to print; nil for all.
  private var limit: Int? { options.on.relation == .nearest ? nil : options.limit }

  /// The order of `--sort`, which is checked before anything is written.
  private struct Order {
    var ofPairs: [JoinExecution.SortKey] = []
    var ofGroups: [RowSortKey] = []

    init(_ groups: JoinGroups?, of sides: JoinSides, _ options: JoinOptions) throws {
      if let groups {
        ofGroups = try RowSortKey.list(options.sort, of: groups.columns.map(\.name))
      } else {
        ofPairs = try sides.sortKeys(options.sort, selected: options.select)
      }
    }
  }

  private func write(_ groups: JoinGroups, by order: Order, to writer: RowWriter) throws {
    let rows = try groups.rows(execution, sortedBy: order.ofGroups)
    try sides.requireComputed()
    try writer.write(Array(rows.prefix(limit ?? .max)))
  }

  /// Writes the pairs up to two limits.
  ///
  /// - Returns: The number of pairs up to the first limit.
  private func write(
    _ columns: PairColumns, by order: Order, to writer: RowWriter, limit: Int?, maxRows: Int,
    isRounded: Bool
  ) throws -> Int {
    let pairs = try execution.pairs(sortedBy: order.ofPairs).prefix(limit ?? .max)
    try sides.requireComputed()
    let (left, right) = (sides.left.source.table, sides.right.source.table)
    let edges = options.distanceEdges
    func distance(_ pair: JoinPair) -> Double? {
      pair.right == nil ? nil : DistanceReader.number(pair.radians, edges: edges)
    }
    let values = PairValues(columns.computed, of: sides, distance: distance)
    let shown = pairs.prefix(maxRows)
    for start in stride(from: shown.startIndex, to: shown.endIndex, by: values.batchSize) {
      let batch = shown[start..<min(shown.endIndex, start + values.batchSize)]
      try values.compute(batch)
      for (row, pair) in batch.enumerated() {
        try writer.write(
          TableRow(pair.left, of: left), and: pair.right.map { TableRow($0, of: right) }
        ) { index in
          index > 0
            ? values.value(index - 1, row: row)
            : DistanceColumn.value(distance(pair), edges: edges, isRounded: isRounded)
        }
      }
    }
    return pairs.count
  }
}

/// The groups of a join: a row for each group, with the number of its pairs and the figures of the
/// summarised columns.
struct JoinGroups {
  private let by: [JoinSides.Property]
  private let of: [JoinSides.Property]
  /// The left rows, if rows without a partner have groups too; otherwise nil.
  private let left: (input: JoinQuery.Input, table: Table)?

  /// - Throws: A usage failure if a key is not one of the left class, whose rows without a partner
  ///   have no value of the right one.
  init(
    by: [JoinSides.Property], of: [JoinSides.Property],
    left: (input: JoinQuery.Input, table: Table)?
  ) throws {
    if left != nil, let other = by.first(where: { $0.property.side == .right }) {
      throw Failure(
        .usage,
        message: "--outer with --by groups by columns of the left class, "
          + "and '\(other.name)' is one of the right class")
    }
    self.by = by
    self.of = of
    self.left = left
  }

  /// The columns of the rows. With several summarised columns, the figures have their names in
  /// front.
  var columns: [OutputColumn] {
    let figures = of.flatMap { property -> [(String, ValueType)] in
      let type = property.column.type.isNumeric ? ValueType.double : .string
      return ["sum", "min", "max", "avg"].map {
        (of.count == 1 ? $0 : "\(property.name).\($0)", type)
      }
    }
    let all = by.map { ($0.name, $0.column.type) } + [("count", .int)] + figures
    return all.enumerated().map { index, column in
      OutputColumn(name: column.0, type: column.1, source: .given(index))
    }
  }

  /// The rows, in the order of the values of the groups or of some columns.
  func rows(_ execution: JoinExecution, sortedBy order: [RowSortKey]) throws -> [[Value]] {
    let pairs = try execution.groups(by: by.map(\.property), summarising: of.map(\.property))
    var rows = pairs.map { group in
      group.values + [.int(Int64(group.count))]
        + group.summaries.flatMap { [$0.sum, $0.minimum, $0.maximum, $0.average] }
    }
    if let left { rows = try adding(keys(left.input, left.table), to: rows) }
    if order.isEmpty { return rows }
    return rows.map { (RowSortKey.values(order, of: $0), $0) }
      .sorted { RowSortKey.precedes(order, $0.0, $1.0) }.map(\.1)
  }

  /// The values of the groups of all left rows, in order.
  private func keys(_ input: JoinQuery.Input, _ table: Table) throws -> [[Value]] {
    let query = TableQuery(table: input.table, predicate: input.predicate)
    return try Execution(query, on: table)
      .groups(by: by.map { GroupKey($0.property.name) }).map(\.values)
  }

  /// The rows in the order of all groups, with a count of 0 for those without a pair.
  private func adding(_ keys: [[Value]], to rows: [[Value]]) -> [[Value]] {
    var known = Dictionary(
      rows.map { (Array($0.prefix(by.count)), $0) }, uniquingKeysWith: { first, _ in first })
    // As in `stats`, the sum of no numbers is 0.
    let figures = of.flatMap { property -> [Value] in
      [property.column.type.isNumeric ? .int(0) : .null, .null, .null, .null]
    }
    return keys.map { known.removeValue(forKey: $0) ?? $0 + [.int(0)] + figures }
  }
}

extension RowNeeds {
  /// The needs of `join`.
  fileprivate init(_ join: JoinOptions, condition: String?) {
    isAll = join.by.isEmpty && (join.select.isEmpty || join.select.contains { $0.contains("*") })
    needsLocation = join.on.relation != nil
    // The nearest of two rows at the same distance is the one with the smaller key.
    needsKey = join.on.relation == .nearest
    texts = [join.on.text] + join.select + join.by + join.of + join.sort + join.geometry
    if let condition { texts.append(condition) }
  }
}
