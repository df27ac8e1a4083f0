import CairnFuzzTargets
import CairnTestSupport
import Foundation
import Testing

/// The seeds of the fuzzer, which include every input that has ever found a bug.
@Suite(.tags(.untrusted)) struct FuzzSeedTests {
  @Test(arguments: FuzzTarget.allCases) func everySeedIsHandled(target: FuzzTarget) throws {
    let lines = try Repository.text("tools/fuzz/seeds/\(target.rawValue)").split(separator: "\n")
    #expect(lines.count >= 10)
    for line in lines {
      let bytes = Array(try #require(Data(base64Encoded: String(line))))
      target.feed(bytes)
      target.feedStore(bytes)
    }
  }
}
