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
  init(_ node: BoundNode, of table: Table) {
    self.init()
    add(node, of: table)
  }

  private mutating func add(_ node: BoundNode, of table: Table) {
    switch node {
    case .constant: break
    case .and(let parts), .or(let parts): for part in parts { add(part, of: table) }
    case .not(let part): add(part, of: table)
    case .values(let expression, _): add(expression, of: table)
    case .pair(let left, _, let right):
      add(left, of: table)
      add(right, of: table)
    case .collection(let path, _, _): add(path, of: table)
    case .spatial(let path, _, _): addLocation(path, of: table)
    case .spatialPair(let path, _, let other, _):
      addLocation(path, of: table)
      addLocation(other, of: table)
    }
  }

  private mutating func add(_ expression: BoundExpression, of table: Table) {
    guard case .count(let path, let condition?) = expression else {
      return add(expression.path, of: table)
    }
    add(DependencySet(path, path.links[...], of: table) { DependencySet(condition, of: $0) })
  }

  private mutating func add(_ path: BoundPath, of table: Table) {
    add(DependencySet(path, path.links[...], of: table) { _ in DependencySet() })
  }

  /// Adds the dependencies of a value that may be a location or a geometry. Every property of an
  /// embedded location can affect its position.
  private mutating func addLocation(_ path: BoundPath, of table: Table) {
    add(
      DependencySet(path, path.links[...], of: table) { _ in
        var whole = DependencySet()
        whole.hasEveryProperty = true
        return whole
      })
  }

  /// Adds the dependencies of a value that may be a location or a geometry.
  mutating func addLocation(_ path: PropertyPath, of table: Table) throws(QueryError) {
    addLocation(try PathBinder(table: table).bound(path), of: table)
  }

  mutating func add(_ path: PropertyPath, of table: Table) throws(QueryError) {
    add(try PathBinder(table: table).bound(path), of: table)
  }

  /// Adds the dependencies of an order.
  mutating func add(_ keys: [SortKey], of table: Table) throws(QueryError) {
    for key in keys {
      switch key {
      case .property(let path, _), .distance(let path, _, _, _): try add(path, of: table)
      case .relevance(let paths, _, _): for path in paths { try add(path, of: table) }
      }
    }
  }

  /// The dependencies along the links of a path, and those at its end.
  ///
  /// - Parameter object: The dependencies of the objects at the end.
  private init(
    _ path: BoundPath, _ links: ArraySlice<BoundPath.Link>, of table: Table,
    object: (Table) -> DependencySet
  ) {
    self.init()
    guard let link = links.first else {
      switch path.end {
      case .object: self = object(table)
      case .column(let column), .elements(let column), .entry(let column, _), .keys(let column):
        insert(column, of: table)
      }
      return
    }
    func behind(_ next: Table) -> DependencySet {
      DependencySet(path, links.dropFirst(), of: next, object: object)
    }
    switch link {
    case .toOne(let column), .toMany(let column), .entry(let column, _):
      insert(column, of: table)
      if let target = table.target(of: column.position) { self.links[column.id] = behind(target) }
    case .inverse(let inverse):
      if let origin = table.sibling(named: inverse.origin) { inverses[inverse] = behind(origin) }
    }
  }

  private mutating func insert(_ column: ColumnSchema, of table: Table) {
    columns.insert(column.id)
    if let point = table.schema.point(for: column) { columns.insert(point.id) }
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
