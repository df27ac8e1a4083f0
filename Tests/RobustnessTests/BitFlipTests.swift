import CairnTestSupport
import Foundation
import Testing

/// Single bits of small stores are flipped, one at a time: the check notices it, or the rows are those
/// before. A soak run flips every bit of every byte.
@Suite struct BitFlipTests {
  @Test(arguments: StoredFormatTests.names) func noFlipIsCalledSound(name: String) throws {
    let scratch = try TemporaryFolder(inMemory: true)
    let path = scratch["store.cairn"]
    try FileManager.default.copyItem(
      at: Repository.root.appendingPathComponent("data/stores/\(name).cairn"),
      to: URL(fileURLWithPath: path))
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    // A prime step, so that all bits of a byte and all parts of a page have their turn.
    let step = Soak.isOn ? 1 : size * 8 / 300 | 1
    let outcome = try Command.launch(
      Command.worker, ["flips", path, "0", "\(step)"], input: nil, environment: [:], folder: nil)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.lines.count == 1, "\(outcome.output)")
    #expect(outcome.output.contains(", 0 missed"), "\(outcome.output)")
  }
}
