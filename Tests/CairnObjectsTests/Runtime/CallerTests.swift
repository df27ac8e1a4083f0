import CairnSystem
import CairnTestSupport
import Testing

@testable import CairnObjects

/// Identification of the caller of a realm.
@Suite(.tags(.threads)) struct CallerTests {
  /// Task numbers are unique in the process, although the memory of tasks is reused.
  @Test(
    .enabled(if: Shortcuts.areAllowed, "by their memory, tasks are unique only while they live"))
  func taskNumbersAreUnique() async {
    var numbers: Set<UInt64> = []
    for _ in 0..<2000 {
      if let number = await Task.detached(operation: { Caller.task }).value {
        numbers.insert(number)
      }
    }
    #expect(numbers.count == 2000)
  }

  @Test func childTasksAreDifferentCallers() async {
    let here = Caller.task
    async let child = Caller.task
    #expect(await child != here)
    let again = await MainActor.run { Caller.task }
    #expect(here != nil && here == again && here == Caller.task)
  }

  @Test func onlyTheMainActorIsMain() async {
    #expect(await MainActor.run { Caller.isMain })
    #expect(!Caller.isMain)
    #expect(Executor.current.actor == nil)
  }

  private actor Lodger {
    func isOnItself() -> Bool { Executor.current.actor === self }
  }

  @Test(.currentExecutor) func anActorIsItsExecutor() async {
    #expect(await Lodger().isOnItself(), "see docs/toolchain.md")
  }
}
