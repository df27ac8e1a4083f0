import CairnStorage

/// Which changes of an object count as changes of it.
package struct ObservedPaths: Hashable, Sendable {
  enum Choice: Hashable, Sendable {
    /// Every property, and those of objects that links lead to, that many levels deep.
    case deep(levels: Int)
    case tree(ReadTree)
  }

  let choice: Choice

  /// Every property of an object counts, and of those that its links and embedded objects lead to, and so on four levels
  /// deep. Inverse properties do not.
  package static let everything = ObservedPaths(choice: .deep(levels: 4))

  /// Every property of the object itself counts, and no other; a link counts as changed when the object behind it is
  /// deleted.
  package static let ownProperties = ObservedPaths(
    choice: .tree(ReadTree(columns: [], hasEveryProperty: true)))

  private init(choice: Choice) { self.choice = choice }

  /// What these key paths name counts: `name`; `dogs`, which is what the list holds and not what its objects say;
  /// `dogs.name`, which is both what the list holds and the names of its objects; `owners.name` through an
  /// inverse property. `*` as the last part of one names every property there. Nothing counts where there are none.
  ///
  /// - Throws: `QueryError` where a class on the way has no such property, or nothing lies behind it.
  package init(_ keyPaths: [String], of table: Table) throws(QueryError) {
    var tree = ReadTree()
    for path in keyPaths {
      let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      tree.add(try Self.tree(names[...], of: table, path))
    }
    choice = .tree(tree)
  }

  private static func tree(
    _ names: ArraySlice<String>, of table: Table, _ path: String
  ) throws(QueryError) -> ReadTree {
    var tree = ReadTree()
    guard let name = names.first else { return tree }
    let rest = names.dropFirst()
    if name == "*", rest.isEmpty {
      tree.hasEveryProperty = true
    } else if let column = table.schema.column(named: name) {
      tree.columns = [column.id]
      guard !rest.isEmpty else { return tree }
      guard let target = table.target(of: column.position) else {
        throw nothingBehind(name, of: table, path)
      }
      tree.links[column.id] = try self.tree(rest, of: target, path)
    } else if let inverse = table.schema.inverse(named: name) {
      guard let origin = table.sibling(named: inverse.origin) else {
        throw nothingBehind(name, of: table, path)
      }
      tree.inverses[inverse] = try self.tree(rest, of: origin, path)
    } else {
      throw QueryError(
        .unknownProperty,
        "class '\(table.schema.name)' has no property '\(name)', which the key path '\(path)' names"
      )
    }
    return tree
  }

  private static func nothingBehind(_ name: String, of table: Table, _ path: String) -> QueryError {
    QueryError(
      .unsupportedType,
      "the key path '\(path)' goes on behind '\(name)', which leads to no object of a class")
  }
}
