import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

@Suite(.tags(.untrusted)) struct ChunkBufferTests {
  /// Texts that grow and shrink, compared with an array of strings. The heap never exceeds twice
  /// their size.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func textsThatAreSetRepeatedly(seed: UInt64) {
    var source = ValueSource(seed: seed)
    let buffer = ChunkBuffer(layout: .bytes)
    buffer.count = 40
    var texts = [String](repeating: "", count: 40)
    for turn in 0..<6000 {
      let row = source.int(0...39)
      let text = String(repeating: "abcdefgh", count: source.int(0...400)) + "\(turn)"
      texts[row] = source.chance(10) ? "" : text
      buffer.set(.string(texts[row]), at: row)
      if turn % 500 == 0 {
        for row in 0..<40 { #expect(buffer.view.string(at: row) == texts[row], "seed \(seed)") }
      }
    }
    let needed = texts.reduce(0) { $0 + $1.utf8.count }
    #expect(buffer.heapSize <= 2 * needed + 1 << 17)
    let (bytes, _) = ChunkEncoder.encode(buffer)
    bytes.withUnsafeBytes { raw in
      guard let base = raw.baseAddress, let chunk = Chunk(encoded: base, size: raw.count) else {
        Issue.record("no chunk")
        return
      }
      for row in 0..<40 { #expect(chunk.string(at: row) == texts[row]) }
    }
  }
}
