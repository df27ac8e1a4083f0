import CairnIO
import CairnQuery
import CairnRequest
import CairnStorage

/// The two classes of a join, and the names of their columns: `CLASS.column`, or with the names of
/// `--as` instead.
struct JoinSides {
  /// One class, with the prefix of its columns.
  struct Side {
    let name: String
    let source: OpenedClass
  }

  let left: Side
  let right: Side

  /// Whether the distance of a pair is a column.
  let hasDistance: Bool

  /// A name in a list, taken apart.
  struct Name {
    let side: JoinQuery.Side
    /// The rest, after the name of the class.
    let rest: String
  }

  subscript(side: JoinQuery.Side) -> Side { side == .left ? left : right }

  /// Takes `CLASS.column` apart; nil if it does not begin with either name.
  func name(_ text: String) -> Name? {
    let sides: [JoinQuery.Side] = [.left, .right]
    let matching = sides.filter { text.hasPrefix(self[$0].name + ".") }
    // A name may contain dots, so that both can fit.
    let longest = matching.max { self[$0].name.count < self[$1].name.count }
    return longest.map { Name(side: $0, rest: String(text.dropFirst(self[$0].name.count + 1))) }
  }

  /// Throws the first error of the computed columns that were read.
  func requireComputed() throws {
    try left.source.requireComputed()
    try right.source.requireComputed()
  }

  // MARK: Columns of pairs

  /// The columns of `--select`, or all of both classes.
  func columns(_ lists: [String], needsLocation: Bool) throws -> PairColumns {
    var computed: [PairFormula] = []
    var columns = lists.isEmpty ? allColumns + distance : try selected(lists, &computed)
    if left.name == right.name { columns = Self.pairingRepeated(columns) }
    try ColumnChoice.rejectRepeated(columns)
    for (index, column) in columns.enumerated()
    where left.name != right.name && columns[..<index].contains(where: { $0.name == column.name }) {
      throw Failure(.usage, message: "--select gives two columns the name '\(column.name)'")
    }
    if needsLocation, !columns.contains(where: \.isSpatial) {
      let isRight =
        left.source.schema.spatialColumn == nil && !right.source.schema.spatialColumns.isEmpty
      let side = isRight ? right : left
      let location = try side.source.location(for: "which the format needs")
      columns += self.columns("\(side.name).\(location.name)") ?? []
    }
    return PairColumns(columns: columns, computed: computed)
  }

  private func selected(
    _ lists: [String], _ computed: inout [PairFormula]
  ) throws -> [OutputColumn] {
    var failure: PredicateError?
    return try ColumnList.items(lists) { text -> [OutputColumn]? in
      if let columns = columns(text) { return columns }
      do throws(PredicateError) {
        guard let formula = try PairFormula(text, of: self) else { return nil }
        computed.append(formula)
        return [formula.output(computed.count)]
      } catch {
        failure = error
        return nil
      }
    } unknown: { text in
      failure.flatMap { Failure($0) } ?? unknown(text, option: "--select")
    }.flatMap { $0 }
  }

  /// The columns of a class that is joined with itself without other names: the second mention of a
  /// column is that of the right row.
  private static func pairingRepeated(_ columns: [OutputColumn]) -> [OutputColumn] {
    columns.enumerated().map { index, column in
      let isRepeated = columns[..<index].contains { $0.source == column.source }
      return column.named(column.name, table: isRepeated ? 1 : 0)
    }
  }

  private var distance: [OutputColumn] { hasDistance ? [ColumnChoice.distance] : [] }

  private var allColumns: [OutputColumn] {
    [left, right].flatMap { columns("\($0.name).*") ?? [] }
  }

  /// The columns with names for a class of their own: without that of the class in front, unless another
  /// column has the name.
  func namedForClass(_ columns: [OutputColumn]) -> [OutputColumn] {
    var taken: Set<String> = []
    return columns.map { column in
      let found = name(column.name)
      let own = (found?.rest ?? column.name).replacing(".", with: "_")
      let longer = found.map { "\(self[$0.side].name)_\(own)" } ?? own
      let name = taken.contains(own) ? longer : own
      taken.insert(name)
      return column.named(name, table: column.table)
    }
  }

  /// The columns with those that a map shows.
  func adding(
    _ pictured: [(option: String, name: String)], to columns: [OutputColumn]
  ) throws -> [OutputColumn] {
    var columns = columns
    for (option, name) in pictured where !columns.contains(where: { $0.name == name }) {
      guard let found = self.columns(name) else { throw unknown(name, option: option) }
      columns += found
    }
    return columns
  }

  private func columns(_ name: String) -> [OutputColumn]? {
    if let (path, title) = ComputedColumn.split(name),
      let columns = columns(String(path.trimmingSpaces())), columns.count == 1
    {
      return [columns[0].named(title, table: columns[0].table)]
    }
    if name == "*" { return allColumns }
    if hasDistance, name == DistanceColumn.name { return distance }
    guard let found = self.name(name) else { return nil }
    let side = self[found.side]
    return ColumnChoice.columns(found.rest, of: side.source)?.map {
      $0.named("\(side.name).\($0.name)", table: found.side == .left ? 0 : 1)
    }
  }

  /// The failure for a name that is not a column of either class.
  func unknown(_ name: String, option: String) -> Failure {
    if name == DistanceColumn.name {
      return Failure(
        .usage, message: "\(option) distance needs --on distance or --on nearest")
    }
    if let found = self.name(name) {
      let side = self[found.side]
      return ColumnList.unknown(found.rest, in: side.source.schema, option: option, others: [])
    }
    return Failure(.usage, message: "\(option): " + unnamed(name))
  }

  /// The failure for a name that does not begin with the name of a class.
  func unnamed(_ name: String) -> String {
    let owners = [left, right].filter { ColumnChoice.columns(name, of: $0.source) != nil }
    let all = [left, right].flatMap { side in
      side.source.schema.properties.map { "\(side.name).\($0.name)" }
    }
    let nearest = owners.first.map { "\($0.name).\(name)" } ?? Hint.nearest(name, among: all)
    let hint = nearest.map { "; did you mean '\($0)'?" } ?? ""
    return "'\(name)' must begin with \(left.name). or \(right.name).\(hint)"
  }

  // MARK: Sorting

  /// The keys of `--sort`: `CLASS.column`, the title of a column of `--select`, or `distance`,
  /// optionally with `:asc` or `:desc`.
  func sortKeys(_ lists: [String], selected: [String]) throws -> [JoinExecution.SortKey] {
    let items = try? ColumnList.items(
      selected, resolve: { columns($0) != nil || isFormula($0) ? $0 : nil },
      unknown: { unknown($0, option: "--select") })
    let titles = (items ?? []).compactMap(ComputedColumn.split)
    let computed = (items ?? []).filter { columns($0) == nil }.compactMap(ComputedColumn.split)
    return try ColumnList.items(
      lists,
      resolve: { text -> JoinExecution.SortKey? in
        let name = String(text.prefix { $0 != ":" })
        guard let title = titles.first(where: { $0.name == name }) else { return sortKey(text) }
        return sortKey("\(title.formula.trimmingSpaces())\(text.dropFirst(name.count))")
      },
      unknown: { text in
        let name = [":asc", ":desc"].first(where: text.hasSuffix).map { text.dropLast($0.count) }
        if computed.contains(where: { $0.name == name ?? text[...] }) {
          return Failure(
            .usage,
            message:
              "--sort takes columns of either class and distance, and '\(name ?? text[...])' is "
              + "computed; --into makes a class of the pairs, which sorts by any column")
        }
        return unknown(String(name ?? text[...]), option: "--sort")
      })
  }

  private func isFormula(_ text: String) -> Bool {
    ((try? PairFormula(text, of: self)) ?? nil) != nil
  }

  private func sortKey(_ text: String) -> JoinExecution.SortKey? {
    if let key = sortKey(text, ascending: true) { return key }
    if text.hasSuffix(":asc") { return sortKey(String(text.dropLast(4)), ascending: true) }
    if text.hasSuffix(":desc") { return sortKey(String(text.dropLast(5)), ascending: false) }
    return nil
  }

  private func sortKey(_ name: String, ascending: Bool) -> JoinExecution.SortKey? {
    if hasDistance, name == DistanceColumn.name { return .distance(ascending: ascending) }
    return property(name).map { .property($0.property, ascending: ascending) }
  }

  // MARK: Columns of groups

  /// A property of one side that groups are made by, or that is summarised.
  struct Property {
    /// The name with that of the class.
    let name: String
    let property: JoinExecution.Property
    let column: ColumnSchema
  }

  /// The properties of a list of names.
  func properties(_ lists: [String], option: String) throws -> [Property] {
    let properties = try ColumnList.items(
      lists, resolve: property, unknown: { unknown($0, option: option) })
    for (index, property) in properties.enumerated()
    where properties[..<index].contains(where: { $0.property == property.property }) {
      throw Failure(.usage, message: "\(option) names '\(property.name)' twice")
    }
    return properties
  }

  private func property(_ name: String) -> Property? {
    if let (path, title) = ComputedColumn.split(name),
      let property = property(String(path.trimmingSpaces()))
    {
      return Property(name: title, property: property.property, column: property.column)
    }
    guard let found = self.name(name) else { return nil }
    let source = self[found.side].source
    return ColumnPath(found.rest, of: source.schema, in: source.snapshot.schema).map {
      Property(
        name: name, property: JoinExecution.Property(found.side, name: found.rest), column: $0.end)
    }
  }

  /// The path to the location or geometry of a side that is compared: the one that `--geometry`
  /// names, with dots along links, or the first one of the class.
  func geometry(_ side: JoinQuery.Side, among lists: [String]) throws -> PropertyPath {
    let names = try ColumnList.items(lists, resolve: geometry, unknown: unknownGeometry)
    let own = names.filter { $0.name.side == side }
    guard own.count < 2 else {
      throw Failure(
        .usage, message: "--geometry names two properties of '\(self[side].name)'; it takes one")
    }
    if let path = own.first?.path, path.columns.count > 1 { return path.path }
    return PropertyPath(
      try self[side].source.location(named: own.first?.name.rest, option: "--geometry").name)
  }

  private func geometry(_ text: String) -> (name: Name, path: ColumnPath)? {
    guard let name = name(text) else { return nil }
    let source = self[name.side].source
    return ColumnPath(name.rest, of: source.schema, in: source.snapshot.schema).map { (name, $0) }
  }

  /// The failure for a name in `--geometry` that is not a property of either class.
  private func unknownGeometry(_ text: String) -> Failure {
    guard let name = name(text) else {
      return Failure(.usage, message: "--geometry: " + unnamed(text))
    }
    let source = self[name.side].source
    let first = source.schema.column(named: String(name.rest.prefix { $0 != "." }))
    guard let first, first.collection != .none else {
      return Failure(SpatialColumnError.unknown(name.rest), of: source.schema)
    }
    return Failure(
      .usage,
      message: "--geometry: '\(name.rest)' of '\(source.schema.name)' leads to several values; "
        + "a join compares one of each row")
  }
}
