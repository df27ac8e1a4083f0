#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The lock that a running bulk load holds on the store's file, so that the next writer can tell what a
/// killed load left behind from what a living one still needs. The kernel drops it with the process.
final class LoadMarker: @unchecked Sendable {
  // Sendable: the descriptor is fixed.
  private let descriptor: Int32

  /// Waits for the load before, then takes the lock.
  init(_ path: String) throws(StoreError) {
    descriptor = openFile(path, O_RDONLY)
    guard descriptor >= 0 else {
      throw StoreError(.io, "cannot open \(path): \(errorText(errno))")
    }
    let descriptor = descriptor
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
    try LockWaits.report(
      path, .load, holder: { LockHolder.ofWholeFile(descriptor) },
      during: { () throws(StoreError) in
        while flock(descriptor, LOCK_EX) != 0 {
          guard errno == EINTR else {
            throw StoreError(.locked, "cannot lock \(path): \(errorText(errno))")
          }
        }
      })
  }

  /// Takes the lock if no load holds it.
  init?(ifFree path: String) {
    descriptor = openFile(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
  }

  /// Runs after a failed `init` too.
  deinit { close(descriptor) }
}

/// What a load has reserved: written with its first bytes, removed by the commit that publishes it.
struct PendingLoad: Equatable {
  var table: UInt32
  /// The columns have lower numbers.
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
    var reader = ByteReader(bytes, "the record of an unfinished import")
    table = try reader.read()
    columnEnd = try reader.readInt()
    guard 0...1 << 16 ~= columnEnd else { throw reader.nonsense() }
  }
}

extension LMDBTransaction {
  /// Frees what loads left behind whose process is gone.
  func freeAbandonedLoads() throws(StoreError) {
    guard try !pendingLoads().isEmpty, let marker = LoadMarker(ifFree: environment.realPath) else {
      return
    }
    try withExtendedLifetime(marker) { () throws(StoreError) in try freePendingLoads() }
  }

  /// Frees every load that was not published. For the holder of the load lock: then all are abandoned.
  func freePendingLoads() throws(StoreError) {
    for (extent, load) in try pendingLoads() { try free(extent, load) }
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

  /// Removes every value of a load, and the record of it.
  func free(_ extent: UInt32, _ load: PendingLoad) throws(StoreError) {
    let groups: [(StorageKey.Kind, UInt32)] = [
      (.chunk, extent), (.zones, extent), (.runNodes, BulkWriter.runID(extent)),
      (.runKeys, BulkWriter.runID(extent)),
    ]
    for column in 0..<load.columnEnd {
      for (kind, group) in groups {
        try deleteGroup(
          StorageKey(kind: kind, table: load.table, column: UInt16(column), group: group))
      }
    }
    try deleteGroup(StorageKey(kind: .liveness, table: load.table, group: extent))
    try delete(.pendingLoad(extent))
  }
}
