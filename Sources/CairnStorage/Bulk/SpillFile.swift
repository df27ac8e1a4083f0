import CairnSystem

/// A temporary file without a name beside the store. It disappears with the process, however that
/// ends.
final class SpillFile: @unchecked Sendable {
  // Sendable: `lock` guards `end`.
  private let file: NamelessFile
  private let lock = Lock()
  private var end = 0
  /// The path of the store.
  private let store: String

  init(beside store: String) throws(StoreError) {
    self.store = store
    do throws(SystemCallError) { file = try NamelessFile(beside: store) } catch {
      throw Self.failure(error, to: "make", store: store)
    }
  }

  /// Appends bytes and returns their offset.
  func append(_ bytes: UnsafeRawBufferPointer) throws(StoreError) -> Int {
    let offset = reserve(bytes.count)
    try write(bytes, at: offset)
    return offset
  }

  /// Reserves space at the end and returns its offset.
  func reserve(_ count: Int) -> Int {
    lock.withLock {
      defer { end += count }
      return end
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StoreError) {
    do throws(SystemCallError) { try file.write(bytes, at: offset) } catch {
      throw Self.failure(error, to: "write", store: store)
    }
  }

  /// Fills `bytes` from `offset`.
  func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(StoreError) {
    do throws(SystemCallError) { try file.read(bytes, at: offset) } catch {
      throw Self.failure(error, to: "read", store: store)
    }
  }

  private static func failure(
    _ error: SystemCallError, to action: String, store: String
  ) -> StoreError {
    error.code == ENOSPC || error.code == EDQUOT
      ? diskFull("sorted rows for", store: store)
      : StoreError(
        .io,
        message: "cannot \(action) a temporary file beside \(store): \(errorText(error.code))")
  }
}
