import CairnStorage
import CairnSystem

/// The store that a service reads. If another file takes the place of the file, the old one is closed
/// and the new one opened.
final class ServedStore: Sendable {
  /// An open file, and its number in the file system.
  struct File: Sendable {
    let store: Store
    let number: UInt64
  }

  /// A state of the store, to which cursors and entity tags refer.
  struct State {
    let store: Store
    let snapshot: Snapshot
    /// The number of the file.
    let file: UInt64
  }

  /// The path of the store.
  let path: String
  private let held: Mutex<Held>

  /// The open file, or the reason why the file at the path could not be opened.
  private struct Held {
    var file: File?
    var failure: StoreError?
    /// The milliseconds of the last look at the path.
    var checkedAt: Int
  }

  /// The milliseconds between two looks at the path.
  private static let checkInterval = 500

  private let untrusted: Bool
  private let isWritable: Bool

  init(_ path: String, untrusted: Bool, isWritable: Bool) throws(StoreError) {
    self.path = path
    self.untrusted = untrusted
    self.isWritable = isWritable
    let opened = try Self.open(path, untrusted: untrusted, isWritable: isWritable)
    held = Mutex(Held(file: opened, checkedAt: MonotonicClock.milliseconds))
  }

  private static func open(
    _ path: String, untrusted: Bool, isWritable: Bool
  ) throws(StoreError) -> File {
    let number = Self.number(of: path) ?? 0
    let store = try Store.open(
      path, mode: isWritable ? .readWrite : .readOnly, untrusted: untrusted)
    return File(store: store, number: number)
  }

  private static func number(of path: String) -> UInt64? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  /// Whether the file of a state is still the one at the path.
  func isCurrent(_ file: UInt64) -> Bool { Self.number(of: path).map { $0 == file } ?? true }

  /// Returns the state after the last commit.
  func state() throws(StoreError) -> State {
    let current = try held.withLock { (held) throws(StoreError) -> File in
      let now = MonotonicClock.milliseconds
      if let file = held.file {
        guard now - held.checkedAt > Self.checkInterval else { return file }
        held.checkedAt = now
        guard let number = Self.number(of: path), number != file.number else { return file }
      } else if let failure = held.failure, now - held.checkedAt <= Self.checkInterval {
        throw failure
      }
      // The new file cannot be opened before the old one is closed, for which responses that are
      // still being sent have to end.
      held.file = nil
      do throws(StoreError) {
        let opened = try Self.open(path, untrusted: untrusted, isWritable: isWritable)
        held = Held(file: opened, checkedAt: MonotonicClock.milliseconds)
        return opened
      } catch {
        // Not every request tries again while a bad file is there.
        held = Held(failure: error, checkedAt: MonotonicClock.milliseconds)
        throw error
      }
    }
    return State(
      store: current.store, snapshot: try current.store.snapshot(), file: current.number)
  }
}
