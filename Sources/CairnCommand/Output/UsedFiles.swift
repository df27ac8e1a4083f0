import CairnStorage

/// The files that the command reads: none of them may be what it writes, and stores without a lock file may change
/// meanwhile.
///
/// Confined to the thread that runs the command.
enum UsedFiles {
  nonisolated(unsafe) private static var inputs: [String] = []
  /// Snapshots of stores that are read without their lock files, as they were before anything else was read.
  nonisolated(unsafe) private static var unregistered: [Snapshot] = []

  /// Begins a command.
  static func removeAll() {
    inputs = []
    unregistered = []
  }

  /// Notes a file that is read.
  static func note(_ path: String) { inputs.append(path) }

  /// Notes a store that is read without its lock file.
  static func note(_ snapshot: Snapshot) { unregistered.append(snapshot) }

  /// Throws where output would replace a file that the command reads.
  static func refuse(output path: String) throws {
    guard !System.isDevice(path), inputs.contains(where: { System.isSameFile($0, path) }) else {
      return
    }
    throw Failure(.usage, "\(path) is read by this command; --output needs another name")
  }

  /// Throws where a store that is read without its lock file was written meanwhile. Call this after the last read, and
  /// before the output is complete.
  static func requireKept() throws {
    for snapshot in unregistered { try snapshot.requireKept() }
  }

  /// The error to report for one that a command met: that a store was written meanwhile explains any other.
  static func explanation(of error: any Error) -> any Error {
    do {
      try requireKept()
      return error
    } catch { return error }
  }
}
