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
    case spatial(Int, SpatialTest)
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
    case .spatial(let column, let test):
      var test = SpatialTest.Holder(test)
      for row in rows.indices where rows[row] {
        rows[row] = test.holds(columns.value(column, row: row))
      }
    case .pair(let left, let right, let test):
      for row in rows.indices where rows[row] {
        rows[row] = test(columns.value(left, row: row), columns.value(right, row: row))
      }
    }
  }

  /// Prepares a condition; nil if it needs more of a row than the values of its columns.
  fileprivate init?(_ root: BoundNode) {
    guard let node = RowsTest.node(root) else { return nil }
    self.root = node
  }

  private static func node(_ node: BoundNode) -> Node? {
    switch node {
    case .constant(let value): return .constant(value)
    case .and(let parts): return nodes(parts).map { .all($0) }
    case .or(let parts): return nodes(parts).map { .any($0) }
    case .not(let part): return self.node(part).map { .not($0) }
    case .values(let expression, let condition): return values(expression, condition)
    case .pair(.path(let path), let condition, .path(let other)):
      return pair(path, other, test: condition.test(isMixed: true))
    case .spatial(let path, let condition, let shape):
      return column(path).map { .spatial($0, SpatialTest(condition, shape: shape)) }
    case .spatialPair(let path, let condition, let other, let edges):
      let test = SpatialPairTest(condition, edges: edges)
      return pair(path, other) { test.holds($0, $1) }
    case .pair, .collection: return nil
    }
  }

  private static func nodes(_ parts: [BoundNode]) -> [Node]? {
    let nodes = parts.compactMap(node)
    return nodes.count == parts.count ? nodes : nil
  }

  private static func values(_ expression: BoundExpression, _ condition: ValueCondition) -> Node? {
    // Constants have the type of their property, so that flags and numbers never meet.
    let test = condition.test(isMixed: true)
    switch expression {
    case .path(let path):
      if case .match(let match, .string(let text), let options) = condition,
        path.ownColumn?.type == .string, let column = column(path),
        let test = BytesTest(match, text: text, options: options)
      {
        return .text(column, test)
      }
      return column(path).map { .value($0, test) }
    case .length(let path): return column(path).map { .value($0, .length(test)) }
    case .aggregate, .count: return nil
    }
  }

  private static func pair(
    _ path: BoundPath, _ other: BoundPath, test: @escaping @Sendable (Value, Value) -> Bool
  ) -> Node? {
    guard let left = column(path), let right = column(other) else { return nil }
    return .pair(left, right, test)
  }

  /// The position of the column that is the whole path.
  private static func column(_ path: BoundPath) -> Int? { path.plainColumn?.position }
}

extension BoundPredicate {
  /// The condition, prepared for rows of the class that it is bound to; nil if it needs more of a
  /// row than the values of its columns.
  package var rowsTest: RowsTest? { RowsTest(root) }
}
