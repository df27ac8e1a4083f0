import CairnQuery
import CairnStorage

/// What is known of the results of one query: how many, and the keys of those that were asked for.
///
/// Forgotten when the realm moves on to another state, and when a write transaction changes something.
final class FoundKeys: _StateMemory {
  let handle: ClassHandle
  let source: ObjectSource
  /// Its source is that of the present state only in `execution`.
  let query: TableQuery
  private var version = -1
  private var bound: Execution?
  private var knownCount: Int?
  /// The first keys, in order.
  private var keys: [Int] = []
  /// Whether `keys` are all there are.
  private var isComplete = false
  /// Gives the keys that follow, for results without an order.
  private var cursor: KeyCursor?
  /// Held while a frozen realm's results remember what they found: any thread reads them.
  private let lock: RecursiveLock?

  init(_ handle: ClassHandle, _ source: ObjectSource, _ query: TableQuery) {
    self.handle = handle
    self.source = source
    self.query = query
    lock = handle.session.isFrozen ? RecursiveLock() : nil
  }

  @inline(__always)
  private func guarded<R>(_ body: () -> R) -> R { lock.map { $0.withLock(body) } ?? body() }

  /// The query on the table of the present state. It remembers what it works out: of frozen results everyone gets one
  /// of his own.
  var execution: Execution { trapping { try boundExecution() } }

  /// Binds the query now, for whoever wants its mistakes thrown.
  func bind() throws { _ = try boundExecution() }

  /// The same, where what is asked may come from outside.
  func boundExecution() throws -> Execution {
    forgetIfStale()
    if let bound { return bound }
    let made = try Execution(presentQuery, on: handle.table)
    Logger.log(.trace, Category.Storage.query, "\(handle.name) where \(query.predicate)")
    if lock == nil {
      willRemember(handle.session)
      bound = made
    }
    return made
  }

  override func surrender() -> Any? {
    defer {
      bound = nil
      cursor = nil
    }
    return bound
  }

  private var presentQuery: TableQuery {
    var query = query
    query.source = source.rows
    return query
  }

  private func forgetIfStale() {
    // What is frozen never becomes stale.
    guard lock == nil else { return }
    handle.session.checkThread()
    if !isWhole || !source.isAll { handle.session.packCollections() }
    guard version != handle.version else { return }
    version = handle.version
    bound = nil
    knownCount = nil
    keys = []
    isComplete = false
    cursor = nil
  }

  // MARK: Shapes

  /// Whether the results are all that the source gives, as it gives it.
  private var isWhole: Bool { query.predicate == .true && query.steps.isEmpty }

  /// Whether the results stand as the source has them.
  private var isUnordered: Bool {
    query.steps.allSatisfy { if case .limit = $0 { true } else { false } }
  }

  /// The collection whose elements are the results one by one.
  private var wholeCollection: StoredElements? { wholeCollectionPlace?.elements }

  /// Where that collection stands.
  var wholeCollectionPlace: CollectionPlace? {
    guard isWhole, case .collection(let place) = source, place.kind != .map else { return nil }
    return place
  }

  /// Whether the results are the rows of the table one by one, so that a place is a key.
  private var isEveryRow: Bool {
    source.isAll && isWhole && handle.table.liveCount == handle.table.endKey
  }

  /// Whether there is nothing any more that the results could be of.
  var isInvalidated: Bool {
    handle.session.checkThread()
    return handle.isEnded || source.isInvalidated
  }

  // MARK: Answers

  var count: Int { guarded { presentCount } }

  private var presentCount: Int {
    if let wholeCollection { return wholeCollection.count }
    forgetIfStale()
    if let knownCount { return knownCount }
    let count = isComplete ? keys.count : execution.count()
    knownCount = count
    return count
  }

  var first: Int? { guarded { presentFirst } }

  private var presentFirst: Int? {
    if let wholeCollection { return wholeCollection.count == 0 ? nil : key(at: 0) }
    forgetIfStale()
    if let first = keys.first { return first }
    // A search of its own, which stops at the first match instead of taking a chunk's worth.
    return isUnordered ? execution.first() : key(at: 0)
  }

  var last: Int? { guarded { presentLast } }

  private var presentLast: Int? {
    if let wholeCollection { return key(at: wholeCollection.count - 1) }
    forgetIfStale()
    return isUnordered && !isComplete ? execution.last() : allKeys.last
  }

  func makeCursor() -> KeyCursor { execution.makeCursor() }

  /// The keys of all results, in order.
  var allKeys: [Int] { guarded { presentKeys } }

  private var presentKeys: [Int] {
    forgetIfStale()
    if !isComplete {
      keys = execution.keys()
      isComplete = true
      cursor = nil
    }
    return keys
  }

  /// The key at a place; nil beyond the last.
  func key(at place: Int) -> Int? { guarded { presentKey(at: place) } }

  private func presentKey(at place: Int) -> Int? {
    guard place >= 0 else { return nil }
    if let wholeCollection {
      return place < wholeCollection.count ? wholeCollection.row(at: place)?.key : nil
    }
    forgetIfStale()
    if isEveryRow { return place < handle.table.endKey ? place : nil }
    if place >= keys.count && !isComplete { find(place) }
    return place < keys.count ? keys[place] : nil
  }

  /// The first place of a key; nil when it is not among the results.
  func place(of key: Int) -> Int? { guarded { presentPlace(of: key) } }

  private func presentPlace(of key: Int) -> Int? {
    forgetIfStale()
    if isEveryRow { return handle.table.isLive(key) ? key : nil }
    guard execution.matches(key) else { return nil }
    if source.isAll, query.steps.isEmpty {
      let place = allKeys.partitioningPlace { $0 >= key }
      return place < keys.count && keys[place] == key ? place : nil
    }
    return allKeys.firstIndex(of: key)
  }

  /// Fetches the keys up to a place, and some more.
  private func find(_ place: Int) {
    if isUnordered { return follow(upTo: place) }
    takeTop(upTo: place)
  }

  private func follow(upTo place: Int) {
    var cursor = cursor ?? execution.makeCursor()
    while keys.count <= place {
      guard let key = cursor.next() else {
        isComplete = true
        break
      }
      keys.append(key)
    }
    self.cursor = cursor
  }

  /// Of ordered results the first few are a search of their own, much cheaper than ordering all.
  private func takeTop(upTo place: Int) {
    let wanted = max(64, (place + 1) * 4)
    guard isSorted, wanted < handle.table.liveCount / 8 else {
      _ = allKeys
      return
    }
    var part = presentQuery
    part.steps.append(.limit(offset: 0, count: wanted))
    keys = trapping { try Execution(part, on: handle.table).keys() }
    isComplete = keys.count < wanted
  }

  /// Whether an order, and perhaps a limit, is all that is done with the rows of the class.
  private var isSorted: Bool {
    guard source.isAll, case .sort? = query.steps.first else { return false }
    return query.steps.dropFirst().allSatisfy { if case .limit = $0 { true } else { false } }
  }
}

extension [Int] {
  /// The first place for which the test holds, where it holds for all that follow.
  fileprivate func partitioningPlace(where test: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if test(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
