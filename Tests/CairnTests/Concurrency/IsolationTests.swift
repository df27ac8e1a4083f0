import CairnTestSupport
import Testing

/// Accesses from outside a realm's isolation end the program with a message that names both sides.
@Suite struct IsolationTests {
  private func expect(
    _ name: String, says sentences: String..., at place: SourceLocation = #_sourceLocation
  ) {
    let text = Misuse.trap(name, sourceLocation: place)
    for sentence in sentences {
      #expect(text.contains(sentence), "\(text)", sourceLocation: place)
    }
  }

  // MARK: Realms of actors

  @Test(.currentExecutor) func anActorsResultsInADetachedTask() {
    expect(
      "actor: results in a detached task",
      says: "Realm accessed from incorrect thread: it belongs to actor 'Signalman', and task ",
      " accessed it. Open a realm there, or pass a frozen object")
  }

  /// A program that used to crash in two of three runs.
  @Test(.currentExecutor) func anActorsResultsWhileItWrites() {
    expect("actor: results while it writes", says: "it belongs to actor 'Signalman', and task ")
  }

  @Test(.currentExecutor) func anActorsRealmOnAnotherActor() {
    expect(
      "actor: a realm on another actor",
      says: "it belongs to actor 'Signalman', and actor 'Borrower' accessed it.")
  }

  @Test func anActorsRealmOnAQueue() {
    expect(
      "actor: a realm on a queue",
      says:
        "it belongs to actor 'Signalman', and dispatch queue 'cairn.misuse.intruder' accessed it.")
  }

  @Test(.currentExecutor) func anActorsRealmOnTheMainThread() {
    expect(
      "actor: a realm on the main thread",
      says: "it belongs to actor 'Signalman', and the main thread accessed it.")
  }

  /// Values that the owner has read are cached, so reading them does not reach the store.
  @Test(.currentExecutor, arguments: 0..<7) func anActorsObjectOnAThread(_ access: Int) {
    expect(
      "actor: an object on a thread, access \(access)",
      says: "it belongs to actor 'Signalman', and thread 0x")
  }

  @Test(.currentExecutor, arguments: 0..<10) func anActorsCollectionOnAThread(_ access: Int) {
    expect(
      "actor: a collection on a thread, access \(access)", says: "it belongs to ", "and thread 0x")
  }

  // MARK: Realms of tasks

  @Test func aTasksRealmInADetachedTask() {
    expect(
      "task: a realm in a detached task", says: "it belongs to task ", "and task ", " accessed it.")
  }

  @Test func aTasksRealmInAChildTask() {
    expect(
      "task: a realm in a child task", says: "it belongs to task ", "and task ", " accessed it.")
  }

  /// The next task reuses the memory of an ended task.
  @Test(.currentExecutor) func anEndedTasksRealmInTheNextTask() {
    expect(
      "task: an ended task's realm in the next one", says: "it belongs to task ", "and task ",
      " accessed it.")
  }

  // MARK: Realms of queues and threads

  @Test func aQueuesRealmOnAnotherQueue() {
    expect(
      "queue: a realm on another queue",
      says: "it belongs to dispatch queue 'cairn.misuse.queue', and task ")
  }

  @Test func theMainThreadsRealmOnAnotherThread() {
    expect(
      "main thread: a realm on another thread", says: "it belongs to the main thread, and thread 0x"
    )
  }

  @Test func aThreadsRealmInATask() {
    expect("thread: a realm in a task", says: "it belongs to thread 0x", ", and task ")
  }
}
