/// Rows of a class, as a bitmap for each chunk that has some of them.
struct TextRows {
  private(set) var bitmaps: [ChunkBitmap?]
  /// The chunks with a bitmap, in no order.
  private(set) var chunks: [Int] = []

  /// Makes an empty set of rows below a number of chunks.
  init(chunkCount: Int) { bitmaps = Array(repeating: nil, count: chunkCount) }

  /// Makes a set of rows below a number of chunks from their keys.
  init(_ keys: [Int], chunkCount: Int) {
    self.init(chunkCount: chunkCount)
    for key in keys { insert(key) }
  }

  /// Whether a row is in the set.
  func contains(_ key: Int) -> Bool {
    words(RowAddress(key).chunk)?.isSet(RowAddress(key).row) ?? false
  }

  /// Returns the bitmap of a chunk, which the caller changes.
  private mutating func bitmap(ofChunk chunk: Int) -> ChunkBitmap {
    if let known = bitmaps[chunk] { return known }
    let made = ChunkBitmap(copying: nil)
    set(made, ofChunk: chunk)
    return made
  }

  private mutating func set(_ bitmap: ChunkBitmap, ofChunk chunk: Int) {
    bitmaps[chunk] = bitmap
    chunks.append(chunk)
  }

  /// Returns the bitmap of a chunk, 64 words that are valid while the set has its rows; nil without
  /// rows.
  @inline(__always)
  func words(_ chunk: Int) -> UnsafeMutablePointer<UInt64>? {
    chunk < bitmaps.count ? bitmaps[chunk]?.words : nil
  }

  /// Adds a row.
  mutating func insert(_ key: Int) {
    let chunk = RowAddress(key).chunk
    if bitmaps.indices.contains(chunk) { bitmap(ofChunk: chunk).mark(RowAddress(key).row) }
  }

  /// Adds the rows of a group. Rows beyond the last chunk do not exist, in a damaged store.
  mutating func insert(_ group: RowGroup) {
    guard bitmaps.indices.contains(group.chunk) else { return }
    group.add(to: bitmap(ofChunk: group.chunk).words)
  }

  /// Adds the rows of another set.
  mutating func formUnion(_ other: TextRows) {
    for chunk in other.chunks {
      if let rows = other.bitmaps[chunk] { bitmap(ofChunk: chunk).add(rows.words) }
    }
  }

  /// Adds the rows of another set, which must not change any more.
  mutating func take(_ other: TextRows) {
    if chunks.isEmpty {
      self = other
      return
    }
    for chunk in other.chunks {
      guard let rows = other.bitmaps[chunk] else { continue }
      if let own = bitmaps[chunk] { own.add(rows.words) } else { set(rows, ofChunk: chunk) }
    }
  }

  /// Keeps the rows of another set.
  mutating func formIntersection(_ other: TextRows) {
    filter { chunk, rows in
      guard let others = other.bitmaps[chunk] else { return false }
      rows.keep(others.words)
      return true
    }
  }

  /// Removes the rows of another set.
  mutating func subtract(_ other: TextRows) {
    if other.chunks.isEmpty { return }
    filter { chunk, rows in
      if let others = other.bitmaps[chunk] { rows.remove(others.words) }
      return true
    }
  }

  /// Removes the rows that a run covers.
  mutating func remove(coveredBy run: TextRunReader) {
    var isChanged = false
    run.forEachGroup(of: []) { group in
      // Most runs cover other chunks than those of a rare word.
      guard let rows = words(group.chunk) else { return }
      group.remove(from: rows)
      isChanged = true
    }
    if isChanged { filter { _, _ in true } }
  }

  /// Keeps the chunks that a change leaves with rows.
  private mutating func filter(_ change: (Int, ChunkBitmap) -> Bool) {
    var kept: [Int] = []
    kept.reserveCapacity(chunks.count)
    for chunk in chunks {
      guard let rows = bitmaps[chunk] else { continue }
      if change(chunk, rows), !rows.isEmpty { kept.append(chunk) } else { bitmaps[chunk] = nil }
    }
    chunks = kept
  }

  /// Whether no chunk has a bitmap.
  var isEmpty: Bool { chunks.isEmpty }

  /// The number of rows.
  var count: Int { chunks.reduce(0) { $0 + (bitmaps[$1]?.count ?? 0) } }

  /// The keys in rising order.
  var keys: [Int] {
    var keys: [Int] = []
    for chunk in chunks.sorted() {
      bitmaps[chunk]?.forEach { keys.append(RowAddress.firstKey(ofChunk: chunk) + $0) }
    }
    return keys
  }
}
