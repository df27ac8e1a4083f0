import CairnIndex
import CairnStorage

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
