import CairnGeometry
import CairnQuery
import CairnStorage
import CairnValues

/// The oracle for predicates through links: all rows of linked classes as plain values, with paths
/// followed row by row.
struct NaiveWorld {
  /// The content of one property of one row.
  enum Cell {
    case value(Value)
    case elements([Element])
    case map([(key: String, value: Element)])
  }

  struct Class {
    let schema: TableSchema
    /// The live rows by key, with their cells in the order of the properties.
    var rows: [Int: [Cell]] = [:]
    var keys: [Int] = []
  }

  let classes: StoreSchema
  private(set) var tables: [String: Class] = [:]

  init(_ table: Table) {
    classes = table.classes
    for schema in classes.tables {
      guard let table = table.sibling(named: schema.name) else { continue }
      var found = Class(schema: schema)
      for key in 0..<table.endKey where table.isLive(key) {
        found.keys.append(key)
        found.rows[key] = schema.properties.map { NaiveWorld.cell($0, table, key) }
      }
      tables[schema.name] = found
    }
  }

  private static func cell(_ column: ColumnSchema, _ table: Table, _ key: Int) -> Cell {
    let row = key & (ChunkShape.rows - 1)
    let chunk = table.column(column.position).chunk(key >> ChunkShape.shift)
    guard column.collection != .none else {
      let value = table.value(column.position, at: key)
      guard column.type == .mixed else { return .value(value) }
      guard case .data(let bytes) = value else { return .elements([.value(.null)]) }
      let element = bytes.withUnsafeBytes { try? Element(decoding: $0) }
      return .elements([element ?? .value(.null)])
    }
    let stored = chunk.collection(at: row, of: column)
    let elements = (0..<stored.count).map { stored.element(at: $0) }
    if column.collection != .map { return .elements(elements) }
    return .map(elements.indices.map { (stored.keyText(at: $0), elements[$0]) })
  }

  func schema(_ name: String) -> TableSchema? { tables[name]?.schema }
  func isLive(_ name: String, _ key: Int) -> Bool { tables[name]?.rows[key] != nil }

  typealias Steps = ArraySlice<PropertyPath.Component>

  /// The values at the end of a path from a row.
  ///
  /// - Parameter key: the row; nil for a missing row.
  func read(_ name: String, _ key: Int?, _ steps: Steps) -> [Value] {
    guard let step = steps.first else {
      guard let key, let schema = schema(name) else { return [.null] }
      return [.link(Link(table: schema.id, key: key))]
    }
    guard let key, let row = tables[name]?.rows[key], let schema = schema(name),
      case .property(let property) = step
    else { return leadsToMany(name, steps) ? [] : [.null] }
    var rest = steps.dropFirst()
    if let inverse = schema.inverse(named: property) {
      return sources(inverse, of: key).flatMap { read(inverse.origin, $0, rest) }
    }
    guard let column = schema.column(named: property) else { return [] }
    let isAllOfIt = rest.first == .anyElement || rest.first == .allValues
    if column.collection != .none, isAllOfIt { rest = rest.dropFirst() }
    switch row[column.position] {
    case .value(let value):
      guard column.isLink else { return [value] }
      return read(column.target ?? "", live(value, column), rest)
    case .elements(let elements):
      if column.collection == .none { return mixed(elements[0], rest) }
      return elements.flatMap { self.element($0, column, rest) }
    case .map(let entries):
      if isAllOfIt { return entries.flatMap { self.element($0.value, column, rest) } }
      if rest.first == .allKeys { return entries.map { .string($0.key) } }
      if case .key(let key)? = rest.first {
        let entry = entries.first { $0.key.utf8.elementsEqual(key.utf8) }
        return self.element(entry?.value ?? .value(.null), column, rest.dropFirst())
      }
      return entries.flatMap { self.element($0.value, column, rest) }
    }
  }

  /// The values of a collection element. A deleted object is absent from lists and sets, and null
  /// in maps.
  private func element(_ element: Element, _ column: ColumnSchema, _ rest: Steps) -> [Value] {
    if column.isLink {
      guard case .value(let value) = element else { return [] }
      let key = live(value, column)
      if key == nil, column.collection != .map { return [] }
      return read(column.target ?? "", key, rest)
    }
    if column.type == .mixed { return mixed(element, rest) }
    guard case .value(let value) = element else { return [] }
    return [value]
  }

  private func live(_ value: Value, _ column: ColumnSchema) -> Int? {
    guard case .int(let number) = value, isLive(column.target ?? "", Int(number)) else {
      return nil
    }
    return Int(number)
  }

  private func mixed(_ element: Element, _ steps: Steps) -> [Value] {
    guard let step = steps.first else {
      guard case .value(let value) = element else { return [.link(.nowhere)] }
      guard case .link(let link) = value else { return [value] }
      let target = classes.tables.first { $0.id == link.table }
      return [isLive(target?.name ?? "", link.key) ? value : .null]
    }
    let rest = steps.dropFirst()
    switch (step, element) {
    case (.key(let key), .map(let entries)):
      return mixed(entries.first { $0.key == key }?.value ?? .value(.null), rest)
    case (.index(let place), .list(let elements)) where elements.indices ~= place:
      return mixed(elements[place], rest)
    case (.anyElement, .list(let elements)): return elements.flatMap { mixed($0, rest) }
    case (.anyElement, .map(let entries)): return entries.flatMap { mixed($0.value, rest) }
    case (.anyElement, _): return []
    default: return mixed(.value(.null), rest)
    }
  }

  /// The rows that link to a row, each once per link.
  private func sources(_ inverse: InverseSchema, of key: Int) -> [Int] {
    guard let origin = tables[inverse.origin],
      let column = origin.schema.column(named: inverse.property)
    else { return [] }
    return origin.keys.flatMap { source -> [Int] in
      switch origin.rows[source]?[column.position] {
      case .value(.int(Int64(key))): return [source]
      case .elements(let elements):
        return elements.filter { $0 == .value(.int(Int64(key))) }.map { _ in source }
      case .map(let entries):
        return entries.filter { $0.value == .value(.int(Int64(key))) }.map { _ in source }
      default: return []
      }
    }
  }

  /// Whether a path passes through a collection.
  func leadsToMany(_ name: String, _ steps: Steps) -> Bool {
    guard case .property(let property)? = steps.first, let schema = schema(name) else {
      return steps.contains(.anyElement)
    }
    let rest = steps.dropFirst()
    if schema.inverse(named: property) != nil { return true }
    guard let column = schema.column(named: property) else { return false }
    if column.collection == .none {
      return column.isLink ? leadsToMany(column.target ?? "", rest) : rest.contains(.anyElement)
    }
    guard column.collection == .map, case .key? = rest.first else { return true }
    return column.isLink
      ? leadsToMany(column.target ?? "", rest.dropFirst()) : rest.contains(.anyElement)
  }

  /// The location in an object with the properties of a GeoJSON Point.
  func place(_ value: Value) -> Position? {
    if case .point(let place) = value { return place }
    guard case .link(let link) = value, let row = tables["Place"]?.rows[link.key],
      case .value(.string(let type)) = row[0], type.lowercased() == "point",
      case .elements(let numbers) = row[1], numbers.count >= 2,
      case .value(.double(let longitude)) = numbers[0],
      case .value(.double(let latitude)) = numbers[1],
      abs(longitude) <= 180, abs(latitude) <= 90
    else { return nil }
    return Position(latitude: latitude, longitude: longitude)
  }
}

/// Sort orders and distinct over paths.
extension NaiveWorld {
  /// The keys of a query's result, in order.
  func keys(_ query: TableQuery, _ table: Table) throws -> [Int] {
    let name = query.table
    let bound = try query.predicate.bound(to: table.schema, in: table.classes).root.written
    var found = tables[name]?.keys ?? []
    if case .keys(let keys) = query.source { found = keys.filter { isLive(name, $0) } }
    found = found.filter { holds(bound, name, $0) }
    for step in query.steps {
      switch step {
      case .sort(let keys): found = sorted(found, keys, name)
      case .distinct(let paths):
        var seen: [[Value]] = []
        found = found.filter { key in
          if paths.contains(where: { isCutOff($0, name, key) }) { return false }
          let values = paths.map { read(name, key, $0.components[...])[0] }
          if seen.contains(where: { zip($0, values).allSatisfy(NaiveWorld.areOne) }) {
            return false
          }
          seen.append(values)
          return true
        }
      case .limit(let offset, let count):
        let left = found.dropFirst(offset)
        found = count.map { Array(left.prefix($0)) } ?? Array(left)
      }
    }
    return found
  }

  private static func areOne(_ a: Value, _ b: Value) -> Bool {
    a == b || a.equals(b) || (a.isNaN && b.isNaN)
  }

  /// Whether a link on the way is null.
  private func isCutOff(_ path: PropertyPath, _ name: String, _ key: Int) -> Bool {
    for length in 1..<max(1, path.components.count) {
      // A subscript follows a collection, not a link.
      guard case .property = path.components[length] else { continue }
      if read(name, key, path.components[..<length])[0].isNull { return true }
    }
    return false
  }

  private func sorted(_ found: [Int], _ keys: [SortKey], _ name: String) -> [Int] {
    found.enumerated().sorted { a, b in
      for key in keys {
        let order = order(a.element, b.element, key, name)
        if order != .equal { return order == .less }
      }
      return a.offset < b.offset
    }
    .map(\.element)
  }

  private func order(_ a: Int, _ b: Int, _ key: SortKey, _ name: String) -> Ordering {
    switch key {
    case .property(let path, let ascending):
      let cut = (isCutOff(path, name, a), isCutOff(path, name, b))
      // A null link comes last ascending, first descending.
      var order = Ordering(cut.0 ? 1 : 0, to: cut.1 ? 1 : 0)
      if order == .equal, !cut.0 {
        order = Value.sortOrder(
          read(name, a, path.components[...])[0], to: read(name, b, path.components[...])[0])
      }
      return ascending ? order : order.reversed
    case .relevance: return .equal
    case .distance(let path, let shape, _, let ascending):
      guard case .geometry(let geometry, _) = shape, let point = geometry.point else {
        return .equal
      }
      let (longitude, latitude) = (point.longitude, point.latitude)
      let places = [a, b].map { place(read(name, $0, path.components[...])[0]) }
      guard let first = places[0], let second = places[1] else {
        return Ordering(places[0] == nil ? 1 : 0, to: places[1] == nil ? 1 : 0)
      }
      let order = Ordering(
        Sphere.angle(
          first.latitude, longitude: first.longitude, otherLatitude: latitude,
          otherLongitude: longitude),
        to: Sphere.angle(
          second.latitude, longitude: second.longitude, otherLatitude: latitude,
          otherLongitude: longitude))
      return ascending ? order : order.reversed
    }
  }
}
