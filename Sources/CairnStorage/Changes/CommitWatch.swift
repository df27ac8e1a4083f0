/// Tells of commits for as long as it lives.
package final class CommitWatch: Sendable {
  private let hold: EnvironmentHandle
  private let number: Int

  fileprivate init(_ hold: EnvironmentHandle, _ body: @escaping @Sendable (UInt64) -> Void) {
    self.hold = hold
    number = hold.environment.watcher.add(body, hold.environment)
  }

  deinit { hold.environment.watcher.remove(number) }
}

extension Store {
  /// Calls `body` with the number of the last commit soon after each commit, by this process or another one, until the
  /// watch is let go of. Commits that follow one another quickly may be told of in one call.
  ///
  /// It is called on a thread of its own, one call at a time, and should only say elsewhere that there is something to
  /// do. A call may still be on its way when the watch is let go of. While nobody watches, nothing runs; while
  /// nobody writes, hardly anything.
  package func watch(_ body: @escaping @Sendable (UInt64) -> Void) -> CommitWatch {
    CommitWatch(handle, body)
  }
}
