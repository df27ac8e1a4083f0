import CairnTestSupport
import Foundation
import Testing

/// Stores in which two pages are swapped: an import terminates, in bounded memory, and releases the
/// lock.
@Suite struct SwappedPageTests {
  private static let page = 4096

  @Test func importsTerminate() throws {
    let store = try RobustStore(rows: 1500)
    // Creates free pages, and lists of them.
    for change in [.replace, .delete, .replace] as [RobustStore.Change] {
      #expect(try change.run(store).code == 0)
    }
    let whole = Array(try Data(contentsOf: URL(fileURLWithPath: store.path)))
    let last = whole.count / Self.page
    let seed = Soak.seed(12)
    var random = SplitMix64(seed: seed)
    var refused = 0
    let count = Soak.count(40, long: 2000)
    for turn in 0..<count {
      let (a, b) = (
        Int.random(in: 2..<last, using: &random), Int.random(in: 2..<last, using: &random)
      )
      var bytes = whole
      for offset in 0..<Self.page { bytes.swapAt(a * Self.page + offset, b * Self.page + offset) }
      try store.restore(Data(bytes))
      let line =
        "ulimit -v 6000000; ulimit -t 20; timeout 120 cairn import store.cairn more.csv --class rows "
        + "--key id --on-conflict replace --quiet"
      let outcome = try Command.shell(line, in: store.scratch.url)
      let comment =
        "seed \(seed), turn \(turn), pages \(a) and \(b): \(outcome.code) \(outcome.errors)"
      #expect([0, 65, 74].contains(outcome.code), "\(comment)")
      guard outcome.code != 0 else { continue }
      refused += 1
      #expect(outcome.errors.contains("store.cairn"), "\(comment)")
      #expect(!outcome.errors.contains("memory"), "\(comment)")
    }
    #expect(refused > 0, "none of \(count) was noticed")
    if Soak.isOn { print("swapped pages: seed \(seed), \(refused) of \(count) imports refused") }
  }

  /// A list of free pages, or a branch page, replaces another page.
  @Test func everyPageSwappedWithEveryRoot() throws {
    let store = try RobustStore(rows: 300)
    #expect(try RobustStore.Change.replace.run(store).code == 0)
    let whole = Array(try Data(contentsOf: URL(fileURLWithPath: store.path)))
    let last = whole.count / Self.page
    let kinds = (2..<last).filter { page in
      // Branches and leaves.
      [1, 2].contains(whole[page * Self.page + 10]) && whole[page * Self.page] == UInt8(page & 255)
    }
    #expect(kinds.count > 1)
    var refused = 0
    let step = Soak.isOn ? 1 : 9
    for (number, target) in kinds.enumerated() {
      for source in stride(from: 2 + number % step, to: last, by: step) where source != target {
        var bytes = whole
        for offset in 0..<Self.page {
          bytes[target * Self.page + offset] = whole[source * Self.page + offset]
        }
        try store.restore(Data(bytes))
        let outcome = try Command.shell(
          "ulimit -v 6000000; ulimit -t 20; timeout 120 cairn import store.cairn first.csv --class rows --key id "
            + "--on-conflict replace --quiet", in: store.scratch.url)
        let comment = "page \(source) over \(target): \(outcome.code) \(outcome.errors)"
        #expect([0, 65, 74].contains(outcome.code), "\(comment)")
        if outcome.code == 74 { refused += 1 }
      }
    }
    #expect(refused > 0)
  }
}
