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

  /// The numbers of a column in memory; nil if they do not lie there. This and the following are valid
  /// during the test.
  func numbers(_ column: Int) -> RawNumbers?
  /// The locations of a column in memory; nil if they do not lie there.
  func positions(_ column: Int) -> RawPositions?
  /// The texts of a column that has a dictionary; nil for another one.
  func sharedTexts(_ column: Int) -> SharedTexts?
}

extension ValueColumns {
  package func numbers(_ column: Int) -> RawNumbers? { nil }
  package func positions(_ column: Int) -> RawPositions? { nil }
  package func sharedTexts(_ column: Int) -> SharedTexts? { nil }
}

/// A condition that is prepared for many rows outside of every table. It is tested column by column.
package struct RowsTest: Sendable {
  private let root: Node

  private indirect enum Node: Sendable {
    case constant(Bool)
    case all([Node])
    case any([Node])
    case not(Node)
    case value(ColumnTest)
    case spatial(Int, SpatialTest)
    case pair(Int, Int, @Sendable (Value, Value) -> Bool)
  }

  /// A condition on the values of a column.
  private struct ColumnTest: Sendable {
    /// The number of the test, which no other one of the condition has.
    var number = 0
    let column: Int
    let test: ValueTest
    /// The same test on numbers in memory, and on the bytes of texts.
    var numbers: RangesTest?
    var texts: TextTest?
  }

  /// Returns whether each row meets the condition.
  package func matches(_ columns: some ValueColumns) -> [Bool] {
    var rows = Array(repeating: true, count: columns.rowCount)
    rows.withUnsafeMutableBufferPointer { RowsTest.refine($0, by: root, columns: columns) }
    return rows
  }

  /// The positions of the columns that are tested.
  package var columns: Set<Int> { RowsTest.columns(root) }

  /// Returns the part of the condition that some columns decide; nil without one. All rows that meet
  /// the condition meet it too.
  package func weakened(to columns: (Int) -> Bool) -> RowsTest? {
    RowsTest.weakened(root, to: columns).map(RowsTest.init(root:))
  }

  private init(root: Node) { self.root = root }

  private static func columns(_ node: Node) -> Set<Int> {
    switch node {
    case .constant: []
    case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion(columns($1)) }
    case .not(let part): columns(part)
    case .value(let test): [test.column]
    case .spatial(let column, _): [column]
    case .pair(let left, let right, _): [left, right]
    }
  }

  private static func weakened(_ node: Node, to isKnown: (Int) -> Bool) -> Node? {
    guard case .all(let parts) = node else {
      return columns(node).allSatisfy(isKnown) ? node : nil
    }
    let known = parts.compactMap { weakened($0, to: isKnown) }
    return known.isEmpty ? nil : .all(known)
  }

  /// Keeps the rows that match.
  private static func refine(
    _ rows: UnsafeMutableBufferPointer<Bool>, by node: Node, columns: some ValueColumns
  ) {
    switch node {
    case .constant(let value):
      if !value { rows.update(repeating: false) }
    case .all(let parts):
      for part in parts { refine(rows, by: part, columns: columns) }
    case .any(let parts): refine(rows, byAny: parts, columns: columns)
    case .not(let part):
      var matches = Array(rows)
      matches.withUnsafeMutableBufferPointer { refine($0, by: part, columns: columns) }
      for row in rows.indices where matches[row] { rows[row] = false }
    case .value(let test): refine(rows, by: test, columns: columns)
    case .spatial(let column, let test):
      refine(rows, by: test, of: column, columns: columns)
    case .pair(let left, let right, let test):
      for row in rows.indices where rows[row] {
        rows[row] = test(columns.value(left, row: row), columns.value(right, row: row))
      }
    }
  }

  private static func refine(
    _ rows: UnsafeMutableBufferPointer<Bool>, byAny parts: [Node], columns: some ValueColumns
  ) {
    var left = Array(rows)
    for part in parts {
      var matches = left
      matches.withUnsafeMutableBufferPointer { refine($0, by: part, columns: columns) }
      for row in matches.indices where matches[row] { left[row] = false }
    }
    for row in rows.indices where left[row] { rows[row] = false }
  }

  private static func refine(
    _ rows: UnsafeMutableBufferPointer<Bool>, by test: ColumnTest, columns: some ValueColumns
  ) {
    let column = test.column
    if let numbers = test.numbers, let raw = columns.numbers(column), raw.type == numbers.type {
      return numbers.refine(rows, raw)
    }
    if let shared = columns.sharedTexts(column) {
      return shared.refine(rows, number: test.number) { bytes in
        if let texts = test.texts { return texts.passes(bytes) }
        return test.test.holds(bytes.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null)
      }
    }
    if let texts = test.texts {
      for row in rows.indices where rows[row] {
        rows[row] = texts.passes(columns.text(column, row: row))
      }
      return
    }
    for row in rows.indices where rows[row] {
      rows[row] = test.test.holds(columns.value(column, row: row))
    }
  }

  private static func refine(
    _ rows: UnsafeMutableBufferPointer<Bool>, by test: SpatialTest, of column: Int,
    columns: some ValueColumns
  ) {
    if let places = columns.positions(column), let matcher = try? test.locations() {
      for row in rows.indices where rows[row] {
        rows[row] =
          !places.isNull(row)
          && matcher.holds(longitude: places.longitude(row), latitude: places.latitude(row))
            != test.isInverted
      }
      return
    }
    var test = SpatialTest.Holder(test)
    for row in rows.indices where rows[row] {
      rows[row] = test.holds(columns.value(column, row: row))
    }
  }

  /// Prepares a condition; nil if it needs more of a row than the values of its columns.
  fileprivate init?(_ root: BoundNode) {
    var count = 0
    guard let node = RowsTest.node(root, &count) else { return nil }
    self.root = node
  }

  private static func node(_ node: BoundNode, _ count: inout Int) -> Node? {
    switch node {
    case .constant(let value): return .constant(value)
    case .and(let parts): return nodes(parts, &count).map { .all($0) }
    case .or(let parts): return nodes(parts, &count).map { .any($0) }
    case .not(let part): return self.node(part, &count).map { .not($0) }
    case .values(let expression, let condition):
      guard var test = test(expression, condition) else { return nil }
      test.number = count
      count += 1
      return .value(test)
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

  private static func nodes(_ parts: [BoundNode], _ count: inout Int) -> [Node]? {
    let nodes = parts.compactMap { node($0, &count) }
    return nodes.count == parts.count ? nodes : nil
  }

  private static func test(
    _ expression: BoundExpression, _ condition: ValueCondition
  ) -> ColumnTest? {
    // Constants have the type of their property, so that flags and numbers never meet.
    let test = condition.test(isMixed: true)
    switch expression {
    case .path(let path):
      guard let column = path.plainColumn else { return nil }
      let isOwn = path.ownColumn != nil && column.collection == .none
      let numbers = isOwn ? RangesTest(condition, test: test, type: column.type) : nil
      let texts = isOwn && column.type == .string ? TextTest(condition, single: test) : nil
      return ColumnTest(column: column.position, test: test, numbers: numbers, texts: texts)
    case .length(let path):
      return column(path).map { ColumnTest(column: $0, test: .length(test)) }
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
