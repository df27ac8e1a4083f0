import CairnQuery
import CairnStorage

/// What is known of the results of one query: how many, and the keys of those that were asked for.
///
/// Forgotten when the realm moves on to another state.
final class FoundKeys {
  private let handle: ClassHandle
  private let query: TableQuery
  private var version = -1
  private var bound: Execution?
  private var knownCount: Int?
  /// The first keys, in order.
  private var keys: [Int] = []
  /// Whether `keys` are all there are.
  private var isComplete = false
  /// Gives the keys that follow, for results without an order.
  private var cursor: KeyCursor?

  init(_ handle: ClassHandle, _ query: TableQuery) {
    self.handle = handle
    self.query = query
  }

  /// The query on the table of the present state.
  var execution: Execution {
    forgetIfStale()
    if let bound { return bound }
    let made = trapping { try Execution(query, on: handle.table) }
    bound = made
    return made
  }

  /// Binds the query now, for whoever wants its mistakes thrown.
  func bind() throws {
    forgetIfStale()
    if bound == nil { bound = try Execution(query, on: handle.table) }
  }

  private func forgetIfStale() {
    guard version != handle.version else { return }
    version = handle.version
    bound = nil
    knownCount = nil
    keys = []
    isComplete = false
    cursor = nil
  }

  var count: Int {
    forgetIfStale()
    if let knownCount { return knownCount }
    let count = isComplete ? keys.count : execution.count()
    knownCount = count
    return count
  }

  var first: Int? {
    let execution = execution
    if let first = keys.first { return first }
    // A search of its own, which stops at the first match instead of taking a chunk's worth.
    return query.sort.isEmpty && query.distinct.isEmpty ? execution.first() : key(at: 0)
  }

  func makeCursor() -> KeyCursor { execution.makeCursor() }

  /// The key at a place; nil beyond the last.
  func key(at place: Int) -> Int? {
    guard place >= 0 else { return nil }
    let execution = execution
    if isEveryRow { return place < count ? place + query.offset : nil }
    if place >= keys.count && !isComplete { find(place, execution) }
    return place < keys.count ? keys[place] : nil
  }

  func place(of key: Int) -> Int? {
    guard execution.matches(key) else { return nil }
    if isEveryRow { return self.key(at: key - query.offset) == key ? key - query.offset : nil }
    var place = 0
    while let next = self.key(at: place) {
      if next == key { return place }
      place += 1
    }
    return nil
  }

  /// Whether the results are the rows of the table one by one, so that a place is a key.
  private var isEveryRow: Bool {
    query.predicate == .true && query.sort.isEmpty && query.distinct.isEmpty
      && handle.table.liveCount == handle.table.endKey
  }

  /// Fetches the keys up to a place, and some more.
  private func find(_ place: Int, _ execution: Execution) {
    if query.sort.isEmpty && query.distinct.isEmpty {
      follow(upTo: place, execution)
    } else {
      takeTop(upTo: place, execution)
    }
  }

  private func follow(upTo place: Int, _ execution: Execution) {
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
  private func takeTop(upTo place: Int, _ execution: Execution) {
    let wanted = max(64, (place + 1) * 4)
    guard wanted < min(query.limit ?? .max, handle.table.liveCount / 8) else {
      keys = execution.keys()
      isComplete = true
      return
    }
    var part = query
    part.limit = wanted
    keys = trapping { try Execution(part, on: handle.table).keys() }
    isComplete = keys.count < wanted
  }
}
