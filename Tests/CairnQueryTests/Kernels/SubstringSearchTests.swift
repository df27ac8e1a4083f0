import CairnStorage
import CairnTestSupport
import Testing

@testable import CairnQuery

/// A search through all strings of a chunk at once agrees with a search of each string.
@Suite(.tags(.untrusted)) struct HeapSearchTests {
  /// Calls a closure with a chunk of adjacent strings, in the layout of the store.
  private func withChunk(_ texts: [[UInt8]], wide: Bool, _ body: (Chunk) -> Void) {
    let heap = texts.flatMap { $0 }
    var ends: [UInt32] = [0]
    for text in texts { ends.append(ends[ends.count - 1] + UInt32(text.count)) }
    let narrow = ends.map { UInt16(truncatingIfNeeded: $0) }
    heap.withUnsafeBytes { heap in
      ends.withUnsafeBytes { ends in
        narrow.withUnsafeBytes { narrow in
          guard let text = heap.baseAddress, let codes = (wide ? ends : narrow).baseAddress else {
            return
          }
          body(
            Chunk(
              base: codes, encoding: .bytes, count: texts.count, width: wide ? 4 : 2, nulls: nil,
              codes: codes, heap: text, heapSize: heap.count))
        }
      }
    }
  }

  private func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    guard text.count >= part.count else { return false }
    return (0...(text.count - part.count)).contains {
      Array(text[$0..<$0 + part.count]) == part
    }
  }

  @Test(arguments: [false, true])
  func findsTheMatchesOfEachString(wide: Bool) {
    var random = SplitMix64(seed: wide ? 71 : 72)
    var hits = 0
    for _ in 0..<400 {
      // A small alphabet, so that matches are frequent and also span two strings; 0 and 255
      // exercise the carries.
      let letters: [UInt8] = random.pick([[0, 1], [97, 98, 99], [0, 1, 127, 128, 255, 254]])
      let texts = (0..<random.below(200) + 1).map { _ in
        (0..<random.below(random.pick([3, 12, 40]))).map { _ in random.pick(letters) }
      }
      guard texts.contains(where: { !$0.isEmpty }) else { continue }
      let part = (0..<random.below(5) + 1).map { _ in random.pick(letters) }
      var words = [UInt64](repeating: 0, count: ChunkShape.words)
      withChunk(texts, wide: wide) { chunk in
        #expect(SubstringSearch.canSearch(chunk))
        part.withUnsafeBytes { part in
          words.withUnsafeMutableBufferPointer { words in
            guard let words = words.baseAddress else { return }
            SubstringSearch(part)?.mark(chunk, bits: words)
          }
        }
      }
      for (row, text) in texts.enumerated() {
        let found = words[row >> 6] >> UInt64(row & 63) & 1 != 0
        #expect(found == contains(text, part), "\(text) \(part)")
        if found { hits += 1 }
      }
      #expect(words.reduce(0) { $0 + $1.nonzeroBitCount } <= texts.count)
    }
    #expect(hits > 1000)
  }

  @Test func anEmptyPatternFindsNothing() {
    [UInt8]().withUnsafeBytes { #expect(SubstringSearch($0) == nil) }
  }
}
