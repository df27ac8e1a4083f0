import CairnIO
import CairnSystem
import CairnTestSupport
import Foundation
import Testing

/// Files that were cut off or changed: they are an error or have other rows, but never end the program.
@Suite(.tags(.untrusted)) struct DamagedArrowTests {
  private func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: ArrowRows.path(name))))
  }

  private func read(_ bytes: [UInt8], _ path: String) throws -> [String: [String?]] {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return try ArrowRows(path, format: .arrow).values()
  }

  @Test(
    arguments: [
      "polygon.arrow", "delta.arrow", "union.arrow", "geopandas.arrows", "legacy.arrows",
      "delta.arrows",
    ])
  func everyTruncation(file: String) throws {
    let scratch = try TemporaryFolder()
    let whole = try bytes(file)
    let all = try? read(whole, scratch["a"])
    for count in 0..<whole.count {
      guard let read = try? read(Array(whole[..<count]), scratch["a"]) else { continue }
      // A stream may end behind any batch, and a file never.
      #expect(file.hasSuffix(".arrows"), "\(count)")
      for (name, values) in read {
        #expect(all?[name]?.starts(with: values) == true, "\(name) of \(count)")
      }
    }
  }

  @Test(
    arguments: [
      "types.arrow", "types-lz4.arrow", "types-zstd.arrows", "long.arrow", "delta.arrows",
      "multipolygon.arrow", "multipolygon-interleaved.arrow", "geopandas.feather",
    ])
  func mutants(file: String) throws {
    let scratch = try TemporaryFolder()
    let whole = try bytes(file)
    var random = SeededGenerator(seed: 36)
    for _ in 0..<250 {
      var mutant = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 0..<mutant.count, using: &random)
        mutant[index] =
          [0, 1, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &random)]
          .randomElement(using: &random) ?? 0
      }
      _ = try? read(mutant, scratch["a"])
    }
    #expect(Bool(true), "no mutant ends the process")
  }
}
