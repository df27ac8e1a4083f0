import CairnStorage

extension Scan {
  /// The most geometries that are tested before a sink can end the scan.
  private static let candidatesPerDelivery = 256

  /// Delivers the rows that an R-tree over boxes has found. Returns false if the sink had enough.
  func run(
    _ filter: GeometryFilter, words: ArraySlice<CandidateWord>, into sink: any Sink,
    scratch: ScratchBuffers
  ) -> Bool {
    var matches = Selection(scratch.borrowBitmap())
    var candidates = Selection(scratch.borrowBitmap())
    defer {
      scratch.returnBitmap()
      scratch.returnBitmap()
    }
    (matches.upper, candidates.upper) = (ChunkShape.words, ChunkShape.words)
    matches.clear()
    candidates.clear()
    var next = words.startIndex
    var lastChunk = -1
    while next < words.endIndex {
      let chunk = words[next].chunk
      var count = 0
      while next < words.endIndex, words[next].chunk == chunk,
        count < Scan.candidatesPerDelivery
      {
        let word = words[next]
        count += word.candidates.nonzeroBitCount
        matches.add(word.index & (ChunkShape.words - 1), bits: word.sure | word.candidates)
        candidates.add(word.index & (ChunkShape.words - 1), bits: word.candidates)
        next += 1
      }
      if sink.wants(chunk) {
        if chunk != lastChunk { scratch.chunksVisited += 1 }
        lastChunk = chunk
        let wantsMore = deliver(
          chunk, matches: &matches, candidates: &candidates, of: filter, into: sink,
          scratch: scratch)
        guard wantsMore else { return false }
      }
      matches.clearAll()
      candidates.clearAll()
    }
    return true
  }

  /// Applies the other conditions to the rows of a chunk, then tests the geometries of those that
  /// are left, which costs most.
  private func deliver(
    _ chunk: Int, matches: inout Selection, candidates: inout Selection,
    of filter: GeometryFilter, into sink: any Sink, scratch: ScratchBuffers
  ) -> Bool {
    if scratch.isStopped { return false }
    scratch.candidates += matches.count
    for filter in filters {
      guard matches.trim() else { return true }
      filter.refine(&matches, chunk: chunk, scratch: scratch)
    }
    guard matches.trim() else { return true }
    candidates.intersect(matches)
    if candidates.trim() {
      matches.remove(candidates)
      filter.test(&candidates, chunk: chunk, scratch: scratch)
      for word in candidates.lower..<max(candidates.lower, candidates.upper) {
        matches.add(word, bits: candidates.words[word])
      }
      guard matches.trim() else { return true }
    }
    return sink.take(chunk, selection: &matches, scratch: scratch)
  }
}

extension Selection {
  /// Deselects every row. Unlike `clear`, it does not rely on the bounds.
  fileprivate mutating func clearAll() {
    (lower, upper) = (0, ChunkShape.words)
    clear()
  }

  /// Keeps the rows that another selection has too.
  fileprivate mutating func intersect(_ other: Selection) {
    for word in lower..<max(lower, upper) {
      words[word] &= word >= other.lower && word < other.upper ? other.words[word] : 0
    }
  }

  /// Removes the rows of another selection, whose bounds lie in this one's.
  fileprivate mutating func remove(_ other: Selection) {
    for word in other.lower..<max(other.lower, other.upper) { words[word] &= ~other.words[word] }
  }
}
