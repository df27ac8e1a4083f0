import CairnGeometry
import CairnIndex
import CairnStorage
import CairnValues

/// One class of a join, bound to its table: the column that is compared, and the rows that take part.
///
/// The memory that it reads may be read by any thread after ``prepare()``.
final class JoinSide {
  let table: Table
  /// The path to the location or geometry that is compared.
  let path: PropertyPath
  /// The points or geometries.
  let column: Column
  /// The boxes of the geometries; nil if the column holds points.
  let boxes: Column?
  /// The class of the column: that of the side, or one behind links.
  let endTable: Table
  /// The objects behind links that the rows lead to; nil if the column is one of the rows' own.
  private let targets: JoinTargets?
  /// A bit for each row that takes part, in whole chunks: live, not null or empty, and meeting the
  /// condition of the side.
  let rows: RowBitmap
  /// For an outer join, every row that meets the condition of the side, also without a location or
  /// geometry.
  let allKeys: [Int]
  /// The base runs of the R-tree.
  let runs: [JoinRun]
  private let execution: Execution

  var holdsPoints: Bool { boxes == nil }
  /// The number of rows that take part.
  let count: Int

  /// - Throws: `QueryError` if the path does not lead to one location or geometry of each row;
  ///   `PredicateError` if the condition does not fit the class.
  init(_ input: JoinQuery.Input, table: Table, isOuter: Bool = false) throws {
    self.table = table
    path = input.path
    let linkPath = try PathBinder(table: table).linkPath(path, isLocation: true)
    (column, boxes) = try linkPath.joinColumns(path, of: table)
    endTable = linkPath.endTable
    execution = try Execution(input.rows, on: table)
    let first = linkPath.linkSteps.first?.ownColumn ?? boxes ?? column
    if execution.plan.isPlain, input.rows.steps.isEmpty {
      rows = RowBitmap(execution, without: first)
      allKeys = isOuter ? execution.keys() : []
    } else {
      let keys = execution.keys().sorted()
      rows = RowBitmap(of: keys, in: table, without: first)
      allKeys = isOuter ? keys.enumerated().filter { $0 == 0 || keys[$0 - 1] != $1 }.map(\.1) : []
    }
    targets =
      linkPath.linkSteps.isEmpty
      ? nil
      : JoinTargets(
        linkPath.linkSteps, column: boxes ?? column, rows: rows, of: table, end: endTable)
    count = rows.count
    runs = targets == nil ? Self.runs(of: table, boxes ?? column) : []
  }

  private static func runs(of table: Table, _ column: Column) -> [JoinRun] {
    func runs<Entry: IndexedEntry>(_ type: Entry.Type) -> [JoinRun] {
      Entry.index(of: table, column.schema.position)?.baseRuns.map(JoinRun.init) ?? []
    }
    return runs(column.schema.entryType)
  }

  /// The chunks with rows that take part.
  var usedChunks: [Int] { (0..<table.chunkCount).filter(rows.hasRows) }

  /// Resolves the data that other threads will read, on the snapshot's own thread.
  func prepare() {
    if hasLinks {
      column.prepareAll(of: endTable)
      boxes?.prepareAll(of: endTable)
      return
    }
    for chunk in 0..<table.chunkCount where rows.hasRows(chunk) {
      _ = column.chunk(chunk)
      if let boxes { _ = boxes.chunk(chunk) }
    }
  }

  /// The rows that no base run covers, in an order in which neighbours are near each other: that of
  /// the delta runs, then the others along the Hilbert curve.
  var uncoveredKeys: [Int] {
    let rest = rows.copy(without: runs.map(\.covered))
    let first = hasLinks ? [] : moveDeltaRuns(of: rest)
    let others = rest.keys
    let order = others.map { Hilbert.key(of: envelope(of: $0)) }
      .withUnsafeBufferPointer { RadixSort.order($0) }
    return first + order.map { others[Int($0)] }
  }

  /// Removes the rows of the delta runs from a bitmap, and returns them in their order.
  private func moveDeltaRuns(of rest: RowBitmap) -> [Int] {
    var keys: [Int] = []
    keys.reserveCapacity(rest.count)
    func move<Entry: IndexedEntry>(_ type: Entry.Type, position: Int) {
      for run in Entry.index(of: table, position)?.deltaRuns ?? [] {
        for entry in 0..<run.keys.count { rest.move(run.keys[entry], to: &keys) }
      }
    }
    let indexed = (boxes ?? column).schema
    move(indexed.entryType, position: indexed.position)
    return keys
  }

  /// Whether the locations or geometries lie behind links.
  var hasLinks: Bool { targets != nil }

  /// The object whose location or geometry a row is compared by.
  @inline(__always)
  func target(of key: Int) -> Int { targets.map { $0[key] } ?? key }

  /// The box around the location or geometry of a row.
  func envelope(of key: Int) -> Envelope {
    let address = RowAddress(target(of: key))
    guard let boxes else {
      let point = column.chunk(address.chunk).position(at: address.row)
      return Envelope(
        west: point.longitude, south: point.latitude, east: point.longitude, north: point.latitude)
    }
    return boxes.chunk(address.chunk).boxes[address.row]
  }

  /// The name of the property that is compared, with dots along links.
  var name: String { "\(table.schema.name).\(path)" }

  /// A description of the rows that take part, and of how they are found.
  var description: String {
    let plan = execution.plan
    let parts =
      [plan.accessDescription] + plan.filters.map { "where \($0.explanation)" }
      + plan.stepDescriptions
    return "\(name), \(count) rows: \(parts.joined(separator: ", "))"
  }
}

extension LinkPath {
  /// The column of points or geometries at the end, and that of the geometries' boxes.
  fileprivate func joinColumns(
    _ path: PropertyPath, of table: Table
  ) throws(QueryError) -> (column: Column, boxes: Column?) {
    let name = "'\(path)' of class '\(table.schema.name)'"
    guard !isMany else {
      throw QueryError(
        .unsupportedType,
        message: "\(name) leads to several values; a join compares one of each row")
    }
    guard case .column(let column) = end,
      let spatial = endTable.schema.spatialColumn(for: column.schema)
    else {
      throw QueryError(
        .typeMismatch, message: "\(name) is neither a location nor a geometry to join by")
    }
    return column.schema.isPoint
      ? (column, nil) : (column, endTable.column(spatial.position))
  }
}

extension JoinQuery.Input {
  /// The query for the rows, without a step that only sorts them.
  fileprivate var rows: TableQuery {
    let isOrdered = steps.contains { if case .sort = $0 { false } else { true } }
    return TableQuery(
      table: table, source: source, predicate: predicate, steps: isOrdered ? steps : [])
  }
}

/// A base run of a side's R-tree.
struct JoinRun {
  /// The rows, from a chunk boundary on; position p of the tree is row `rows.lowerBound + p`.
  let rows: Range<Int>
  let nodes: TreeNodes
  /// The rows that the run covers.
  let covered: RowBitmap

  init(_ run: SpatialIndex<some SpatialEntry>.BaseRun) {
    rows = run.rows
    nodes = run.tree.nodes
    covered = RowBitmap(of: rows, without: run.tombstones)
  }

  /// The chunks that contain rows of the run.
  var chunks: Range<Int> {
    RowAddress(rows.lowerBound).chunk..<ChunkShape.chunkCount(ofRows: rows.upperBound)
  }
}

/// A bit for each row of a class, in whole chunks.
final class RowBitmap {
  /// The words of the bitmap. Valid while it exists.
  let words: UnsafeMutablePointer<UInt64>
  /// The chunks that have words.
  private let chunks: Range<Int>

  private init(chunks: Range<Int>) {
    self.chunks = chunks
    words = .allocate(capacity: max(1, chunks.count * ChunkShape.words))
    words.initialize(repeating: 0, count: max(1, chunks.count * ChunkShape.words))
  }

  deinit { words.deallocate() }

  /// The rows of a query's result that are not null in a column.
  convenience init(_ execution: Execution, without column: Column) {
    let chunks = 0..<execution.table.chunkCount
    self.init(chunks: chunks)
    _ = execution.gather(execution.plan.scan) {
      BitmapSink(words, chunks: chunks, column: column)
    }
  }

  /// The rows among some that are not null in a column.
  convenience init(of keys: [Int], in table: Table, without column: Column) {
    self.init(chunks: 0..<table.chunkCount)
    for key in keys {
      let address = RowAddress(key)
      assert(chunks.contains(address.chunk), "the row is outside of the bitmap")
      guard !column.chunk(address.chunk).isRowNull(address.row) else { continue }
      words[key >> 6] |= 1 << UInt64(key & 63)
    }
  }

  /// The rows of a run without those that it no longer covers.
  convenience init(of rows: Range<Int>, without tombstones: TombstoneBitmap) {
    assert(RowAddress(rows.lowerBound).row == 0, "a run begins with a chunk")
    let first = RowAddress(rows.lowerBound).chunk
    let end = ChunkShape.chunkCount(ofRows: rows.upperBound)
    self.init(chunks: first..<end)
    words.setBits(0..<rows.count)
    for chunk in first..<end {
      guard let dead = tombstones.words(chunk: chunk) else { continue }
      let base = words + (chunk - first) * ChunkShape.words
      for word in 0..<ChunkShape.words { base[word] &= ~dead[word] }
    }
  }

  /// The same rows without those of other bitmaps.
  func copy(without others: [RowBitmap]) -> RowBitmap {
    let copy = RowBitmap(chunks: chunks)
    for index in 0..<chunks.count * ChunkShape.words {
      let chunk = chunks.lowerBound + index / ChunkShape.words
      copy.words[index] = others.reduce(words[index]) {
        $0 & ~$1.word(chunk, at: index % ChunkShape.words)
      }
    }
    return copy
  }

  /// Removes a row and appends its key to others if it is in the bitmap, which begins at the first
  /// chunk.
  func move(_ key: Int, to keys: inout [Int]) {
    assert(chunks.lowerBound == 0, "the bitmap does not begin at the first chunk")
    let bit: UInt64 = 1 << UInt64(key & 63)
    guard key >= 0, key < RowAddress.firstKey(ofChunk: chunks.upperBound),
      words[key >> 6] & bit != 0
    else {
      return
    }
    words[key >> 6] &= ~bit
    keys.append(key)
  }

  /// A word of a chunk; 0 for chunks without words.
  func word(_ chunk: Int, at word: Int) -> UInt64 {
    assert(word >= 0 && word < ChunkShape.words, "the word is outside of the chunk")
    return chunks.contains(chunk) ? words[(chunk - chunks.lowerBound) * ChunkShape.words + word] : 0
  }

  /// The number of rows.
  var count: Int {
    (0..<chunks.count * ChunkShape.words).reduce(0) { $0 + words[$1].nonzeroBitCount }
  }

  /// Whether a chunk has any row.
  func hasRows(_ chunk: Int) -> Bool {
    (0..<ChunkShape.words).contains { word(chunk, at: $0) != 0 }
  }

  /// Removes the rows of a chunk that do not pass a test of their keys.
  func keep(ofChunk chunk: Int, where isIncluded: (Int) -> Bool) {
    assert(chunks.contains(chunk), "the chunk is outside of the bitmap")
    let first = RowAddress.firstKey(ofChunk: chunk)
    let base = words + (chunk - chunks.lowerBound) * ChunkShape.words
    for word in 0..<ChunkShape.words where base[word] != 0 {
      base[word] = base[word].keepingEach { isIncluded(first | word << 6 | $0) }
    }
  }

  /// Every row in ascending order.
  var keys: [Int] {
    var keys: [Int] = []
    for index in 0..<chunks.count * ChunkShape.words {
      var bits = words[index]
      while bits != 0 {
        keys.append(
          RowAddress.firstKey(ofChunk: chunks.lowerBound) + index << 6 + bits.trailingZeroBitCount)
        bits &= bits &- 1
      }
    }
    return keys
  }
}

/// Sets the bits of the rows that are not null in a column.
private final class BitmapSink: Sink {
  private let words: UnsafeMutablePointer<UInt64>
  private let chunks: Range<Int>
  private let column: Column

  /// - Parameter chunks: The chunks that have words.
  init(_ words: UnsafeMutablePointer<UInt64>, chunks: Range<Int>, column: Column) {
    self.words = words
    self.chunks = chunks
    self.column = column
  }

  func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }

  func take(_ chunk: Int, selection: inout Selection, scratch: ScratchBuffers) -> Bool {
    assert(chunks.lowerBound == 0 && chunks.contains(chunk), "the chunk is outside of the bitmap")
    let nulls = column.chunk(chunk).nulls
    let base = words + chunk * ChunkShape.words
    for word in selection.wordRange {
      base[word] = selection.words[word] & ~(nulls?[word] ?? 0)
    }
    return true
  }
}
