import CairnStorage
import CairnSystem
import CairnValues

/// Sorts by a column of the object behind a link, which may itself lead through further links.
final class LinkedSort: SortColumn {
  private let linkStep: LinkStep
  /// The sort column of those objects.
  let inner: SortColumn
  private let sortKeys: LinkedSortKeys

  /// Creates a sort column.
  ///
  /// - Parameters:
  ///   - column: The property that the link step follows.
  ///   - linkStep: A step to a single object.
  init(_ column: Column, linkStep: LinkStep, inner: SortColumn) {
    self.linkStep = linkStep
    self.inner = inner
    sortKeys = LinkedSortKeys(inner, live: linkStep.live, chunkCount: linkStep.target.chunkCount)
    super.init(column, isAscending: inner.isAscending)
  }

  override var name: String { "\(linkStep.name).\(inner.name)" }

  /// The object whose sort key is the row's; nil if the link is null.
  private func target(of key: Int) -> Int? {
    var target: Int?
    _ = linkStep.forEach(key) { found in
      target = found
      return false
    }
    return target
  }

  /// The sort key without an object: last ascending, first descending. For distances it is last in
  /// both directions.
  private var missing: UInt64 { isDistance && !isAscending ? 0 : .max }

  override func ascendingSortKeys(
    _ chunk: Chunk, first: Int, rows: Selection, sortKeys: UnsafeMutablePointer<UInt64>
  ) {
    let missing = missing
    let cached = self.sortKeys
    var position = 0
    guard linkStep is ToOneStep else {
      return rows.forEachRow { row -> Void in
        sortKeys[position] = target(of: first | row).map(cached.sortKey) ?? missing
        position += 1
      }
    }
    let live = linkStep.live
    rows.forEachRow { row -> Void in
      let target = Int(chunk.rowInteger(row))
      sortKeys[position] =
        chunk.isRowNull(row) || !live.holds(target) ? missing : cached.sortKey(target)
      position += 1
    }
  }

  override func isAmbiguous(_ sortKey: UInt64) -> Bool {
    // For distances, a missing object is the same as an object without a location.
    sortKey == missing && !isDistance || inner.isAmbiguous(sortKey)
  }

  override func isMissing(_ key: Int) -> Bool { target(of: key).map(inner.isMissing) ?? true }

  override func order(_ a: Int, and b: Int) -> Int {
    let isMissing = self.isMissing(a)
    if isMissing != self.isMissing(b) { return isMissing == (missing != 0) ? 1 : -1 }
    guard !isMissing, let first = target(of: a), let second = target(of: b) else { return 0 }
    // Rows with the same sort key, which the inner column may still have to tell apart.
    return inner.isAmbiguous(inner.ascendingSortKey(first)) ? inner.order(first, and: second) : 0
  }

  override var isDistance: Bool { inner.isDistance }
  override func radians(_ key: Int) -> Double? { target(of: key).flatMap(inner.radians) }

  override func prepareFurther(_ chunks: [Int]) {
    linkStep.prepare()
    sortKeys.prepare(RowAddress.firstKey(ofChunk: chunks.count))
  }
}

/// Sorts by mixed values and by the values under a key of a map.
final class ReaderSort: SortColumn {
  private let reader: PathReader

  init(_ column: Column, reader: PathReader, isAscending: Bool) {
    self.reader = reader
    super.init(column, isAscending: isAscending)
  }

  override func ascendingSortKeys(
    _ chunk: Chunk, first: Int, rows: Selection, sortKeys: UnsafeMutablePointer<UInt64>
  ) {
    let isMixed = reader.linkPath.isMixed
    var position = 0
    rows.forEachRow { row -> Void in
      let value = reader.value(first | row)
      sortKeys[position] = value.isNull ? 0 : isMixed ? 1 : NormalizedKey.of(value)
      position += 1
    }
  }

  override func isAmbiguous(_ sortKey: UInt64) -> Bool { sortKey != 0 }

  override func order(_ a: Int, and b: Int) -> Int {
    Int(Value.sortOrder(reader.value(a), to: reader.value(b)).rawValue)
  }

  override func prepareFurther(_ chunks: [Int]) { reader.prepare(chunks) }
}

extension NormalizedKey {
  /// The sort key of a value among others of its type; 1 if the type has no sort keys.
  fileprivate static func of(_ value: Value) -> UInt64 {
    switch value {
    case .bool(let flag): of(flag ? 1 : 0 as Int64)
    case .int(let number): of(number)
    case .float(let number): of(Double(number))
    case .double(let number), .date(let number): of(number)
    case .string(let text): text.utf8.withBytes(of)
    case .data(let bytes): bytes.withUnsafeBytes(of)
    default: 1
    }
  }
}

/// The normalized sort keys of another class's rows. A chunk is read as a whole once enough of its
/// rows are requested.
final class LinkedSortKeys {
  /// The row count of the largest class whose sort keys are cached, at 8 bytes per row.
  private static let maxRows = 1 << 24
  /// The number of single rows of a chunk that costs about as much as the whole chunk.
  private static let maxSingles = 64

  private let sort: SortColumn
  private let live: LiveRows
  private let chunkCount: Int
  /// The sort keys by chunk; nil if the chunk has not been read as a whole.
  private let sortKeys: UnsafeMutablePointer<UnsafeMutablePointer<UInt64>?>
  /// The number of single rows requested from each chunk.
  private var singles: [Int] = []
  /// Whether other threads may read. If so, nothing more is added.
  private var isShared = false

  /// Creates a cache.
  ///
  /// - Parameter live: The live rows of the class.
  init(_ sort: SortColumn, live: LiveRows, chunkCount: Int) {
    self.sort = sort
    self.live = live
    self.chunkCount = chunkCount
    sortKeys = .allocate(capacity: max(1, chunkCount))
    sortKeys.initialize(repeating: nil, count: chunkCount)
  }

  deinit {
    for chunk in 0..<chunkCount { sortKeys[chunk]?.deallocate() }
    sortKeys.deallocate()
  }

  /// The ascending sort key of a row of the class.
  @inline(__always)
  func sortKey(_ key: Int) -> UInt64 {
    assert(
      key >= 0 && key < live.end && RowAddress(key).chunk < chunkCount, "the row does not exist")
    if let cached = sortKeys[RowAddress(key).chunk] { return cached[RowAddress(key).row] }
    return single(key)
  }

  @inline(never)
  private func single(_ key: Int) -> UInt64 {
    if !isShared, live.end <= LinkedSortKeys.maxRows {
      assert(!SharedWork.isRunning, "sort keys are prepared before threads share them")
      if singles.isEmpty { singles = Array(repeating: 0, count: chunkCount) }
      let chunk = RowAddress(key).chunk
      singles[chunk] += 1
      if singles[chunk] > LinkedSortKeys.maxSingles {
        fill(chunk)
        return sortKey(key)
      }
    }
    return sort.ascendingSortKey(key)
  }

  private func fill(_ chunk: Int) {
    assert(chunk >= 0 && chunk < chunkCount, "the chunk does not exist")
    let made = UnsafeMutablePointer<UInt64>.allocate(capacity: ChunkShape.rows)
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: ChunkShape.words) { words in
      guard let base = words.baseAddress else { return }
      var rows = Selection(base)
      rows.selectAll(min(ChunkShape.rows, live.end - RowAddress.firstKey(ofChunk: chunk)))
      sort.ascendingSortKeys(
        sort.column.chunk(chunk), first: RowAddress.firstKey(ofChunk: chunk), rows: rows,
        sortKeys: made)
    }
    sortKeys[chunk] = made
  }

  /// Prepares for reads from other threads, on the snapshot's own thread.
  ///
  /// - Parameter count: The approximate number of rows that will be read.
  func prepare(_ count: Int) {
    sort.prepare(Array(0..<chunkCount))
    if live.end <= LinkedSortKeys.maxRows, count >= live.end / 4 {
      let open = (0..<chunkCount).filter { sortKeys[$0] == nil }
      let parts = open.count < 8 ? 1 : min(open.count, WorkerPool.shared.width * 4)
      WorkerPool.shared.run(parts) { part in
        for position in open.count * part / parts..<open.count * (part + 1) / parts {
          fill(open[position])
        }
      }
    }
    isShared = true
  }
}
