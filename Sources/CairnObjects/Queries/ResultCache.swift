import CairnQuery
import CairnStorage
import CairnSystem

/// The cached results of one query: their count, and the keys that were read.
///
/// The cache is evicted when the realm advances to another snapshot, and when a write transaction
/// changes something.
final class ResultCache: _SnapshotCache {
  let handle: ClassHandle
  let source: ObjectSource
  /// The query. Its source is resolved for the present snapshot only in `execution`.
  let query: TableQuery
  private var version = -1
  private var bound: Execution?
  /// The dependencies of the query in the present snapshot, once a tracking has asked for them.
  private var dependencies: QueryDependencies?
  private var cachedCount: Int?
  /// The first keys, in order.
  private var keys: [Int] = []
  /// Whether `keys` is complete.
  private var isComplete = false
  /// The cursor that returns the following keys, for unordered results.
  private var cursor: KeyCursor?
  /// Protects the cache of a frozen realm's results, which any thread reads.
  private let lock: RecursiveLock?

  init(_ handle: ClassHandle, source: ObjectSource, query: TableQuery) {
    self.handle = handle
    self.source = source
    self.query = query
    lock = handle.session.isFrozen ? RecursiveLock() : nil
  }

  @inline(__always)
  private func withLock<R>(_ body: () -> R) -> R { lock.map { $0.withLock(body) } ?? body() }

  /// The query on the table of the present snapshot. An execution caches what it computes, so each
  /// caller gets one of its own for frozen results.
  var execution: Execution { orFatal { try boundExecution() } }

  /// Binds the query now, for callers that want its mistakes thrown.
  func bind() throws { _ = try boundExecution() }

  /// The query on the table of the present snapshot, for queries that may come from outside the
  /// program.
  func boundExecution() throws -> Execution {
    evictIfStale()
    if let bound { return bound }
    let execution = try Execution(presentQuery, on: handle.table)
    execution.watch = handle.session.configuration.slowQueries?.watch
    Logger.log(
      .trace, category: Category.Storage.query, message: "\(handle.name) where \(query.predicate)")
    if lock == nil {
      willCache(handle.session)
      bound = execution
    }
    return execution
  }

  override func evict() -> Any? {
    defer {
      bound = nil
      cursor = nil
    }
    return bound
  }

  /// The query, with its source as of the present snapshot.
  var presentQuery: TableQuery {
    evictIfStale()
    var query = query
    query.source = source.rows
    return query
  }

  private func evictIfStale() {
    // Frozen results never become outdated.
    guard lock == nil else { return }
    handle.session.checkThread()
    if handle.session.isTracked { track() }
    if !isWhole || !source.isAll { handle.session.packCollections() }
    guard version != handle.version else { return }
    version = handle.version
    dependencies = nil
    bound = nil
    cachedCount = nil
    keys = []
    isComplete = false
    cursor = nil
  }

  /// Makes the present tracking depend on everything that the query reads.
  private func track() {
    source.track()
    if dependencies == nil || version != handle.version {
      dependencies = try? QueryDependencies(query, reading: [], of: handle.table)
    }
    if let dependencies { handle.session.trackQuery(dependencies) }
  }

  /// The query, for a caller that reads further properties at its results.
  ///
  /// - Parameter paths: The paths of these properties, with dots along links.
  func boundExecution(reading paths: [String]) throws -> Execution {
    let execution = try boundExecution()
    try track(reading: paths.map { PropertyPath(names: $0) })
    return execution
  }

  /// Makes the present tracking depend on properties of the results.
  func track(reading paths: @autoclosure () -> [PropertyPath]) throws {
    guard lock == nil, handle.session.isTracked else { return }
    handle.session.trackQuery(try QueryDependencies(query, reading: paths(), of: handle.table))
  }

  // MARK: Forms of queries

  /// Whether the results are the unfiltered, unordered source.
  private var isWhole: Bool { query.predicate == .true && query.steps.isEmpty }

  /// Whether the results are in the order of the source.
  private var isUnordered: Bool {
    query.steps.allSatisfy { if case .limit = $0 { true } else { false } }
  }

  /// The collection whose elements are exactly the results.
  private var wholeCollection: StoredElements? { wholeCollectionReference?.elements }

  /// The reference to the collection whose elements are exactly the results.
  var wholeCollectionReference: CollectionReference? {
    guard isWhole, case .collection(let reference) = source, reference.kind != .map else {
      return nil
    }
    return reference
  }

  /// Whether the results are exactly the rows of the table, so that an index is a key.
  private var isEveryRow: Bool {
    source.isAll && isWhole && handle.table.liveCount == handle.table.endKey
  }

  /// Whether the object or class that the results come from no longer exists.
  var isInvalidated: Bool {
    handle.session.checkThread()
    return handle.isEnded || source.isInvalidated
  }

  // MARK: Reads

  var count: Int { withLock { presentCount } }

  private var presentCount: Int {
    if let wholeCollection { return wholeCollection.count }
    evictIfStale()
    if let cachedCount { return cachedCount }
    let count = isComplete ? keys.count : execution.count()
    cachedCount = count
    return count
  }

  var first: Int? { withLock { presentFirst } }

  private var presentFirst: Int? {
    if let wholeCollection { return wholeCollection.count == 0 ? nil : key(at: 0) }
    evictIfStale()
    if let first = keys.first { return first }
    // A separate search, which stops at the first match instead of reading a whole chunk.
    return isUnordered ? execution.first() : key(at: 0)
  }

  var last: Int? { withLock { presentLast } }

  private var presentLast: Int? {
    if let wholeCollection { return key(at: wholeCollection.count - 1) }
    evictIfStale()
    return isUnordered && !isComplete ? execution.last() : allKeys.last
  }

  func makeCursor() -> KeyCursor { execution.makeCursor() }

  /// The keys of all results, in order.
  var allKeys: [Int] { withLock { presentKeys } }

  private var presentKeys: [Int] {
    evictIfStale()
    if !isComplete {
      keys = execution.keys()
      isComplete = true
      cursor = nil
    }
    return keys
  }

  /// The key at an index; nil if the index is out of bounds.
  func key(at index: Int) -> Int? { withLock { presentKey(at: index) } }

  private func presentKey(at index: Int) -> Int? {
    guard index >= 0 else { return nil }
    if let wholeCollection {
      return index < wholeCollection.count ? wholeCollection.row(at: index)?.key : nil
    }
    evictIfStale()
    if isEveryRow { return index < handle.table.endKey ? index : nil }
    if index >= keys.count && !isComplete { find(index) }
    return index < keys.count ? keys[index] : nil
  }

  /// The first index of a key; nil if the key is not among the results.
  func index(of key: Int) -> Int? { withLock { presentIndex(of: key) } }

  private func presentIndex(of key: Int) -> Int? {
    evictIfStale()
    if isEveryRow { return handle.table.isLive(key) ? key : nil }
    guard execution.matches(key) else { return nil }
    if source.isAll, query.steps.isEmpty {
      let index = allKeys.partitioningIndex { $0 >= key }
      return index < keys.count && keys[index] == key ? index : nil
    }
    return allKeys.firstIndex(of: key)
  }

  /// Reads the keys up to an index, and some more.
  private func find(_ index: Int) {
    if isUnordered { return follow(upTo: index) }
    readTop(upTo: index)
  }

  private func follow(upTo index: Int) {
    var cursor = cursor ?? execution.makeCursor()
    while keys.count <= index {
      guard let key = cursor.next() else {
        isComplete = true
        break
      }
      keys.append(key)
    }
    self.cursor = cursor
  }

  /// Reads the first few ordered results by a separate search, which is much cheaper than sorting
  /// all.
  private func readTop(upTo index: Int) {
    let wanted = max(64, (index + 1) * 4)
    guard isSorted, wanted < handle.table.liveCount / 8 else {
      _ = allKeys
      return
    }
    var part = presentQuery
    part.steps.append(.limit(offset: 0, count: wanted))
    let condition = execution.condition
    let top = orFatal { try Execution(part, condition: condition, on: handle.table) }
    top.watch = execution.watch
    keys = top.keys()
    isComplete = keys.count < wanted
  }

  /// Whether a sort, perhaps with a limit, is the only operation on the rows of the class.
  private var isSorted: Bool {
    guard source.isAll, case .sort? = query.steps.first else { return false }
    return query.steps.dropFirst().allSatisfy { if case .limit = $0 { true } else { false } }
  }
}

extension PropertyPath {
  /// Creates the path of a property whose names are separated by dots.
  init(names: String) {
    self.init(names.split(separator: ".").map { .property(String($0)) })
  }
}

extension [Int] {
  /// The first index for which the test is true, if it is true for all that follow.
  fileprivate func partitioningIndex(where test: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if test(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
