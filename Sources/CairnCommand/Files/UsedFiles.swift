import CairnStorage
import CairnSystem

/// Keeps track of the files that the command reads: output must not replace them, and a store that
/// is read without a lock file may change meanwhile.
enum UsedFiles {
  // Sendable: only the thread that runs the command uses them.
  nonisolated(unsafe) private static var inputs: [String] = []
  /// Snapshots of the stores that are read without their lock files, taken before any other read.
  // Sendable: only the thread that runs the command uses them.
  nonisolated(unsafe) private static var unlockedSnapshots: [Snapshot] = []

  /// Forgets all files, before a command runs.
  static func removeAll() {
    inputs = []
    unlockedSnapshots = []
  }

  /// Registers a file that the command reads.
  static func note(_ path: String) { inputs.append(path) }

  /// Registers a store that the command reads without its lock file.
  static func note(_ snapshot: Snapshot) { unlockedSnapshots.append(snapshot) }

  /// Throws if output would replace a file that the command reads.
  static func rejectOutput(to path: String) throws {
    guard !System.isDevice(path), inputs.contains(where: { System.isSameFile($0, other: path) })
    else {
      return
    }
    throw Failure(.usage, message: "\(path) is read by this command; --output needs another name")
  }

  /// Throws if a store that is read without its lock file was written meanwhile. Call this after
  /// the last read and before the output is complete.
  static func requireKept() throws {
    for snapshot in unlockedSnapshots { try snapshot.requireKept() }
  }

  /// The error to report instead of an error of the command: if a store was written meanwhile, that
  /// explains any other error.
  static func explanation(of error: any Error) -> any Error {
    do {
      try requireKept()
      return error
    } catch { return error }
  }
}
