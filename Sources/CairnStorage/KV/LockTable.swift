import CairnSystem

/// The part of LMDB's lock file that every process has mapped: the number of the last commit, and
/// the table of readers.
///
/// LMDB has no functions to set them, so this reads and writes the bytes where LMDB 0.9 keeps them
/// (`MDB_txninfo` and `MDB_reader` in `mdb.c`): a magic number and a format (`u32` each), a mutex, the
/// number of the last commit, the number of slots; then, from the next two cache lines or more on, the
/// writer's mutex, and after it the slots. Nothing is written unless what LMDB itself returns is what
/// the file holds.
struct LockTable {
  private let file: Int32

  private static let cacheLine = 64
  private static let mutexSize = MemoryLayout<pthread_mutex_t>.size
  private static let versionOffset = aligned(8 + mutexSize, to: 8)
  private static let slotCountOffset = versionOffset + 8
  private static let slotsOffset =
    aligned(slotCountOffset + 4, to: cacheLine) + aligned(mutexSize, to: cacheLine)
  private static let slotSize = cacheLine
  private static let processOffset = 8

  init(_ lockFile: LockFile) { file = lockFile.descriptor }

  private static func aligned(_ size: Int, to step: Int) -> Int { (size + step - 1) / step * step }

  /// The number of the last commit, or nil if the file is too short.
  var version: UInt64? {
    FileBytes(file, at: Self.versionOffset, count: 8)?.load(UInt64.self, at: 0)
  }

  /// Sets the number of the last commit, from which new readers and writers start. The caller holds
  /// Cairn's writer lock.
  ///
  /// - Parameter known: the number that LMDB has read from the file.
  /// - Returns: false if nothing was written, because the file has another layout.
  func setVersion(_ version: UInt64, known: UInt64) -> Bool {
    guard self.version == known else { return false }
    return write(version, at: Self.versionOffset)
  }

  /// Frees the slots that earlier processes with the number of this one have left. LMDB takes them for
  /// this process's own, so they would keep their pages for as long as it lives.
  ///
  /// Call this while no reader of this process exists, and its number is claimed.
  func freeLeftSlots(of environment: OpaquePointer) {
    let number = getpid()
    let listed = ReaderSlot.all(of: environment).count { $0.process == number }
    guard listed > 0 else { return }
    let slots = self.slots(of: number)
    // Every slot that LMDB lists has to be where this expects it.
    guard slots.count == listed else { return }
    for slot in slots { _ = write(UInt32(0), at: slot + Self.processOffset) }
  }

  private func slots(of number: Int32) -> [Int] {
    guard let count = FileBytes(file, at: Self.slotCountOffset, count: 4)?.load(UInt32.self, at: 0),
      count <= LMDBFile.maximumReaders,
      let table = FileBytes(file, at: Self.slotsOffset, count: Int(count) * Self.slotSize)
    else { return [] }
    return (0..<Int(count)).map { $0 * Self.slotSize }.filter {
      table.load(Int32.self, at: $0 + Self.processOffset) == number
    }
    .map { Self.slotsOffset + $0 }
  }

  private func write<T: BitwiseCopyable>(_ value: T, at offset: Int) -> Bool {
    withUnsafeBytes(of: value) {
      pwrite(file, $0.baseAddress, $0.count, off_t(offset)) == $0.count
    }
  }
}
