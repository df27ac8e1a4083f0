import CairnStorage
import CairnValues

/// Rows outside of every table, whose values are in columns.
package protocol ValueColumns {
  /// The number of rows.
  var rowCount: Int { get }
  /// The value of a row.
  func value(_ column: Int, row: Int) -> Value
  /// The UTF-8 bytes of a text; nil for null. They are valid during the test.
  func text(_ column: Int, row: Int) -> UnsafeRawBufferPointer?
}

/// A condition that is prepared for many rows outside of every table. It is tested column by column.
package struct RowsTest: Sendable {
  private let root: Node

  private indirect enum Node: Sendable {
    case constant(Bool)
    case all([Node])
    case any([Node])
    case not(Node)
    case value(Int, ValueTest)
    case text(Int, BytesTest)
    case pair(Int, Int, @Sendable (Value, Value) -> Bool)
  }

  /// Returns whether each row meets the condition.
  package func matches(_ columns: some ValueColumns) -> [Bool] {
    var rows = Array(repeating: true, count: columns.rowCount)
    RowsTest.refine(&rows, by: root, columns: columns)
    return rows
  }

  /// Keeps the rows that match.
  private static func refine(_ rows: inout [Bool], by node: Node, columns: some ValueColumns) {
    switch node {
    case .constant(let value):
      if !value { rows = Array(repeating: false, count: rows.count) }
    case .all(let parts):
      for part in parts { refine(&rows, by: part, columns: columns) }
    case .any(let parts):
      var left = rows
      for part in parts {
        var matches = left
        refine(&matches, by: part, columns: columns)
        for row in matches.indices where matches[row] { left[row] = false }
      }
      for row in rows.indices where left[row] { rows[row] = false }
    case .not(let part):
      var matches = rows
      refine(&matches, by: part, columns: columns)
      for row in rows.indices where matches[row] { rows[row] = false }
    case .value(let column, let test):
      for row in rows.indices where rows[row] {
        rows[row] = test.holds(columns.value(column, row: row))
      }
    case .text(let column, let test):
      for row in rows.indices where rows[row] {
        rows[row] = columns.text(column, row: row).map(test.passes) ?? false
      }
    case .pair(let left, let right, let test):
      for row in rows.indices where rows[row] {
        rows[row] = test(columns.value(left, row: row), columns.value(right, row: row))
      }
    }
  }

  /// Prepares a condition; nil if it needs more of a row than the values of its columns.
  fileprivate init?(_ root: PredicateNode, schema: TableSchema) {
    guard let node = RowsTest.node(root, schema: schema) else { return nil }
    self.root = node
  }

  private static func node(_ node: PredicateNode, schema: TableSchema) -> Node? {
    func value(_ expression: Expression, _ comparison: Comparison) -> Node? {
      leaf(expression, comparison: comparison, schema: schema)
    }
    switch node {
    case .constant(let value): return .constant(value)
    case .and(let parts): return nodes(parts, schema: schema).map { .all($0) }
    case .or(let parts): return nodes(parts, schema: schema).map { .any($0) }
    case .not(let part): return self.node(part, schema: schema).map { .not($0) }
    case .compare(let expression, let comparison, .value(let constant), let options):
      return value(expression, .compare(comparison, constant, options))
    case .between(let expression, let low, let high): return value(expression, .between(low, high))
    case .isIn(let expression, let values, let options):
      return value(expression, .isIn(values, options))
    case .match(let expression, let match, .value(let constant), let options):
      return value(expression, .match(match, constant, options))
    case .relation(let path, let relation, .shape(let shape)):
      return value(.path(path), .spatial(SpatialTest(relation, shape: shape)))
    case .distance(let path, let comparison, .shape(let shape), let distance):
      return value(.path(path), .spatial(SpatialTest(comparison, distance: distance, from: shape)))
    case .compare(.path(let path), let comparison, .expression(.path(let other)), let options):
      let test = PairComparison.compare(comparison, options).test(isMixed: true)
      return pair(path, other, schema: schema, test: test)
    case .match(.path(let path), let match, .expression(.path(let other)), let options):
      let test = PairComparison.match(match, options).test(isMixed: true)
      return pair(path, other, schema: schema, test: test)
    case .relation(let path, let relation, .property(let other, let edges)):
      let test = SpatialPairTest(relation, edges: edges)
      return pair(path, other, schema: schema) { test.holds($0, $1) }
    case .distance(let path, let comparison, .property(let other, _), let distance):
      let test = SpatialPairTest(comparison, distance: distance)
      return pair(path, other, schema: schema) { test.holds($0, $1) }
    case .compare, .match: return nil
    }
  }

  private static func nodes(_ parts: [PredicateNode], schema: TableSchema) -> [Node]? {
    let nodes = parts.compactMap { node($0, schema: schema) }
    return nodes.count == parts.count ? nodes : nil
  }

  private static func leaf(
    _ expression: Expression, comparison: Comparison, schema: TableSchema
  ) -> Node? {
    // Constants have the type of their property, so that flags and numbers never meet.
    let test = comparison.test(isMixed: true)
    switch expression {
    case .path(let path):
      guard let column = column(path, schema: schema) else { return nil }
      if case .match(let match, .string(let text), let options) = comparison,
        column.type == .string, let test = BytesTest(match, text: text, options: options)
      {
        return .text(column.position, test)
      }
      return .value(column.position, test)
    case .count(let path, nil):
      return column(path, schema: schema).map { .value($0.position, .length(test)) }
    case .aggregate, .count: return nil
    }
  }

  private static func pair(
    _ path: PropertyPath, _ other: PropertyPath, schema: TableSchema,
    test: @escaping @Sendable (Value, Value) -> Bool
  ) -> Node? {
    guard let left = column(path, schema: schema), let right = column(other, schema: schema) else {
      return nil
    }
    return .pair(left.position, right.position, test)
  }

  private static func column(_ path: PropertyPath, schema: TableSchema) -> ColumnSchema? {
    guard path.quantifier == .one, let name = path.name else { return nil }
    return schema.column(named: name)
  }
}

extension BoundPredicate {
  /// The condition, prepared for rows of the class that it is bound to; nil if it needs more of a
  /// row than the values of its columns.
  package func rowsTest(of schema: TableSchema) -> RowsTest? { RowsTest(root, schema: schema) }
}
