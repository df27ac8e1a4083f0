import CairnStorage
import CairnValues

/// A property path found in the classes that it passes.
struct Route {
  /// From object to object.
  let hops: [Hop]
  /// What is read of the objects at the end of the hops.
  let end: End
  /// The class of the objects at the end of the hops.
  let endTable: Table
  /// Subscripts into the mixed values at the end.
  let below: [PropertyPath.Component]

  enum End {
    /// The object itself.
    case object
    /// A property.
    case column(Column)
    /// The elements of a collection of values.
    case elements(Column)
    /// What a map of values holds under a key.
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

    /// Whether one object may have several values.
    var isMany: Bool {
      switch self {
      case .elements, .keys: true
      case .object, .column, .entry: false
      }
    }
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

  /// Whether the path passes a collection.
  var isMany: Bool { isMany(behind: -1) }

  /// Whether the path passes a collection behind that hop.
  func isMany(behind place: Int) -> Bool {
    end.isMany || below.contains(where: \.isMany)
      || hops.dropFirst(place + 1).contains(where: \.isMany)
  }
}

/// Finds the way of a path through the classes.
struct RouteFinder {
  private let path: PropertyPath
  private var table: Table
  private var hops: [Hop] = []
  private var rest: ArraySlice<PropertyPath.Component>

  init(_ path: PropertyPath, from table: Table) {
    self.path = path
    self.table = table
    rest = path.components[...]
  }

  /// The way to values or objects.
  ///
  /// - Parameter isLocation: the path ends in a location, of which an embedded object may have the shape.
  mutating func find(isLocation: Bool = false) throws(QueryError) -> Route {
    while let step = rest.popFirst() {
      guard case .property(let name) = step else { throw misplaced(step) }
      if let column = table.schema.column(named: name) {
        if isLocation, rest.isEmpty, let point = table.schema.point(for: column) {
          return route(.column(table.column(point.position)))
        }
        if let end = try follow(table.column(column.position)) { return end }
      } else if let inverse = table.schema.inverse(named: name) {
        try follow(inverse)
      } else {
        throw QueryError(
          .unknownProperty, "class '\(table.schema.name)' has no property '\(name)'")
      }
    }
    return route(.object)
  }

  private func route(_ end: Route.End, below: [PropertyPath.Component] = []) -> Route {
    Route(hops: hops, end: end, endTable: table, below: below)
  }

  /// Goes on along a property; the whole route where it ends there.
  private mutating func follow(_ column: Column) throws(QueryError) -> Route? {
    let schema = column.schema
    if rest.first == .allKeys, schema.collection == .map {
      rest.removeFirst()
      return try ended(.keys(column))
    }
    var key: String?
    if schema.collection == .map, case .key(let text)? = rest.first {
      key = text
      rest.removeFirst()
    } else if schema.collection != .none, rest.first == .allValues || rest.first == .anyElement {
      // Both say no more than the collection says by itself.
      rest.removeFirst()
    }
    guard schema.isLink else { return try ended(end(column, key)) }
    guard let target = table.target(of: schema.position) else {
      throw QueryError(
        .unknownProperty,
        "property '\(schema.name)' of class '\(table.schema.name)' leads to no class of the store")
    }
    if let key {
      hops.append(EntryHop(column, key: key, of: table, to: target))
    } else if schema.collection == .none {
      hops.append(LinkHop(column, of: table, to: target))
    } else {
      hops.append(LinksHop(column, of: table, to: target))
    }
    table = target
    return nil
  }

  private func end(_ column: Column, _ key: String?) -> Route.End {
    if let key { return .entry(column, key: key) }
    return column.schema.collection == .none ? .column(column) : .elements(column)
  }

  /// The route, where nothing follows but subscripts into a mixed value.
  private func ended(_ end: Route.End) throws(QueryError) -> Route {
    let route = route(end, below: Array(rest))
    for step in rest {
      if case .property = step { throw misplaced(step) }
      if !route.isMixed { throw misplaced(step) }
    }
    return route
  }

  private mutating func follow(_ inverse: InverseSchema) throws(QueryError) {
    guard let origin = table.sibling(named: inverse.origin),
      let column = origin.schema.column(named: inverse.property)
    else {
      throw QueryError(
        .unknownProperty,
        "'\(table.schema.name).\(inverse.name)' comes from '\(inverse.origin).\(inverse.property)', "
          + "which there is not")
    }
    hops.append(
      InverseHop(inverse.name, of: table, from: origin, origin.column(column.position)))
    table = origin
  }

  private func misplaced(_ step: PropertyPath.Component) -> QueryError {
    QueryError(
      .unsupportedType, "'\(path)' goes on where class '\(table.schema.name)' has nothing below")
  }
}
