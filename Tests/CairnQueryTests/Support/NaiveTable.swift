import CairnGeometry
import CairnStorage
import CairnValues

@testable import CairnQuery

/// The oracle for queries: the rows of a class as plain values, evaluated one by one.
struct NaiveTable {
  let schema: TableSchema
  /// The live rows in ascending order of keys.
  let rows: [(key: Int, values: [Value])]
  /// The place of each key in the rows.
  private let places: [Int: Int]
  private let positions: [String: Int]

  init(schema: TableSchema) { self.init(schema: schema, rows: []) }

  init(_ table: Table) {
    let schema = table.schema
    self.init(
      schema: schema,
      rows: (0..<table.endKey).filter(table.isLive).map { key in
        (key, schema.columns.indices.map { table.value($0, at: key) })
      })
  }

  private init(schema: TableSchema, rows: [(key: Int, values: [Value])]) {
    self.schema = schema
    self.rows = rows
    places = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.key, $0) })
    positions = Dictionary(
      schema.properties.map { ($0.name, $0.position) }, uniquingKeysWith: { first, _ in first })
  }

  /// The values of a live row.
  func row(_ key: Int) -> [Value]? { places[key].map { rows[$0].values } }
  func position(_ name: String) -> Int {
    positions[name] ?? schema.column(named: name)?.position ?? 0
  }
  func value(_ name: String, _ values: [Value]) -> Value { values[position(name)] }

  private typealias Row = (key: Int, values: [Value])

  /// The keys of a query's result, in order.
  func keys(_ query: TableQuery) -> [Int] {
    let matcher = NaiveMatcher(table: self, node: query.predicate.root)
    var found = source(query).filter { matcher.matches($0.values) }
    for step in query.steps {
      switch step {
      case .sort(let keys): found = sorted(found, keys)
      case .distinct(let paths) where paths.isEmpty: break
      case .distinct(let paths):
        var seen: Set<[Value]> = []
        found = found.filter { row in
          seen.insert(paths.map { value($0.name ?? "", row.values) }).inserted
        }
      case .limit(let offset, let count):
        let left = found.dropFirst(offset)
        found = count.map { Array(left.prefix($0)) } ?? Array(left)
      }
    }
    return found.map(\.key)
  }

  private func source(_ query: TableQuery) -> [Row] {
    guard case .keys(let keys) = query.source else { return rows }
    return keys.compactMap { key in places[key].map { rows[$0] } }
  }

  private func sorted(_ rows: [Row], _ keys: [SortKey]) -> [Row] {
    let keyed = rows.enumerated().map { ($0.offset, sortValues(keys, $0.element.values)) }
    return keyed.sorted { precedes($0, $1, keys) }.map { rows[$0.0] }
  }

  private func sortValues(_ keys: [SortKey], _ values: [Value]) -> [Value] {
    keys.map { key in
      switch key {
      case .property(let path, _): return value(path.name ?? "", values)
      case .distance(let path, .geometry(let geometry, _), _, _):
        guard case .point(let place) = value(path.name ?? "", values), let point = geometry.point
        else { return .null }
        // Measured as the query does, because rows at the same distance keep their order.
        let origin = Origin(longitude: point.longitude, latitude: point.latitude)
        return .double(origin.angle(place.longitude, latitude: place.latitude))
      // `RelevanceTests` has a model of its own.
      case .distance, .relevance: return .null
      }
    }
  }

  /// A row's previous index and its sort keys.
  private typealias Keyed = (Int, [Value])

  private func precedes(_ a: Keyed, _ b: Keyed, _ keys: [SortKey]) -> Bool {
    for (place, key) in keys.enumerated() {
      let order = order(a.1[place], b.1[place], key)
      if order != .equal { return order == .less }
    }
    return a.0 < b.0
  }

  private func order(_ a: Value, _ b: Value, _ key: SortKey) -> Ordering {
    switch key {
    case .property(_, let ascending), .relevance(_, _, let ascending):
      return ascending ? Value.sortOrder(a, to: b) : Value.sortOrder(b, to: a)
    case .distance(_, _, _, let ascending):
      // Rows without a location come last in both directions.
      if a.isNull || b.isNull {
        return a.isNull && b.isNull ? .equal : a.isNull ? .greater : .less
      }
      return ascending ? Value.sortOrder(a, to: b) : Value.sortOrder(b, to: a)
    }
  }

  /// The summary of a property over some rows.
  func summary(_ name: String, _ keys: [Int]) -> Summary {
    let position = position(name)
    let values = keys.compactMap { row($0)?[position] }
    let present = values.filter { !$0.isNull }
    let numbers = present.filter { !$0.isNaN }
    var summary = NaiveTable.empty(schema.columns[position].type)
    summary.count = present.count
    if schema.columns[position].type.isRanked, let first = numbers.first {
      summary.minimum = numbers.reduce(first) { Value.sortOrder($1, to: $0) == .less ? $1 : $0 }
      summary.maximum = numbers.reduce(first) { Value.sortOrder($1, to: $0) == .greater ? $1 : $0 }
    }
    if !numbers.isEmpty { NaiveTable.addUp(numbers, &summary) }
    return summary
  }

  private static func empty(_ type: ValueType) -> Summary {
    switch type {
    case .int: Summary(sum: .int(0))
    case .float, .double: Summary(sum: .double(0))
    case .decimal128: Summary(sum: .decimal(Decimal128(Int64(0))))
    default: Summary()
    }
  }

  private static func addUp(_ numbers: [Value], _ summary: inout Summary) {
    var doubles = 0.0
    var decimals = Decimal128(Int64(0))
    for number in numbers {
      switch number {
      case .int(let value): decimals = decimals + Decimal128(value)
      case .decimal(let value): decimals = decimals + value
      case .float(let value): doubles += Double(value)
      case .double(let value): doubles += value
      default: return
      }
    }
    let count = numbers.count
    switch numbers[0] {
    case .int:
      summary.sum = Int64(decimals.description).map(Value.int) ?? .decimal(decimals)
      summary.average = .double((Double(decimals.description) ?? .nan) / Double(count))
    case .decimal:
      summary.sum = .decimal(decimals)
      summary.average = .decimal(decimals / Decimal128(Int64(count)))
    default:
      summary.sum = .double(doubles)
      summary.average = .double(doubles / Double(count))
    }
  }
}
