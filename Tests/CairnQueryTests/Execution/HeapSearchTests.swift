import CairnStorage
import CairnTestSupport
import Testing

@testable import CairnQuery

/// Looking through all texts of a chunk at once finds what looking into each one finds.
@Suite struct HeapSearchTests {
  /// Calls the body with a chunk of texts one behind the other, as the store writes them.
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
              codes: codes, heap: text))
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
  func findsWhatEachTextHas(wide: Bool) {
    var random = SplitMix64(seed: wide ? 71 : 72)
    var hits = 0
    for _ in 0..<400 {
      // Few letters, so that parts stand often, across two texts too; 0 and 255 for the carries.
      let letters: [UInt8] = random.pick([[0, 1], [97, 98, 99], [0, 1, 127, 128, 255, 254]])
      let texts = (0..<random.below(200) + 1).map { _ in
        (0..<random.below(random.pick([3, 12, 40]))).map { _ in random.pick(letters) }
      }
      guard texts.contains(where: { !$0.isEmpty }) else { continue }
      let part = (0..<random.below(5) + 1).map { _ in random.pick(letters) }
      var words = [UInt64](repeating: 0, count: ChunkShape.words)
      withChunk(texts, wide: wide) { chunk in
        #expect(HeapSearch.canSearch(chunk))
        part.withUnsafeBytes { part in
          words.withUnsafeMutableBufferPointer { words in
            guard let words = words.baseAddress else { return }
            HeapSearch(part)?.mark(chunk, words)
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

  @Test func nothingIsLookedForWithoutBytes() {
    [UInt8]().withUnsafeBytes { #expect(HeapSearch($0) == nil) }
  }
}
