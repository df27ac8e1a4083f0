import CairnStorage
import CairnValues

/// A bound path in one snapshot: the columns and the links that it reads.
struct LinkPath {
  /// The steps from object to object.
  let linkSteps: [LinkStep]
  /// The part of the objects at the end of the link steps that is read.
  let end: End
  /// The class of the objects at the end of the link steps.
  let endTable: Table
  /// The subscripts into the mixed values at the end.
  let below: [PropertyPath.Component]

  enum End {
    /// The object itself.
    case object
    /// A property.
    case column(Column)
    /// The elements of a collection of values.
    case elements(Column)
    /// A map's value for a key.
    case entry(Column, key: String)
    /// The keys of a map.
    case keys(Column)

    var column: Column? {
      switch self {
      case .object: nil
      case .column(let column), .elements(let column), .entry(let column, _), .keys(let column):
        column
      }
    }

    /// Whether one object can have several values.
    var isMany: Bool {
      switch self {
      case .elements, .keys: true
      case .object, .column, .entry: false
      }
    }
  }

  init(linkSteps: [LinkStep], end: End, endTable: Table, below: [PropertyPath.Component] = []) {
    self.linkSteps = linkSteps
    self.end = end
    self.endTable = endTable
    self.below = below
  }

  /// Looks up the columns of a path that is bound to the table's class.
  ///
  /// - Throws: ``QueryError`` if the path was bound in a store with other classes.
  init(_ path: BoundPath, of table: Table) throws(QueryError) {
    var (table, linkSteps): (Table, [LinkStep]) = (table, [])
    for link in path.links {
      let step = try table.step(link)
      linkSteps.append(step)
      table = step.target
    }
    self.init(
      linkSteps: linkSteps, end: End(path.end, of: table), endTable: table, below: path.below)
  }

  /// The type of the values at the end; nil for objects.
  var valueType: ValueType? {
    switch end {
    case .object: nil
    case .keys: .string
    case .column(let column), .elements(let column), .entry(let column, _): column.schema.type
    }
  }

  /// Whether the values at the end are mixed.
  var isMixed: Bool { valueType == .mixed }

  /// Whether the path ends at an object.
  var endsAtObject: Bool {
    if case .object = end { true } else { false }
  }

  /// Whether the path passes through a collection.
  var isMany: Bool { isMany(behind: -1) }

  /// Whether the path passes through a collection behind that link step.
  func isMany(behind index: Int) -> Bool {
    end.isMany || below.contains(where: \.isMany)
      || linkSteps.dropFirst(index + 1).contains(where: \.isMany)
  }
}

extension LinkPath.End {
  fileprivate init(_ end: BoundPath.End, of table: Table) {
    switch end {
    case .object: self = .object
    case .column(let schema): self = .column(table.column(schema.position))
    case .elements(let schema): self = .elements(table.column(schema.position))
    case .entry(let schema, let key): self = .entry(table.column(schema.position), key: key)
    case .keys(let schema): self = .keys(table.column(schema.position))
    }
  }
}

extension Table {
  /// The step along a link of a bound path.
  fileprivate func step(_ link: BoundPath.Link) throws(QueryError) -> LinkStep {
    switch link {
    case .toOne(let schema):
      return ToOneStep(column(schema.position), of: self, to: try leading(schema))
    case .toMany(let schema):
      return ToManyStep(column(schema.position), of: self, to: try leading(schema))
    case .entry(let schema, let key):
      return MapEntryStep(column(schema.position), key: key, of: self, to: try leading(schema))
    case .inverse(let inverse):
      guard let origin = sibling(named: inverse.origin),
        let schema = origin.schema.column(named: inverse.property)
      else { throw missing(inverse.origin, behind: inverse.name) }
      return InverseStep(
        inverse.name, of: self, from: origin, column: origin.column(schema.position))
    }
  }

  /// The class that a property leads to.
  private func leading(_ schema: ColumnSchema) throws(QueryError) -> Table {
    guard let target = target(of: schema.position) else {
      throw missing(schema.target ?? "", behind: schema.name)
    }
    return target
  }

  private func missing(_ target: String, behind property: String) -> QueryError {
    QueryError(
      .unknownProperty,
      message: "'\(schema.name).\(property)' leads to class '\(target)', which the store does not "
        + "have")
  }
}
