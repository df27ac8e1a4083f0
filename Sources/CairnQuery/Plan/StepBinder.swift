import CairnGeometry
import CairnStorage
import CairnValues

/// A query step, bound to the columns of its table.
enum BoundStep {
  case sort(RowOrder)
  case distinct([RowKey])
  case limit(offset: Int, count: Int?)

  /// The rows that the step keeps, in their new order.
  func applied(to keys: [Int]) -> [Int] {
    switch self {
    case .sort(let order): return order.sorted(keys)
    case .distinct(let columns):
      let seen = DistinctSet(columns)
      return keys.filter(seen.isNew)
    case .limit(let offset, let count):
      let left = keys.dropFirst(offset)
      return count.map { Array(left.prefix($0)) } ?? Array(left)
    }
  }
}

/// Binds the steps of a query to the columns of its table.
struct StepBinder {
  let paths: PathBinder

  /// The steps, bound.
  func steps(_ steps: [TableQuery.Step]) throws(QueryError) -> [BoundStep] {
    var bound: [BoundStep] = []
    for step in steps {
      switch step {
      case .sort(let keys):
        if let order = try order(keys) { bound.append(.sort(order)) }
      case .distinct(let paths): bound.append(.distinct(try rowKeys(paths)))
      case .limit(let offset, let count): bound.append(.limit(offset: offset, count: count))
      }
    }
    return bound
  }

  /// The keys of a distinct step.
  func rowKeys(_ paths: [PropertyPath]) throws(QueryError) -> [RowKey] {
    var keys: [RowKey] = []
    for path in paths { keys.append(try rowKey(path)) }
    return keys
  }

  private func rowKey(_ path: PropertyPath) throws(QueryError) -> RowKey {
    if let column = paths.directColumn(path) { return .column(column) }
    let linkPath = try paths.linkPath(path)
    let column = linkPath.linkSteps.first.map(\.ownColumn) ?? linkPath.end.column
    guard let column, !linkPath.isMany else {
      throw QueryError(
        .unsupportedType,
        message:
          "'\(path)' of class '\(paths.table.schema.name)' leads to several values; "
          + "distinct needs one"
      )
    }
    return .path(PathReader(linkPath), column, name: "\(path)")
  }
}

// MARK: Sort keys

extension StepBinder {
  /// The order of sort keys; nil without keys.
  func order(_ keys: [SortKey]) throws(QueryError) -> RowOrder? {
    var columns: [SortColumn] = []
    for key in keys { columns.append(try sortColumn(key)) }
    return RowOrder(columns)
  }

  func sortColumn(_ key: SortKey) throws(QueryError) -> SortColumn {
    switch key {
    case .property(let path, let isAscending):
      if let column = paths.directColumn(path) {
        return try sortColumn(column, isAscending: isAscending)
      }
      return try sortColumn(path, linkPath: try paths.linkPath(path), isAscending: isAscending)
    case .distance(let path, let shape, let edges, let isAscending):
      let linkPath = try paths.linkPath(path, isLocation: true)
      guard case .column(let column) = linkPath.end,
        column.schema.isSpatial
      else {
        throw unsortable(path, what: "has no distance from a shape")
      }
      let sort = try distance(
        column, of: linkPath.endTable, shape: shape, edges: edges, isAscending: isAscending)
      return try linked(sort, path: path, linkPath: linkPath)
    case .relevance(let paths, let words, let isAscending):
      return try relevance(paths, words: words, isAscending: isAscending)
    }
  }

  private func relevance(
    _ paths: [PropertyPath], words: String, isAscending: Bool
  ) throws(QueryError) -> RelevanceSort {
    guard let search = TextSearch(words) else {
      throw QueryError(
        .invalidArgument, message: "a phrase has at most \(TextSearch.maxPhrase) words")
    }
    var columns: [Column] = []
    for path in paths {
      guard let column = self.paths.directColumn(path), column.schema.type == .string else {
        throw unsortable(path, what: "has no relevance; it must be a text of the class itself")
      }
      columns.append(column)
    }
    guard
      let sort = RelevanceSort(
        columns, search: search, table: self.paths.table, isAscending: isAscending)
    else {
      throw QueryError(.invalidArgument, message: "an order by relevance needs a text")
    }
    return sort
  }

  private func distance(
    _ column: Column, of table: Table, shape: Shape, edges: GeoPolygon.Edges, isAscending: Bool
  ) throws(QueryError) -> DistanceSort {
    try shape.checkLocation()
    guard !shape.isEmpty else {
      throw QueryError(.invalidArgument, message: "an empty geometry has no distance from anything")
    }
    if column.schema.isPoint, edges == .geodesic, let point = shape.location {
      return PointDistanceSort(
        column, longitude: point.longitude, latitude: point.latitude, isAscending: isAscending)
    }
    let origin: PreparedOrigin
    do { origin = try PreparedOrigin(shape, edges: edges) } catch {
      throw QueryError(.invalidArgument, message: error.message)
    }
    guard let bounds = table.schema.bounds(for: column.schema) else {
      return ShapeDistanceSort(column, origin: origin, isAscending: isAscending)
    }
    return GeometryDistanceSort(
      column, bounds: table.column(bounds.position), origin: origin, isAscending: isAscending)
  }

  /// The sort key at the end of a path through links.
  private func sortColumn(
    _ path: PropertyPath, linkPath: LinkPath, isAscending: Bool
  ) throws(QueryError) -> SortColumn {
    let end: SortColumn
    switch linkPath.end {
    case .object: throw unsortable(path, what: "leads to an object, which has no order of its own")
    case .column(let column) where !linkPath.isMixed:
      end = try sortColumn(column, isAscending: isAscending)
    case .column(let column), .entry(let column, _):
      guard !linkPath.below.contains(where: \.isMany) else { throw isMany(path) }
      let reader = PathReader(
        LinkPath(
          linkSteps: [], end: linkPath.end, endTable: linkPath.endTable, below: linkPath.below))
      end = ReaderSort(column, reader: reader, isAscending: isAscending)
    case .elements, .keys: throw isMany(path)
    }
    return try linked(end, path: path, linkPath: linkPath)
  }

  private func linked(
    _ sort: SortColumn, path: PropertyPath, linkPath: LinkPath
  ) throws(QueryError) -> SortColumn {
    var sort = sort
    for linkStep in linkPath.linkSteps.reversed() {
      guard let column = linkStep.ownColumn, !linkStep.isMany else { throw isMany(path) }
      sort = LinkedSort(column, linkStep: linkStep, inner: sort)
    }
    return sort
  }

  private func isMany(_ path: PropertyPath) -> QueryError {
    unsortable(path, what: "leads to several values; sorting needs one")
  }

  private func unsortable(_ path: PropertyPath, what: String) -> QueryError {
    QueryError(.typeMismatch, message: "'\(path)' of class '\(paths.table.schema.name)' \(what)")
  }

  private func sortColumn(_ column: Column, isAscending: Bool) throws(QueryError) -> SortColumn {
    switch column.schema.type {
    case .bool, .int: return IntegerSort(column, isAscending: isAscending)
    case .double, .date: return DoubleSort(column, isAscending: isAscending)
    case .float: return FloatSort(column, isAscending: isAscending)
    case .string, .data, .objectId, .uuid: return BytesSort(column, isAscending: isAscending)
    case .decimal128, .mixed: return ValueSort(column, isAscending: isAscending)
    case .point:
      throw paths.mismatch(column, what: "has no order; sort by its distance from a shape")
    case .geometry, .lineString, .polygon, .box:
      throw paths.mismatch(column, what: "has no order; sort by its distance from a shape")
    case .link, .embedded: throw paths.mismatch(column, what: "has no order of its own")
    }
  }
}

extension Shape {
  /// Throws if the shape is a point that is not on the earth.
  fileprivate func checkLocation() throws(QueryError) {
    guard case .geometry(let geometry, _) = self, geometry.kind == .point, location == nil,
      !geometry.isEmpty
    else { return }
    let (longitude, latitude) = geometry.withView { ($0.longitude(0), $0.latitude(0)) }
    throw QueryError(
      .invalidArgument, message: "no point has longitude \(longitude) and latitude \(latitude)")
  }
}
