import CairnSystem

/// The lock that a running bulk load holds on the store's file. It lets the next writer tell the
/// remains of a killed load from the data of a running one. The kernel releases it with the
/// process.
final class LoadLock: @unchecked Sendable {
  // Sendable: the descriptor never changes.
  /// The open file; -1 for a store in memory.
  private let descriptor: Int32
  /// The turn of a store in memory; nil for a file.
  private let turn: LoadTurn?

  /// Waits for the previous load, then takes the lock.
  init(_ environment: Environment) throws(StoreError) {
    turn = environment.loadTurn
    if let turn = environment.loadTurn {
      descriptor = -1
      turn.take()
      return
    }
    let path = environment.realPath
    descriptor = openFile(path, flags: O_RDONLY)
    guard descriptor >= 0 else {
      throw StoreError(.io, message: "cannot open \(path): \(errorText(errno))")
    }
    let descriptor = descriptor
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
    try LockWaits.report(
      path, purpose: .load, holder: { LockHolder.ofWholeFile(descriptor) },
      during: { () throws(StoreError) in
        while flock(descriptor, LOCK_EX) != 0 {
          guard errno == EINTR else {
            throw StoreError(.locked, message: "cannot lock \(path): \(errorText(errno))")
          }
        }
      })
  }

  /// Takes the lock if no load holds it; nil otherwise.
  init?(ifFree environment: Environment) {
    if let own = environment.loadTurn {
      let isTaken = own.takeIfFree()
      (descriptor, turn) = (-1, isTaken ? own : nil)
      guard isTaken else { return nil }
      return
    }
    turn = nil
    descriptor = openFile(environment.realPath, flags: O_RDONLY)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
  }

  /// Also runs after a failed `init`.
  deinit {
    turn?.release()
    if descriptor >= 0 { close(descriptor) }
  }
}

/// The lock of a bulk load into a store in memory, which only this process has.
final class LoadTurn: Sendable {
  private let lock = Lock()
  private let isFree = ConditionVariable()
  // Sendable: `lock` guards it.
  nonisolated(unsafe) private var isTaken = false

  /// Waits for the previous load, then takes the turn.
  func take() {
    lock.withLock {
      while isTaken { isFree.wait(lock) }
      isTaken = true
    }
  }

  /// Takes the turn if no load has it; returns whether it did.
  func takeIfFree() -> Bool {
    lock.withLock {
      guard !isTaken else { return false }
      isTaken = true
      return true
    }
  }

  /// Ends the turn.
  func release() {
    lock.withLock { isTaken = false }
    isFree.signalAll()
  }
}

/// The record of a load's reserved numbers. The load writes it with its first bytes; the commit
/// that publishes the load removes it.
struct PendingLoad: Equatable {
  var table: UInt32
  /// One past the highest column number.
  var columnEnd: Int

  func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.write(table)
    writer.write(Int64(columnEnd))
    return writer.bytes
  }

  init(table: UInt32, columns: [UInt16]) {
    self.table = table
    columnEnd = columns.max().map { Int($0) + 1 } ?? 0
  }

  init(decoding bytes: UnsafeRawBufferPointer) throws(StoreError) {
    var reader = ByteReader(bytes, what: "the record of an unfinished import")
    table = try reader.read()
    columnEnd = try reader.readInt()
    guard 0...1 << 16 ~= columnEnd else { throw reader.nonsense() }
  }
}

extension LMDBTransaction {
  /// Frees the data of loads whose process has ended.
  func freeAbandonedLoads() throws(StoreError) {
    guard try !pendingLoads().isEmpty, let marker = LoadLock(ifFree: environment) else {
      return
    }
    try withExtendedLifetime(marker) { () throws(StoreError) in try freePendingLoads() }
  }

  /// Frees every unpublished load. Only for the holder of the load lock: then all of them are
  /// abandoned.
  func freePendingLoads() throws(StoreError) {
    for (extent, load) in try pendingLoads() { try free(extent, load: load) }
  }

  func pendingLoads() throws(StoreError) -> [(UInt32, PendingLoad)] {
    var records: [(extent: UInt32, bytes: UnsafeRawBufferPointer)] = []
    try scan(from: .pendingLoad(0)) { key, bytes in
      guard key.kind == .pendingLoad else { return false }
      records.append((key.group, bytes))
      return true
    }
    var loads: [(UInt32, PendingLoad)] = []
    for record in records {
      loads.append((record.extent, try PendingLoad(decoding: record.bytes)))
    }
    return loads
  }

  /// Removes every value of a load and its record.
  func free(_ extent: UInt32, load: PendingLoad) throws(StoreError) {
    let groups: [(StorageKey.Kind, UInt32)] = [
      (.chunk, extent), (.zones, extent), (.largeValue, extent),
      (.largeValueGroup, extent),
      (.runNodes, StorageKey.loadRun(extent)),
      (.runKeys, StorageKey.loadRun(extent)), (.runWords, StorageKey.loadRun(extent)),
      (.runPositions, StorageKey.loadRun(extent)),
    ]
    for column in 0..<load.columnEnd {
      for (kind, group) in groups {
        try deleteGroup(
          StorageKey(kind: kind, table: load.table, column: UInt16(column), group: group))
      }
    }
    try deleteGroup(StorageKey(kind: .liveRowBitmap, table: load.table, group: extent))
    try delete(.pendingLoad(extent))
  }
}

extension LMDBTransaction {
  /// Frees unused data before a write.
  func cleanUp() throws(StoreError) {
    if version % Self.sweepInterval == 0 { environment.sweepReaders() }
    try freeAbandonedLoads()
  }

  /// The number of commits between two sweeps of the reader table: a killed reader would keep old
  /// pages forever.
  private static var sweepInterval: UInt64 { 64 }
}
