import CairnStorage

/// A point in the history of a store, from which a watch can continue: a commit of a file.
package struct CommitCursor: CustomStringConvertible, Hashable, Sendable {
  /// The number of the commit.
  package let version: UInt64
  /// The number of the file in its file system. A compaction makes a new file, whose commits have
  /// other numbers.
  private let file: UInt64

  /// The cursor of a commit of a store.
  package init(_ version: UInt64, of store: Store) {
    self.version = version
    // Another file may be at the path meanwhile.
    file = store.file.inode
  }

  /// Parses a cursor; returns nil if the text is not one.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let version = UInt64(parts[0]), let file = UInt64(parts[1], radix: 16)
    else { return nil }
    self.version = version
    self.file = file
  }

  /// The cursor as text.
  package var description: String { "\(version)-\(String(file, radix: 16))" }

  /// The reason why the changes since a cursor are not known.
  package enum Problem: Error, Sendable {
    /// The cursor belongs to another file, or the store was compacted since.
    case ofAnotherFile
    /// The store has forgotten what was changed since.
    case tooOld
  }

  /// Returns the changes to a class between the cursor and a snapshot.
  func changes(
    of className: String, in snapshot: Snapshot, of store: Store
  ) throws(Problem) -> TableChanges {
    guard file == CommitCursor(0, of: store).file, version <= snapshot.version else {
      throw .ofAnotherFile
    }
    guard let changes = snapshot.changes(of: className, since: version) else { throw .tooOld }
    return changes
  }
}
