import CairnStorage

/// The classes and columns that a query reads.
package struct QueryDependencies {
  /// A class and the columns of it that are read.
  package struct ClassColumns {
    /// The number of the class.
    package let table: UInt32
    /// The column IDs.
    package var columns: Set<UInt16>
  }

  /// The class of the query, and those that its conditions and orders follow links to.
  package private(set) var classes: [ClassColumns] = []

  /// Finds the dependencies of a query.
  ///
  /// - Parameter paths: The paths of further properties that are read.
  /// - Throws: An error in the query.
  package init(_ query: TableQuery, reading paths: [PropertyPath], of table: Table) throws {
    let condition = try query.predicate.bound(to: table.schema, in: table.classes)
    var tree = try DependencySet(query, condition: condition, of: table)
    for path in paths { try tree.addLocation(path, of: table) }
    add(tree, of: table)
  }

  private mutating func add(_ tree: DependencySet, of table: Table) {
    let schema = table.schema
    var columns = tree.columns.union(tree.links.keys)
    if tree.hasEveryProperty { columns.formUnion(schema.properties.map(\.id)) }
    if let index = classes.firstIndex(where: { $0.table == schema.id }) {
      classes[index].columns.formUnion(columns)
    } else {
      classes.append(ClassColumns(table: schema.id, columns: columns))
    }
    for (id, below) in tree.links {
      guard let column = schema.columns.first(where: { $0.id == id }),
        let target = table.target(of: column.position)
      else { continue }
      add(below, of: target)
    }
    for (inverse, below) in tree.inverses {
      guard let origin = table.sibling(named: inverse.origin) else { continue }
      var below = below
      if let column = origin.schema.column(named: inverse.property) {
        below.columns.insert(column.id)
      }
      add(below, of: origin)
    }
  }
}
