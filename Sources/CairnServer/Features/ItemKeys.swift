import CairnQuery
import CairnStorage
import CairnValues

/// Finds the rows of a page.
struct ItemKeys {
  /// The keys of the page.
  let keys: [Int]
  /// Whether there are rows behind the page.
  let hasMore: Bool

  init(_ query: ItemsQuery) throws {
    // One more row than the page holds tells whether there is a next page.
    let found = try query.sort.isEmpty ? Self.byKey(query) : Self.sorted(query)
    keys = Array(found.prefix(query.limit))
    hasMore = found.count > query.limit
  }

  private static func byKey(_ query: ItemsQuery) throws -> [Int] {
    let table = query.collection.table
    let tableQuery = TableQuery(
      table: table.schema.name, predicate: query.predicate, limit: query.limit + 1)
    let execution = try query.collection.execution(tableQuery)
    let keys = Array(execution.makeCursor(after: query.cursor?.key ?? -1))
    try execution.deadline?.check()
    return keys
  }

  /// The rows behind the cursor, in order. Rows that are equal to the cursor in the first key, but
  /// come before it, are read and dropped.
  private static func sorted(_ query: ItemsQuery) throws -> [Int] {
    let table = query.collection.table
    var parts = [query.predicate.root]
    if let cursor = query.cursor {
      parts.append(notBefore(cursor.values[0], in: query.sort[0]))
    }
    var tableQuery = TableQuery(
      table: table.schema.name, predicate: Predicate(.all(parts)),
      sort: query.sort.map { .property($0.column.name, ascending: $0.isAscending) })
    var wanted = query.limit + 1
    while true {
      tableQuery.limit = wanted
      let execution = try query.collection.execution(tableQuery)
      let found = execution.keys()
      try execution.deadline?.checkNow()
      let rest = found.drop { key in
        query.cursor.map { !isBehind(key, $0, query: query) } ?? false
      }
      if rest.count > query.limit || found.count < wanted { return Array(rest) }
      wanted = wanted > 1 << 40 ? .max : wanted * 8
    }
  }

  /// The condition that a row is equal to the cursor in a key, or behind it. Nulls come before NaN,
  /// and NaN before other values. Bools have no comparisons with an order; false comes before true.
  private static func notBefore(_ value: Value, in sort: ItemsQuery.Sort) -> PredicateNode {
    let expression = Expression.property(sort.column.name)
    let isNull = PredicateNode.compare(expression, .equal, .value(.null), [])
    if value.isNull { return sort.isAscending ? .constant(true) : isNull }
    if value.isNaN {
      if sort.isAscending { return .not(isNull) }
      return .not(
        .compare(expression, .greaterOrEqual, .value(sort.column.type.least), []))
    }
    if case .bool(let flag) = value {
      let isTrue = PredicateNode.compare(expression, .equal, .value(.bool(true)), [])
      if sort.isAscending { return flag ? isTrue : .not(isNull) }
      return flag ? .constant(true) : .not(isTrue)
    }
    return sort.isAscending
      ? .compare(expression, .greaterOrEqual, .value(value), [])
      : .not(.compare(expression, .greater, .value(value), []))
  }

  private static func isBehind(_ key: Int, _ cursor: PageCursor, query: ItemsQuery) -> Bool {
    let table = query.collection.table
    for (sort, value) in zip(query.sort, cursor.values) {
      let order = Value.sortOrder(table.value(sort.column.position, at: key), to: value)
      if order != .equal { return (order == .greater) == sort.isAscending }
    }
    return key > cursor.key
  }

  /// The cursor behind the last row of the page; nil on the last page.
  func next(_ query: ItemsQuery) -> PageCursor? {
    guard hasMore, let last = keys.last else { return nil }
    let table = query.collection.table
    return PageCursor(
      file: query.collection.context.state.file, key: last,
      values: query.sort.map { table.value($0.column.position, at: last) })
  }
}

extension ValueType {
  /// The least value of the type, apart from nulls and NaN.
  fileprivate var least: Value {
    self == .date ? .date(-.infinity) : .double(-.infinity)
  }
}
