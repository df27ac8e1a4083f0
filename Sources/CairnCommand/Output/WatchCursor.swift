import CairnStorage
import CairnSystem

/// A point in the history of a store, from which `watch` can continue: a commit of a file.
struct WatchCursor: CustomStringConvertible {
  /// The number of the commit.
  let version: UInt64
  /// The number of the file in its file system. A compaction makes a new file, whose commits have
  /// other numbers.
  private let file: UInt64

  /// The cursor of a commit of a store.
  init(_ version: UInt64, of store: Store) {
    self.version = version
    file = System.fileNumber(of: store.path) ?? 0
  }

  /// Parses a cursor.
  init(_ text: String) throws {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let version = UInt64(parts[0]), let file = UInt64(parts[1], radix: 16)
    else { throw OptionError("expected a cursor that an earlier run printed, as in 17-2c4a1") }
    self.version = version
    self.file = file
  }

  /// The cursor as text.
  var description: String { "\(version)-\(String(file, radix: 16))" }

  /// Returns the changes to a class between the cursor and a snapshot.
  ///
  /// - Throws: A failure if the cursor belongs to another file, or if the store has forgotten what
  ///   was changed since.
  func changes(of className: String, in snapshot: Snapshot, of store: Store) throws -> TableChanges
  {
    guard file == WatchCursor(0, of: store).file, version <= snapshot.version else {
      throw Failure(
        .badData,
        message:
          "the cursor \(self) is not one of \(store.path), or the store was compacted since; "
          + "begin again with --initial")
    }
    guard let changes = snapshot.changes(of: className, since: version) else {
      throw Failure(
        .badData,
        message: "the cursor \(self) is too old: \(store.path) remembers the changes of its last "
          + "\(Snapshot.loggedCommits) commits; begin again with --initial")
    }
    return changes
  }
}
