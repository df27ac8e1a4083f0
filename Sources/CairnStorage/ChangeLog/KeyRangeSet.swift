/// A set of keys, stored as sorted ranges: the millions of keys of a bulk load are one range.
package struct KeyRangeSet: Hashable, Sendable {
  /// The ranges in rising order. They are neither empty nor adjacent.
  package private(set) var runs: [Range<Int>] = []

  /// Makes an empty set.
  package init() {}

  /// Makes a set of ranges, which may overlap and come in any order.
  package init(_ runs: [Range<Int>]) {
    let isRising = zip(runs, runs.dropFirst()).allSatisfy { $0.lowerBound <= $1.lowerBound }
    self.runs.reserveCapacity(runs.count)
    for run in isRising ? runs : runs.sorted(by: { $0.lowerBound < $1.lowerBound }) { append(run) }
  }

  /// Makes a set of keys in rising order.
  package init(rising keys: some Sequence<Int>) {
    for key in keys { append(key..<key + 1) }
  }

  /// Appends a range that does not begin before the last one.
  package mutating func append(_ run: Range<Int>) {
    guard !run.isEmpty else { return }
    guard let last = runs.last, run.lowerBound <= last.upperBound else { return runs.append(run) }
    runs[runs.count - 1] = last.lowerBound..<Swift.max(last.upperBound, run.upperBound)
  }

  /// Whether the set is empty.
  package var isEmpty: Bool { runs.isEmpty }

  /// The number of keys.
  package var count: Int { runs.reduce(0) { $0 + $1.count } }

  /// The keys in rising order.
  package var keys: FlattenSequence<[Range<Int>]> { runs.joined() }

  /// Returns whether the set contains a key, by binary search.
  package func contains(_ key: Int) -> Bool {
    let index = index(endingAfter: key)
    return index < runs.count && runs[index].lowerBound <= key
  }

  /// Returns the index of the first range that ends after a key.
  private func index(endingAfter key: Int) -> Int {
    partitionPoint(runs.count) { runs[$0].upperBound <= key }
  }
}

extension KeyRangeSet {
  /// Returns the keys of either set.
  package func union(_ other: KeyRangeSet) -> KeyRangeSet {
    if other.isEmpty { return self }
    return isEmpty ? other : KeyRangeSet(runs + other.runs)
  }

  /// Returns the keys that are not in `other`.
  package func subtracting(_ other: KeyRangeSet) -> KeyRangeSet {
    guard !isEmpty, !other.isEmpty else { return self }
    var left = KeyRangeSet()
    var index = other.index(endingAfter: runs[0].lowerBound)
    for run in runs {
      var start = run.lowerBound
      while index < other.runs.count, other.runs[index].lowerBound < run.upperBound {
        let hole = other.runs[index]
        if start < hole.lowerBound { left.append(start..<hole.lowerBound) }
        start = Swift.max(start, hole.upperBound)
        if hole.upperBound > run.upperBound { break }
        index += 1
      }
      if start < run.upperBound { left.append(start..<run.upperBound) }
    }
    return left
  }

  /// Returns the keys of both sets.
  package func intersection(_ other: KeyRangeSet) -> KeyRangeSet {
    guard !isEmpty, !other.isEmpty else { return KeyRangeSet() }
    var shared = KeyRangeSet()
    var index = other.index(endingAfter: runs[0].lowerBound)
    for run in runs {
      while index < other.runs.count, other.runs[index].lowerBound < run.upperBound {
        let both = run.clamped(to: other.runs[index])
        shared.append(both)
        if other.runs[index].upperBound > run.upperBound { break }
        index += 1
      }
    }
    return shared
  }
}

extension KeyRangeSet {
  /// Makes a set of rows.
  init(_ rows: RowBitmaps) {
    for chunk in rows.chunks {
      guard let bits = rows.rows(ofChunk: chunk, in: 0..<Int.max) else { continue }
      append(UnsafePointer(bits.words), ofChunk: chunk)
    }
  }

  /// Appends the rows of a chunk whose bits are set. All existing keys must be smaller.
  mutating func append(_ words: UnsafePointer<UInt64>, ofChunk chunk: Int) {
    for word in 0..<ChunkShape.words {
      let first = RowAddress.firstKey(ofChunk: chunk) | word << 6
      var bits = words[word]
      while bits != 0 {
        let start = bits.trailingZeroBitCount
        let length = (~(bits >> UInt64(start))).trailingZeroBitCount
        append(first + start..<first + start + length)
        if start + length == 64 { break }
        bits &= ~0 << UInt64(start + length)
      }
    }
  }
}

extension Table {
  /// Returns the live rows among `keys`.
  package func liveKeys(_ keys: Range<Int>) -> KeyRangeSet {
    Self.liveKeys(keys.clamped(to: 0..<endKey), liveRowBitmap: liveRowBitmap(ofChunk:))
  }

  /// The rows that were live before the transaction.
  var storedLiveKeys: KeyRangeSet {
    Self.liveKeys(0..<state.endKey, liveRowBitmap: storedLiveRows(ofChunk:))
  }

  private static func liveKeys(
    _ keys: Range<Int>, liveRowBitmap: (Int) -> UnsafePointer<UInt64>?
  ) -> KeyRangeSet {
    var live = KeyRangeSet()
    var start = keys.lowerBound
    while start < keys.upperBound {
      let chunk = RowAddress(start).chunk
      let part = start..<min(keys.upperBound, RowAddress.firstKey(ofChunk: chunk + 1))
      if let words = liveRowBitmap(chunk) {
        let wanted = ChunkBitmap(copying: words)
        wanted.keep(rows: RowAddress(part.lowerBound).row, part.count)
        live.append(UnsafePointer(wanted.words), ofChunk: chunk)
      } else {
        live.append(part)
      }
      start = part.upperBound
    }
    return live
  }
}
