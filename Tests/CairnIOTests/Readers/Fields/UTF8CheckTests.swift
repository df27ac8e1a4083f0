import CairnTestSupport
import Testing

@testable import CairnIO

@Suite(.tags(.untrusted)) struct UTF8CheckTests {
  private func firstError(_ bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.flatMap { UTF8Check.firstError($0, range: 0..<buffer.count) }
    }
  }

  @Test func wellFormedTextPasses() {
    let text = "ascii é € 𝄞 Ωμέγα \u{10FFFF} \u{800} \u{FFFF}" + String(repeating: "ü", count: 100)
    #expect(firstError(Array(text.utf8)) == nil)
  }

  @Test func malformedTextIsFound() {
    let cases: [[UInt8]] = [
      [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82],
      [0xFF],
    ]
    for bytes in cases {
      let before = Array(repeating: UInt8(ascii: "a"), count: 37)
      #expect(firstError(before + bytes + [0x41]) == 37, "\(bytes)")
    }
  }

  @Test func agreesWithTheStandardLibrary() {
    let seed = Soak.seed(119)
    var random = SplitMix64(seed: seed)
    let lead: [UInt8] = [
      0x41, 0x7F, 0x80, 0xBF, 0xC2, 0xDF, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xA0, 0x9F, 0x90,
    ]
    for _ in 0..<20_000 {
      let bytes = (0..<6).map { _ in lead[Int.random(in: 0..<lead.count, using: &random)] }
      let isValid = String(validating: bytes, as: UTF8.self) != nil
      #expect((firstError(bytes) == nil) == isValid, "\(bytes), seed \(seed)")
    }
  }
}
