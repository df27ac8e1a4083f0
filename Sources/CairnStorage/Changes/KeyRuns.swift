/// Rising keys, each once, as runs of neighbours: a bulk write of millions is one.
package struct KeyRuns: Hashable, Sendable {
  /// Rising; between two of them at least one key is missing, and none is empty.
  package private(set) var runs: [Range<Int>] = []

  /// No keys.
  package init() {}

  /// The keys of any runs, which may overlap and come in any order.
  package init(_ runs: [Range<Int>]) {
    let isRising = zip(runs, runs.dropFirst()).allSatisfy { $0.lowerBound <= $1.lowerBound }
    self.runs.reserveCapacity(runs.count)
    for run in isRising ? runs : runs.sorted(by: { $0.lowerBound < $1.lowerBound }) { append(run) }
  }

  /// The same keys; they rise.
  package init(rising keys: some Sequence<Int>) {
    for key in keys { append(key..<key + 1) }
  }

  /// Adds keys of which none is below the first of the last run.
  package mutating func append(_ run: Range<Int>) {
    guard !run.isEmpty else { return }
    guard let last = runs.last, run.lowerBound <= last.upperBound else { return runs.append(run) }
    runs[runs.count - 1] = last.lowerBound..<Swift.max(last.upperBound, run.upperBound)
  }

  package var isEmpty: Bool { runs.isEmpty }

  /// The number of keys.
  package var count: Int { runs.reduce(0) { $0 + $1.count } }

  /// The keys one by one, rising.
  package var keys: FlattenSequence<[Range<Int>]> { runs.joined() }

  /// Whether a key is among them.
  package func contains(_ key: Int) -> Bool {
    let place = place(endingAfter: key)
    return place < runs.count && runs[place].lowerBound <= key
  }

  /// The place of the first run that does not end before a key.
  private func place(endingAfter key: Int) -> Int {
    var low = 0
    var high = runs.count
    while low < high {
      let middle = (low + high) >> 1
      if runs[middle].upperBound <= key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension KeyRuns {
  /// The keys of both.
  package func union(_ other: KeyRuns) -> KeyRuns {
    if other.isEmpty { return self }
    return isEmpty ? other : KeyRuns(runs + other.runs)
  }

  /// The keys that are not among the others.
  package func subtracting(_ other: KeyRuns) -> KeyRuns {
    guard !isEmpty, !other.isEmpty else { return self }
    var left = KeyRuns()
    var place = other.place(endingAfter: runs[0].lowerBound)
    for run in runs {
      var start = run.lowerBound
      while place < other.runs.count, other.runs[place].lowerBound < run.upperBound {
        let hole = other.runs[place]
        if start < hole.lowerBound { left.append(start..<hole.lowerBound) }
        start = Swift.max(start, hole.upperBound)
        if hole.upperBound > run.upperBound { break }
        place += 1
      }
      if start < run.upperBound { left.append(start..<run.upperBound) }
    }
    return left
  }

  /// The keys that are among the others too.
  package func intersection(_ other: KeyRuns) -> KeyRuns {
    guard !isEmpty, !other.isEmpty else { return KeyRuns() }
    var shared = KeyRuns()
    var place = other.place(endingAfter: runs[0].lowerBound)
    for run in runs {
      while place < other.runs.count, other.runs[place].lowerBound < run.upperBound {
        let both = run.clamped(to: other.runs[place])
        shared.append(both)
        if other.runs[place].upperBound > run.upperBound { break }
        place += 1
      }
    }
    return shared
  }
}

extension KeyRuns {
  /// Adds the rows of a chunk whose bits are set, behind all keys that are there.
  mutating func append(_ words: UnsafePointer<UInt64>, ofChunk chunk: Int) {
    for word in 0..<ChunkShape.words {
      let first = chunk << ChunkShape.shift | word << 6
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
