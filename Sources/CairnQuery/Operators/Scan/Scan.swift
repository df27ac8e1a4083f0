import CairnStorage

/// Chooses the access path of a scan and its residual filters.
///
/// Semi-joins receive the planner as a function, because it is above the operators.
typealias ScanPlanner = @Sendable (Table, [Filter]) -> Scan

/// The access path to the candidate rows of a query.
enum AccessPath {
  /// A scan of every chunk that its zone maps do not exclude.
  case chunks
  /// These rows in key order, with their source. They may include rows that are not live.
  case keys([Int], KeySource)
  /// The matches of an R-tree.
  case spatial(SpatialAccess)
}

/// The source of the rows of `AccessPath.keys`.
enum KeySource {
  /// No row can match.
  case nowhere
  case primaryKey(String)
  case valueIndex(String)
  case textIndex(String)
  /// The matches of several searches of R-trees together: the properties, and the number of
  /// searches.
  case spatialUnion(String, searches: Int)
  /// A result that was computed before.
  case result
}

/// An access path and the conditions that its candidates must still meet.
///
/// It delivers rows chunk by chunk, in the order of keys. Threads share a scan as they share its
/// filters.
final class Scan {
  let table: Table
  let accessPath: AccessPath
  /// The conditions, which must all hold; cheapest first.
  let filters: [Filter]
  /// Whether the table has deleted rows.
  private let hasDeletedRows: Bool
  /// The live-row bitmaps of the chunks passed to `prepare`, if `hasDeletedRows`.
  private var liveRowBitmap: [Int: UnsafePointer<UInt64>?] = [:]

  init(_ table: Table, accessPath: AccessPath, filters: [Filter]) {
    self.table = table
    self.accessPath = accessPath
    self.filters = filters.sorted { $0.cost < $1.cost }
    hasDeletedRows = table.liveCount < table.endKey
  }

  /// Every chunk of the table.
  var allChunks: Range<Int> { 0..<table.chunkCount }

  /// Delivers the rows of a range of chunks. Returns false if the sink had enough.
  func run(_ chunks: Range<Int>, into sink: any Sink, scratch: ScratchBuffers) -> Bool {
    switch accessPath {
    case .chunks:
      for chunk in chunks where !visit(chunk, into: sink, scratch: scratch) { return false }
      return true
    case .keys(let keys, _): return run(keys, chunks: chunks, into: sink, scratch: scratch)
    case .spatial(.points(let filter)):
      return run(filter, chunks: chunks, into: sink, scratch: scratch, pauseAfter: .max) == nil
    case .spatial(.boxes(let filter)):
      return run(filter, words: filter.source.words(in: chunks), into: sink, scratch: scratch)
    }
  }

  /// Delivers the rows of one chunk for `AccessPath.chunks`. Returns false if the sink had enough.
  func visit(_ chunk: Int, into sink: any Sink, scratch: ScratchBuffers) -> Bool {
    guard sink.wants(chunk), let passed = passed(chunk) else {
      scratch.chunksSkipped += 1
      return true
    }
    return visit(chunk, passed: passed, into: sink, scratch: scratch)
  }

  /// A bit for each filter that all rows of the chunk pass; nil if no row can pass them all.
  func passed(_ chunk: Int) -> UInt64? {
    var passed: UInt64 = 0
    for (index, filter) in filters.enumerated() {
      switch filter.zoneMapResult(chunk) {
      case .none: return nil
      case .all: if index < 64 { passed |= 1 << UInt64(index) }
      case .some: break
      }
    }
    return passed
  }

  /// Delivers the rows of one chunk whose zone maps were evaluated.
  ///
  /// - Parameter passed: A bit for each filter that all rows pass.
  func visit(_ chunk: Int, passed: UInt64, into sink: any Sink, scratch: ScratchBuffers) -> Bool {
    if scratch.isStopped { return false }
    var selection = Selection(scratch.borrowBitmap())
    defer { scratch.returnBitmap() }
    if let live = live(chunk) {
      selection.select(live, rows: table.rowCount(ofChunk: chunk))
    } else {
      selection.selectAll(table.rowCount(ofChunk: chunk))
    }
    scratch.chunksVisited += 1
    scratch.candidates += table.rowCount(ofChunk: chunk)
    for (index, filter) in filters.enumerated()
    where index >= 64 || passed >> UInt64(index) & 1 == 0 {
      filter.refine(&selection, chunk: chunk, scratch: scratch)
      guard selection.trim() else { return true }
    }
    return sink.take(chunk, selection: &selection, scratch: scratch)
  }

  /// Applies the conditions to candidates and delivers the rest. Returns false if the sink had
  /// enough.
  func deliver(
    _ chunk: Int, selection: inout Selection, into sink: any Sink, scratch: ScratchBuffers
  ) -> Bool {
    guard sink.wants(chunk) else { return true }
    if scratch.isStopped { return false }
    scratch.chunksVisited += 1
    scratch.candidates += filters.isEmpty ? 0 : selection.count
    for filter in filters {
      guard selection.trim() else { return true }
      filter.refine(&selection, chunk: chunk, scratch: scratch)
    }
    guard selection.trim() else { return true }
    return sink.take(chunk, selection: &selection, scratch: scratch)
  }

  private func run(
    _ keys: [Int], chunks: Range<Int>, into sink: any Sink, scratch: ScratchBuffers
  ) -> Bool {
    var next = keys.firstIndex(notBelow: RowAddress.firstKey(ofChunk: chunks.lowerBound))
    var selection = Selection(scratch.borrowBitmap())
    defer { scratch.returnBitmap() }
    selection.upper = ChunkShape.words
    selection.clear()
    // A damaged index may have rows that do not exist.
    let end = min(RowAddress.firstKey(ofChunk: chunks.upperBound), table.endKey)
    while next < keys.count, keys[next] < end {
      let chunk = RowAddress(keys[next]).chunk
      selection.add(keys, next: &next, chunk: chunk, end: end)
      if let live = live(chunk) { selection.intersect(live) }
      guard deliver(chunk, selection: &selection, into: sink, scratch: scratch) else {
        return false
      }
      selection.clear()
    }
    return true
  }

  /// The live rows of a chunk; nil if all are. Valid as long as the snapshot.
  func live(_ chunk: Int) -> UnsafePointer<UInt64>? {
    guard hasDeletedRows else { return nil }
    return liveRowBitmap[chunk] ?? table.liveRowBitmap(ofChunk: chunk)
  }

  /// Resolves the data that other threads will read, on the snapshot's own thread.
  func prepare(_ chunks: [Int]) {
    if hasDeletedRows {
      for chunk in chunks { liveRowBitmap[chunk] = .some(table.liveRowBitmap(ofChunk: chunk)) }
    }
    for filter in filters { filter.prepare(chunks) }
    if case .spatial(let access) = accessPath { access.filter.prepare(chunks) }
  }
}

extension Selection {
  /// Selects the rows of one chunk among sorted keys, from `next` on and before `end`, and advances
  /// `next` past them.
  mutating func add(_ keys: [Int], next: inout Int, chunk: Int, end: Int) {
    let end = min(end, RowAddress.firstKey(ofChunk: chunk + 1))
    while next < keys.count, keys[next] < end {
      let row = RowAddress(keys[next]).row
      add(row >> 6, bits: 1 << UInt64(row & 63))
      next += 1
    }
  }

  /// Selects rows of one word and widens the bounds to it.
  @inline(__always)
  mutating func add(_ word: Int, bits: UInt64) {
    assert(word >= 0 && word < ChunkShape.words, "a word is outside of the chunk")
    words[word] |= bits
    if lower >= upper {
      lower = word
      upper = word + 1
    } else {
      lower = min(lower, word)
      upper = max(upper, word + 1)
    }
  }
}

/// A receiver of the rows that a scan finds, chunk by chunk. One sink belongs to one thread.
protocol Sink: AnyObject {
  /// Whether rows of the chunk can still matter. It is called before the chunk is read.
  func wants(_ chunk: Int) -> Bool

  /// Resolves what any sink of the scan reads for these chunks, on the snapshot's own thread.
  func prepare(_ chunks: [Int])

  /// Takes the rows of a chunk. Returns false to end the scan.
  func take(_ chunk: Int, selection: inout Selection, scratch: ScratchBuffers) -> Bool
}

extension Sink {
  /// True: a sink without a threshold takes every row.
  func wants(_ chunk: Int) -> Bool { true }
}

/// A sink that counts rows, up to a limit.
final class CountSink: Sink {
  private(set) var total = 0
  private let limit: Int

  init(limit: Int = .max) { self.limit = limit }

  func prepare(_ chunks: [Int]) {}

  func take(_ chunk: Int, selection: inout Selection, scratch: ScratchBuffers) -> Bool {
    total = min(limit, total + selection.count)
    return total < limit
  }
}

/// A sink that gathers keys in ascending order, up to a limit.
final class KeySink: Sink {
  private(set) var keys: [Int] = []
  private let limit: Int

  init(limit: Int = .max) { self.limit = limit }

  func prepare(_ chunks: [Int]) {}

  func take(_ chunk: Int, selection: inout Selection, scratch: ScratchBuffers) -> Bool {
    let count = selection.keys(chunk, into: scratch.keys)
    let wanted = min(count, limit - keys.count)
    keys.append(contentsOf: UnsafeBufferPointer(start: scratch.keys, count: wanted))
    return keys.count < limit
  }
}

/// A sink that passes every key to a closure until it returns false.
final class VisitSink: Sink {
  private let visit: (Int) -> Bool

  init(_ visit: @escaping (Int) -> Bool) { self.visit = visit }

  func prepare(_ chunks: [Int]) {}

  func take(_ chunk: Int, selection: inout Selection, scratch: ScratchBuffers) -> Bool {
    let first = RowAddress.firstKey(ofChunk: chunk)
    return selection.forEachRow { row -> Bool in visit(first | row) }
  }
}

extension Selection {
  /// Writes the keys of the selected rows in ascending order, and returns their number.
  func keys(_ chunk: Int, into keys: UnsafeMutablePointer<Int>) -> Int {
    let first = RowAddress.firstKey(ofChunk: chunk)
    var count = 0
    forEachRow { row -> Void in
      assert(count < ChunkShape.rows, "there are more rows than memory")
      keys[count] = first | row
      count += 1
    }
    return count
  }
}
