import CairnStorage
import CairnSystem

/// The rows of one side of a join, found by their values: a hash table in memory of the words of the
/// rows that take part. Read-only once it is made, so that the threads of a join share it.
final class KeyTable {
  let side: KeyedSide
  /// The keys, those of a bucket next to each other in ascending order.
  let keys: [Int]
  /// The word of each key.
  private let words: UnsafeMutablePointer<UInt64>
  /// The index of the first key of each bucket, and at the end the number of keys.
  private let starts: UnsafeMutablePointer<UInt32>
  private let buckets: KeyBuckets

  /// Reads the rows of a side on all cores.
  init(_ side: KeyedSide) {
    let gathered = GatheredKeys(side)
    let buckets = KeyBuckets(count: side.count)
    let starts = gathered.starts(of: buckets)
    let words = UnsafeMutablePointer<UInt64>.allocate(capacity: max(1, gathered.count))
    keys = gathered.sorted(into: buckets, starts: starts, words: words)
    (self.side, self.buckets, self.starts, self.words) = (side, buckets, starts, words)
  }

  deinit {
    words.deallocate()
    starts.deallocate()
  }

  /// The indexes of the keys that may have a word.
  @inline(__always)
  func range(of word: UInt64) -> (start: UInt32, end: UInt32) {
    let bucket = buckets.index(of: word)
    return (starts[bucket], starts[bucket + 1])
  }

  /// The word of the key at an index.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    assert(index >= 0 && index < keys.count, "a key is outside of the table")
    return words[index]
  }
}

/// The buckets of a hash table: about as many as keys, a power of two.
private struct KeyBuckets {
  /// The number of buckets.
  let count: Int
  private let shift: UInt64

  init(count: Int) {
    let bits = max(1, Int.bitWidth - max(1, count - 1).leadingZeroBitCount)
    self.count = 1 << bits
    shift = UInt64(64 - bits)
  }

  @inline(__always)
  func index(of word: UInt64) -> Int {
    Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) &>> shift)
  }
}

/// The keys of a side and their words, in the order of the keys.
private final class GatheredKeys {
  /// The number of keys.
  private(set) var count = 0
  private let words: UnsafeMutablePointer<UInt64>
  private let keys: UnsafeMutablePointer<Int>
  /// The range of the keys of each chunk.
  private var ranges: [Range<Int>]

  init(_ side: KeyedSide) {
    let chunks = side.usedChunks
    words = .allocate(capacity: max(1, side.count))
    keys = .allocate(capacity: max(1, side.count))
    var end = 0
    ranges = chunks.map { chunk in
      let start = end
      end += (0..<ChunkShape.words).reduce(0) {
        $0 + side.rows.word(chunk, at: $1).nonzeroBitCount
      }
      return start..<end
    }
    let parts = min(chunks.count, WorkerPool.shared.width * 8)
    let (words, keys) = (words, keys)
    ranges.withUnsafeMutableBufferPointer { ranges in
      // Each call writes its own elements.
      let ranges = ranges
      WorkerPool.shared.run(parts) { part in
        let (read, scratch) = (KeyWords(), ScratchBuffers())
        var rows = Selection(scratch.borrowBitmap())
        for index in chunks.count * part / parts..<chunks.count * (part + 1) / parts {
          side.read(chunks[index], rows: &rows, words: read)
          let first = RowAddress.firstKey(ofChunk: chunks[index])
          var position = ranges[index].lowerBound
          rows.forEachRow { row -> Void in
            words[position] = read.all[row]
            keys[position] = first | row
            position += 1
          }
          assert(position <= ranges[index].upperBound, "a chunk has more keys than rows")
          ranges[index] = ranges[index].lowerBound..<position
        }
      }
    }
    count = ranges.reduce(0) { $0 + $1.count }
  }

  deinit {
    words.deallocate()
    keys.deallocate()
  }

  /// Counts the keys of each bucket. Returns memory for the index of the first key of each, two places
  /// ahead.
  func starts(of buckets: KeyBuckets) -> UnsafeMutablePointer<UInt32> {
    let starts = UnsafeMutablePointer<UInt32>.allocate(capacity: buckets.count + 2)
    starts.initialize(repeating: 0, count: buckets.count + 2)
    for range in ranges {
      for index in range { starts[buckets.index(of: words[index]) + 2] += 1 }
    }
    for bucket in 2..<buckets.count + 2 { starts[bucket] += starts[bucket - 1] }
    return starts
  }

  /// Returns the keys by bucket, and writes the word of each.
  ///
  /// - Parameter starts: The index of the first key of each bucket two places ahead, and then in place.
  func sorted(
    into buckets: KeyBuckets, starts: UnsafeMutablePointer<UInt32>,
    words sortedWords: UnsafeMutablePointer<UInt64>
  ) -> [Int] {
    [Int](unsafeUninitializedCapacity: count) { sorted, written in
      for range in ranges {
        for index in range {
          let bucket = buckets.index(of: words[index])
          let position = Int(starts[bucket + 1])
          starts[bucket + 1] += 1
          assert(position < count, "a key is outside of the table")
          sortedWords[position] = words[index]
          sorted.initializeElement(at: position, to: keys[index])
        }
      }
      written = count
    }
  }
}
