/// What one transaction writes, in memory until it goes into the file's pages together with others.
///
/// It is filled by one thread, and nothing changes in it afterwards; what it holds may then be read by any thread for as
/// long as it lives.
final class WriteBatch: KeyValues, @unchecked Sendable {
  // Sendable: only read once it is handed on.
  /// Nil: the value was removed.
  private var values: [StorageKey: HeldBytes?] = [:]
  /// The state below, until the batch is full.
  private var base: LMDBTransaction?

  /// - Parameter base: the state below.
  init(over base: LMDBTransaction? = nil) { self.base = base }

  /// Lets go of the state below: nothing more is written.
  func close() { base = nil }

  /// What was written under a key: nil where nothing was, a nil value where one was removed.
  func written(_ key: StorageKey) -> HeldBytes?? { values[key] }

  func get(_ key: StorageKey) -> UnsafeRawBufferPointer? {
    if let written = values[key] { return written?.bytes }
    return base?.get(key)
  }

  func put(_ key: StorageKey, _ value: UnsafeRawBufferPointer) throws(StoreError) {
    values[key] = .some(HeldBytes(value))
  }

  @discardableResult
  func delete(_ key: StorageKey) throws(StoreError) -> Bool {
    let isThere = get(key) != nil
    if isThere { values[key] = .some(nil) }
    return isThere
  }

  func scan(
    from start: StorageKey, _ visit: (StorageKey, UnsafeRawBufferPointer) -> Bool
  ) throws(StoreError) {
    try base?.scan(from: start, under: [self], visit)
  }

  /// What was written from a key on, in the order of the keys.
  func entries(from start: StorageKey? = nil) -> [(key: StorageKey, value: HeldBytes?)] {
    values.filter { entry in start.map { !(entry.key < $0) } ?? true }
      .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Enters what was written behind this.
  func merge(_ later: WriteBatch) { values.merge(later.values) { $1 } }
}

/// Bytes that stay where they are while somebody holds them.
final class HeldBytes: Sendable {
  // Sendable: nothing in them changes.
  nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

  /// A copy of them.
  init(_ source: UnsafeRawBufferPointer) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 16)
    copy.copyMemory(from: source)
    bytes = UnsafeRawBufferPointer(copy)
  }

  deinit { bytes.deallocate() }
}
