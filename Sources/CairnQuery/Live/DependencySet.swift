import CairnStorage

/// The parts of an object that are read: its own properties, and those of objects behind them.
struct DependencySet: Hashable, Sendable {
  /// The column IDs.
  var columns: Set<UInt16> = []
  /// Whether all of its properties are read, in addition to the columns.
  var hasEveryProperty = false
  /// The dependencies of the objects behind a column's links. The columns themselves are read too.
  var links: [UInt16: DependencySet] = [:]
  /// The dependencies of the objects that link here. The links themselves are read too.
  var inverses: [InverseSchema: DependencySet] = [:]

  /// Whether a change of that column of the object itself is relevant.
  func reads(_ column: UInt16, of schema: TableSchema) -> Bool {
    if columns.contains(column) || links[column] != nil { return true }
    return hasEveryProperty && schema.properties.contains { $0.id == column }
  }

  mutating func add(_ other: DependencySet) {
    columns.formUnion(other.columns)
    hasEveryProperty = hasEveryProperty || other.hasEveryProperty
    links.merge(other.links) { $0.adding($1) }
    inverses.merge(other.inverses) { $0.adding($1) }
  }

  private func adding(_ other: DependencySet) -> DependencySet {
    var sum = self
    sum.add(other)
    return sum
  }
}

extension DependencySet {
  /// The dependencies of a condition. The condition must be bound to the class.
  init(_ node: PredicateNode, of table: Table) {
    self.init()
    add(node, of: table)
  }

  private mutating func add(_ node: PredicateNode, of table: Table) {
    switch node {
    case .constant: break
    case .and(let parts), .or(let parts): for part in parts { add(part, of: table) }
    case .not(let part): add(part, of: table)
    case .compare(let expression, _, let operand, _), .match(let expression, _, let operand, _):
      add(expression, of: table)
      if case .expression(let other) = operand { add(other, of: table) }
    case .between(let expression, _, _), .isIn(let expression, _, _): add(expression, of: table)
    case .relation(let path, _, let operand), .distance(let path, _, let operand, _):
      addLocation(path, of: table)
      if case .property(let other, _) = operand { addLocation(other, of: table) }
    }
  }

  /// Adds the dependencies of a value that may be a location or a geometry. Every property of an
  /// embedded location can affect its position.
  mutating func addLocation(_ path: PropertyPath, of table: Table) {
    add(
      DependencySet(path.components[...], of: table) { _ in
        var whole = DependencySet()
        whole.hasEveryProperty = true
        return whole
      })
  }

  private mutating func add(_ expression: Expression, of table: Table) {
    switch expression {
    case .path(let path): add(path, of: table)
    case .aggregate(_, let path, let below):
      add(
        DependencySet(path.components[...], of: table) { end in
          below.map { DependencySet($0.components[...], of: end) } ?? DependencySet()
        })
    case .count(let path, let condition):
      add(
        DependencySet(path.components[...], of: table) { end in
          condition.map { DependencySet($0, of: end) } ?? DependencySet()
        })
    }
  }

  mutating func add(_ path: PropertyPath, of table: Table) {
    add(DependencySet(path.components[...], of: table))
  }

  /// Adds the dependencies of an order.
  mutating func add(_ keys: [SortKey], of table: Table) {
    for key in keys {
      switch key {
      case .property(let path, _), .distance(let path, _, _, _): add(path, of: table)
      case .relevance(let paths, _, _): for path in paths { add(path, of: table) }
      }
    }
  }

  /// The dependencies along a path, and those at its end if that is an object.
  private init(
    _ path: ArraySlice<PropertyPath.Component>, of table: Table,
    end: (Table) -> DependencySet = { _ in DependencySet() }
  ) {
    self.init()
    guard case .property(let name)? = path.first else { return }
    let rest = path.dropFirst().drop { if case .property = $0 { false } else { true } }
    func below(_ next: Table) -> DependencySet {
      rest.isEmpty ? end(next) : DependencySet(rest, of: next, end: end)
    }
    if let column = table.schema.column(named: name) {
      columns.insert(column.id)
      if let point = table.schema.point(for: column) { columns.insert(point.id) }
      if let target = table.target(of: column.position) { links[column.id] = below(target) }
    } else if let inverse = table.schema.inverse(named: name),
      let origin = table.sibling(named: inverse.origin)
    {
      inverses[inverse] = below(origin)
    }
  }
}

/// The properties whose changes count as changes of an object.
package struct ObservedPaths: Hashable, Sendable {
  enum Choice: Hashable, Sendable {
    /// Every property, and those of the objects behind links, to that many levels.
    case deep(levels: Int)
    case tree(DependencySet)
  }

  let choice: Choice

  /// Every property of an object, and of the objects behind its links and embedded objects, four
  /// levels deep. Inverse properties are not observed.
  package static let everything = ObservedPaths(choice: .deep(levels: 4))

  /// Every property of the object itself and no other. A link counts as changed if the object
  /// behind it is deleted.
  package static let ownProperties = ObservedPaths(
    choice: .tree(DependencySet(columns: [], hasEveryProperty: true)))

  private init(choice: Choice) { self.choice = choice }

  /// Observes the properties that key paths name: `name`; `dogs`, the contents of the list but not
  /// the properties of its objects; `dogs.name`, both the contents of the list and the names of its
  /// objects; `owners.name` through an inverse property. `*` as the last part of a path names every
  /// property at that point. Without key paths nothing is observed.
  ///
  /// - Throws: ``QueryError`` if a class on the path does not have the property, or if the path
  ///   continues behind a property that does not lead to objects.
  package init(_ keyPaths: [String], of table: Table) throws(QueryError) {
    var tree = DependencySet()
    for path in keyPaths {
      let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      tree.add(try Self.tree(names[...], of: table, path: path))
    }
    choice = .tree(tree)
  }

  private static func tree(
    _ names: ArraySlice<String>, of table: Table, path: String
  ) throws(QueryError) -> DependencySet {
    var tree = DependencySet()
    guard let name = names.first else { return tree }
    let rest = names.dropFirst()
    if name == "*", rest.isEmpty {
      tree.hasEveryProperty = true
    } else if let column = table.schema.column(named: name) {
      tree.columns = [column.id]
      guard !rest.isEmpty else { return tree }
      guard let target = table.target(of: column.position) else {
        throw nothingBehind(name, of: table, path: path)
      }
      tree.links[column.id] = try self.tree(rest, of: target, path: path)
    } else if let inverse = table.schema.inverse(named: name) {
      guard let origin = table.sibling(named: inverse.origin) else {
        throw nothingBehind(name, of: table, path: path)
      }
      tree.inverses[inverse] = try self.tree(rest, of: origin, path: path)
    } else {
      throw QueryError(
        .unknownProperty,
        message:
          "class '\(table.schema.name)' has no property '\(name)', "
          + "which the key path '\(path)' names"
      )
    }
    return tree
  }

  private static func nothingBehind(_ name: String, of table: Table, path: String) -> QueryError {
    QueryError(
      .unsupportedType,
      message: "the key path '\(path)' continues behind '\(name)', which does not lead to objects")
  }
}
