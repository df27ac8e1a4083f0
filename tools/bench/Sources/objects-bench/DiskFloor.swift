import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The writes and syncs of one small commit, made by hand on preallocated files: the speed limit of
/// the disk for each side.
final class DiskFloor {
  private static let pageSize = 4096
  /// The number of steps after which offsets repeat.
  private static let steps = 40

  private let data: Int32
  private let meta: Int32
  private let log: Int32
  private var count = 0
  private let pages = [UInt8](repeating: 7, count: 8 * pageSize)

  /// Creates new files in a folder.
  init(_ folder: URL) throws {
    let blank = [UInt8](repeating: 0, count: 4 << 20)
    let tree = folder.appendingPathComponent("floor.tree").path
    data = try Self.create(tree, blank)
    meta = open(tree, O_WRONLY | O_DSYNC)
    log = try Self.create(folder.appendingPathComponent("floor.log").path, blank)
    guard meta >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  deinit { for file in [data, meta, log] { close(file) } }

  private static func create(_ path: String, _ bytes: [UInt8]) throws -> Int32 {
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
    guard file >= 0, pwrite(file, bytes, bytes.count, 0) == bytes.count, fsync(file) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    return file
  }

  /// A commit of LMDB: eight pages in three writes, a sync, then the meta page with another sync.
  func commitLikeLMDB() {
    count += 1
    let start = 8 * Self.pageSize * (1 + count % Self.steps)
    write(data, 1, at: start)
    write(data, 4, at: start + 2 * Self.pageSize)
    write(data, 3, at: start + 40 * 8 * Self.pageSize)
    Self.sync(data)
    _ = pages.withUnsafeBytes { pwrite(meta, $0.baseAddress, 120, count % 2 * Self.pageSize + 32) }
  }

  /// A commit of SQLite with a write-ahead log: two consecutive frames, and a sync.
  func commitLikeSQLite() {
    count += 1
    let frames = 2 * (Self.pageSize + 24)
    _ = pages.withUnsafeBytes { pwrite(log, $0.baseAddress, frames, count % 400 * frames) }
    Self.sync(log)
  }

  private func write(_ file: Int32, _ pageCount: Int, at offset: Int) {
    _ = pages.withUnsafeBytes {
      pwrite(file, $0.baseAddress, pageCount * Self.pageSize, off_t(offset))
    }
  }

  private static func sync(_ file: Int32) {
    #if canImport(Glibc)
    fdatasync(file)
    #else
    fsync(file)
    #endif
  }
}
