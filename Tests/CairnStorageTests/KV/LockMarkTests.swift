import CairnTestSupport
import Foundation
import Testing

@testable import CairnStorage

/// The marks by which processes see whether they use the same lock file.
@Suite struct LockMarkTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder(inMemory: true)
    for name in ["store", "lock", "other"] { try write([1], to: folder.file(name)) }
  }

  private func mark(_ lock: String) throws -> (mark: LockMark?, outcome: LockMark.Outcome) {
    LockMark.make(
      on: folder.file("store"), for: try #require(FileIdentity(path: folder.file(lock))))
  }

  #if os(Linux)
  @Test func marksOfOneLockFileDoNotConflict() throws {
    try whileMarked {
      #expect(try isMarked("lock"))
      #expect(try !isMarked("other"))
      let inode = try #require(LockMark.lockInode(of: folder.file("store")))
      #expect(LockMark.matches(try #require(FileIdentity(path: folder.file("lock"))), inode: inode))
      #expect(
        !LockMark.matches(try #require(FileIdentity(path: folder.file("other"))), inode: inode))
    }
    #expect(LockMark.lockInode(of: folder.file("store")) == nil)
    #expect(try isMarked("other"))
  }

  /// Whether a mark can be made; it is removed at once.
  private func isMarked(_ lock: String) throws -> Bool {
    try mark(lock).outcome == .marked
  }

  private func whileMarked(_ body: () throws -> Void) throws {
    let (mark, outcome) = try mark("lock")
    #expect(outcome == .marked)
    try withExtendedLifetime(mark) { try body() }
  }

  /// Closing another descriptor of the store drops the locks of a process, but not those of an open
  /// file.
  @Test func aMarkOutlivesOtherDescriptors() throws {
    try whileMarked {
      close(open(folder.file("store"), O_RDWR))
      #expect(LockMark.lockInode(of: folder.file("store")) != nil)
    }
  }

  /// A mark that lasts means that another process has the store open; one that soon ends may be that
  /// of a child that does not run its own program yet.
  @Test func onlyALastingMarkKeepsOthersOut() throws {
    try whileMarked {
      #expect { try ExclusiveLock(folder.file("store")) } throws: { error in
        (error as? StoreError)?.kind == .inUse
      }
    }
    try markBriefly()
    _ = try ExclusiveLock(folder.file("store"))
  }

  private func markBriefly() throws {
    let (mark, outcome) = try mark("lock")
    #expect(outcome == .marked)
    nonisolated(unsafe) let held = mark
    Thread.detachNewThread { withExtendedLifetime(held) { _ = usleep(10_000) } }
  }
  #endif

  @Test func aFileWithOneNameUsesThatName() throws {
    #expect(LockName.name(for: folder.file("store")) == folder.file("store"))
    #expect(LockName.name(for: folder.file("none")) == folder.file("none"))
    #expect(LockName.count(folder.file("store")) == 1)
  }

  @Test func theLockFileIsNamedAfterTheFirstOfSeveralNames() throws {
    for name in ["b", "a", "c"] {
      try FileManager.default.linkItem(atPath: folder.file("store"), toPath: folder.file(name))
    }
    #expect(LockName.count(folder.file("a")) == 4)
    for name in ["a", "b", "c", "store"] {
      #expect(LockName.name(for: folder.file(name)) == folder.file("a"), "\(name)")
    }
  }

  /// Until it is closed, everyone uses the lock file that is already in use.
  @Test func theNameInUseComesFirst() throws {
    let store = try folder.store()
    try FileManager.default.linkItem(atPath: folder.file(), toPath: folder.file("a.cairn"))
    #if os(Linux)
    #expect(LockName.name(for: folder.file("a.cairn")) == folder.file())
    #endif
    #expect(store.lockPath == folder.file() + "-lock")
    let other = try Store.open(folder.file("a.cairn"), mode: .readWrite)
    #expect(other.lockPath == folder.file() + "-lock")
  }

  @Test func aStoreWithTwoNamesIsNotCompacted() throws {
    _ = try folder.store()
    try FileManager.default.linkItem(atPath: folder.file(), toPath: folder.file("a.cairn"))
    for name in ["a.cairn", "test.cairn"] {
      let error = #expect(throws: StoreError.self) { try Store.compact(folder.file(name)) }
      #expect(error?.kind == .locked && error?.message.contains("2 names") == true)
      #expect(try !Store.compact(folder.file(name), if: { _ in true }))
    }
    #expect(try Store.remove(folder.file("a.cairn")))
    #expect(try Store.compact(folder.file(), if: { _ in true }))
  }
}
