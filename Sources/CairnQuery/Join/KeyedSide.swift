import CairnStorage
import CairnSystem
import CairnValues

/// One class of a join by equal values: its rows, and the properties that are compared.
final class KeyedSide: JoinRows {
  private let columns: [KeyColumn]
  private let paths: [PropertyPath]
  /// Whether rows with the same word have equal values.
  let isExact: Bool

  /// - Parameter keys: The property of each equality, resolved in the class.
  init(_ input: JoinQuery.Input, table: Table, keys: [BoundKey], isOuter: Bool) throws {
    let first = keys[0].linkPath.linkSteps.first?.ownColumn ?? keys[0].column
    let result = try Result(input, of: table, without: first, isOuter: isOuter)
    columns = keys.map {
      KeyColumn($0.linkPath, column: $0.column, kind: $0.kind, rows: result.rows, of: table)
    }
    paths = keys.map(\.path)
    isExact = keys.count == 1 && keys[0].kind.isExact
    super.init(result)
  }

  override var name: String {
    paths.map { "\(table.schema.name).\($0)" }.joined(separator: ", ")
  }

  /// Resolves the data that other threads will read, on the snapshot's own thread.
  func prepare() {
    let chunks = usedChunks
    for column in columns { column.prepare(chunks) }
  }

  /// Writes a word for the values of each row of a chunk that takes part, at the index of the row, and
  /// selects these rows. Rows that equal each other have the same word.
  func read(_ chunk: Int, rows: inout Selection, words: KeyWords) {
    rows.clear()
    for word in 0..<ChunkShape.words { rows.words[word] = self.rows.word(chunk, at: word) }
    rows.upper = ChunkShape.words
    columns[0].read(chunk, rows: &rows, into: words.all)
    for column in columns.dropFirst() {
      column.read(chunk, rows: &rows, into: words.further)
      rows.forEachRow { row -> Void in
        words.all[row] = WordTable.mixed(words.all[row] &+ 1) ^ words.further[row]
      }
    }
  }

  /// Removes the pairs whose rows have the same word, but other values.
  ///
  /// - Parameter keys: The keys of the candidates, of the other side.
  func keepEqual(_ pairs: PairBatch, _ other: KeyedSide, _ keys: [Int]) {
    for (column, otherColumn) in zip(columns, other.columns) {
      column.keepEqual(pairs, otherColumn, keys)
    }
  }

  /// A condition on the other side that its partners of these rows meet, and that an index of it
  /// answers; nil without such an index.
  func condition(on other: KeyedSide) -> PredicateNode? {
    guard let index = other.columns.firstIndex(where: \.isIndexed) else { return nil }
    var known: Set<Value> = []
    let values = rows.keys.map { columns[index].value($0) }.filter { known.insert($0).inserted }
    guard !values.contains(where: \.isNaN) else { return nil }
    return .isIn(.path(other.paths[index]), values, [])
  }
}

/// Memory for the words of the rows of a chunk. For use by one thread.
final class KeyWords {
  let all = UnsafeMutablePointer<UInt64>.allocate(capacity: ChunkShape.rows)
  let further = UnsafeMutablePointer<UInt64>.allocate(capacity: ChunkShape.rows)

  deinit {
    all.deallocate()
    further.deallocate()
  }
}

/// A property of one side, resolved in its class, and how it is compared.
struct BoundKey {
  let path: PropertyPath
  let linkPath: LinkPath
  let column: Column
  let kind: KeyKind

  /// Resolves both properties of an equality.
  ///
  /// - Throws: `QueryError` if one does not exist or has several values, or if their values are not
  ///   compared with each other.
  static func pair(
    _ equality: JoinQuery.Equality, _ left: Table, _ right: Table
  ) throws(QueryError) -> (left: BoundKey, right: BoundKey) {
    let one = try resolve(equality.left, in: left)
    let other = try resolve(equality.right, in: right)
    guard let kind = KeyKind(one.column.schema.type, other.column.schema.type) else {
      let (a, b) = (one.column.schema.type.name, other.column.schema.type.name)
      let reason = a == b ? "whose values a join does not compare" : "and cannot be equal"
      throw QueryError(
        .typeMismatch,
        message: "'\(left.schema.name).\(equality.left)' is of type \(a) and "
          + "'\(right.schema.name).\(equality.right)' of type \(b), \(reason)")
    }
    return (
      BoundKey(path: equality.left, linkPath: one.path, column: one.column, kind: kind),
      BoundKey(path: equality.right, linkPath: other.path, column: other.column, kind: kind)
    )
  }

  private static func resolve(
    _ path: PropertyPath, in table: Table
  ) throws(QueryError) -> (path: LinkPath, column: Column) {
    let linkPath = try PathBinder(table: table).linkPath(path)
    guard case .column(let column) = linkPath.end, !linkPath.isMany, linkPath.below.isEmpty,
      linkPath.linkSteps.allSatisfy({ $0 is ToOneStep })
    else {
      throw QueryError(
        .unsupportedType,
        message: "'\(path)' of class '\(table.schema.name)' does not lead to a single value; "
          + "a join compares one of each row")
    }
    return (linkPath, column)
  }
}

extension JoinExecution.Sides {
  /// The greatest number of rows of one side whose values are looked up in an index of the other.
  private static let fewRows = 64

  /// Binds both classes of a join.
  init(_ query: JoinQuery, left: Table, right: Table) throws {
    guard case .equal(let equalities) = query.condition else {
      self = .places(
        left: try JoinSide(query.left, table: left, isOuter: query.isOuter),
        right: try JoinSide(query.right, table: right))
      return
    }
    guard !equalities.isEmpty else {
      throw QueryError(.invalidArgument, message: "a join by equal values compares at least one")
    }
    let keys = try equalities.map { try BoundKey.pair($0, left, right) }
    func bind(_ side: JoinQuery.Side, with condition: PredicateNode? = nil) throws -> KeyedSide {
      var input = side == .left ? query.left : query.right
      if let condition { input.predicate = .all([input.predicate, Predicate(condition)]) }
      return try KeyedSide(
        input, table: side == .left ? left : right,
        keys: keys.map { side == .left ? $0.left : $0.right },
        isOuter: side == .left && query.isOuter)
    }
    var (one, other) = (try bind(.left), try bind(.right))
    if one.count <= Self.fewRows, other.count > Self.fewRows, query.right.steps.isEmpty,
      let condition = one.condition(on: other)
    {
      other = try bind(.right, with: condition)
    } else if other.count <= Self.fewRows, one.count > Self.fewRows, !query.isOuter,
      query.left.steps.isEmpty, let condition = other.condition(on: one)
    {
      one = try bind(.left, with: condition)
    }
    self = .keys(left: one, right: other)
  }
}
