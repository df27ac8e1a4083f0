import CairnFuzzTargets
import Foundation
import Testing

/// What the fuzzer starts from, and every input that it has ever found something with.
@Suite struct FuzzCorpusTests {
  @Test(arguments: FuzzTarget.allCases) func everyInputIsSurvived(target: FuzzTarget) throws {
    let folder = Command.root.appendingPathComponent("tools/fuzz/corpus/\(target.rawValue)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(!names.isEmpty)
    for name in names {
      let bytes = Array(try Data(contentsOf: folder.appendingPathComponent(name)))
      target.feed(bytes)
      target.feedStore(bytes)
    }
  }
}
