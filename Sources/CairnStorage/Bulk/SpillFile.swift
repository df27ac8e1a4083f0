#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A temporary file beside the store that has no name: it is gone with the process, however that ends.
final class SpillFile: @unchecked Sendable {
  // Sendable: `end` is only touched under `lock`; pread and pwrite take their own offsets.
  private let descriptor: Int32
  private let lock = Lock()
  private var end = 0
  /// The store that the file is for.
  private let store: String

  init(beside store: String) throws(StoreError) {
    self.store = store
    let path = "\(store).load-\(getpid())-\(UInt32.random(in: .min ... .max))"
    let nameless = openNameless(in: folder(of: store))
    descriptor =
      nameless >= 0 ? nameless : openFile(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    guard descriptor >= 0 else {
      let code = errno
      throw code == ENOSPC || code == EDQUOT
        ? diskFull("sorted rows for", store)
        : StoreError(.io, "cannot make a temporary file beside \(store): \(errorText(code))")
    }
    if nameless < 0 { unlink(path) }
  }

  deinit { close(descriptor) }

  /// Writes bytes at the end; gives where they are.
  func append(_ bytes: UnsafeRawBufferPointer) throws(StoreError) -> Int {
    let offset = reserve(bytes.count)
    try write(bytes, at: offset)
    return offset
  }

  /// Keeps room at the end; gives where it is.
  func reserve(_ count: Int) -> Int {
    lock.withLock {
      defer { end += count }
      return end
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StoreError) {
    var done = 0
    while done < bytes.count, let base = bytes.baseAddress {
      let count = pwrite(descriptor, base + done, bytes.count - done, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure("write") }
      done += count
    }
  }

  /// Fills `bytes` from `offset` on.
  func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(StoreError) {
    var done = 0
    while done < bytes.count, let base = bytes.baseAddress {
      let count = pread(descriptor, base + done, bytes.count - done, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure("read") }
      done += count
    }
  }

  private func failure(_ doing: String) -> StoreError {
    let code = errno
    return code == ENOSPC || code == EDQUOT
      ? diskFull("sorted rows for", store)
      : StoreError(
        .io, "cannot \(doing) a temporary file beside \(store): \(errorText(code))")
  }
}
