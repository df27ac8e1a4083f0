import CairnTestSupport
import Foundation
import Testing

@testable import CairnStorage

/// The marks by which processes see whether they use the same lock file.
@Suite(.tags(.threads)) struct LockMarkTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder(inMemory: true)
    for name in ["store", "lock", "other"] { try write([1], to: folder.file(name)) }
  }

  private func mark(_ lock: String) throws -> LockMark.Outcome {
    LockMark.make(
      on: folder.file("store"), lock: try #require(FileIdentity(path: folder.file(lock))))
  }

  #if os(Linux)
  @Test func marksOfOneLockFileDoNotConflict() throws {
    try whileMarked {
      #expect(try isMarked("lock"))
      #expect(try !isMarked("other"))
      let offset = try #require(LockMark.offset(on: folder.file("store")))
      let (lock, other) = (
        try #require(FileIdentity(path: folder.file("lock"))),
        try #require(FileIdentity(path: folder.file("other")))
      )
      #expect(LockMark.matches(lock, offset: offset))
      #expect(!LockMark.matches(other, offset: offset))
    }
    #expect(LockMark.offset(on: folder.file("store")) == nil)
    #expect(try isMarked("other"))
  }

  /// Whether a mark can be made; it is removed at once.
  private func isMarked(_ lock: String) throws -> Bool {
    if case .marked = try mark(lock) { true } else { false }
  }

  private func whileMarked(_ body: () throws -> Void) throws {
    guard case .marked(let mark) = try mark("lock") else {
      Issue.record("no mark")
      return
    }
    try withExtendedLifetime(mark) { try body() }
  }

  /// A Cairn before format 5 marks the byte at the inode of the lock file. It and this one refuse each
  /// other, because it does not follow the same rules.
  @Test func anOlderCairnIsKnownByItsMark() throws {
    let lock = try #require(FileIdentity(path: folder.file("lock")))
    let descriptor = open(folder.file("store"), O_RDWR)
    defer { close(descriptor) }
    let offset = Int64(1) << 62 + Int64(lock.inode & (1 << 61 - 1))
    #expect(
      RecordLock.set(
        Int32(F_RDLCK), on: descriptor, bytes: offset..<offset + 1, kind: .openFile) == 0)
    guard case .olderCairn = try mark("lock") else {
      Issue.record("the older mark is not known")
      return
    }
    #expect(LockMark.matches(lock, offset: try #require(LockMark.offset(on: folder.file("store")))))
    let error = #expect(throws: StoreError.self) { try ExclusiveLock(folder.file("store")) }
    #expect(error?.kind == .inUse)
  }

  /// Closing another descriptor of the store drops the locks of a process, but not those of an open
  /// file.
  @Test func aMarkOutlivesOtherDescriptors() throws {
    try whileMarked {
      close(open(folder.file("store"), O_RDWR))
      #expect(LockMark.offset(on: folder.file("store")) != nil)
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
    // The first look finds the mark. A later one does not, unless the thread that removes it comes too
    // late on a busy machine.
    try eventually("a mark that ends keeps nobody out") {
      try markUntilSeen()
      do throws(StoreError) { _ = try ExclusiveLock(folder.file("store")) } catch {
        guard error.kind == .inUse else { throw error }
        return false
      }
      return true
    }
  }

  /// Marks the store until somebody has looked at the mark, for which they open and close the file.
  private func markUntilSeen() throws {
    guard case .marked(let mark) = try mark("lock") else {
      Issue.record("no mark")
      return
    }
    nonisolated(unsafe) let held = mark
    let events = inotify_init1(O_CLOEXEC)
    let path = folder.file("store")
    try #require(events >= 0 && inotify_add_watch(events, path, UInt32(IN_CLOSE_NOWRITE)) >= 0)
    Thread.detachNewThread {
      var bytes = [UInt8](repeating: 0, count: 4096)
      withExtendedLifetime(held) { _ = read(events, &bytes, bytes.count) }
      close(events)
    }
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
