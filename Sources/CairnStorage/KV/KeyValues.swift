/// The destination of a commit's values: the pages of the file, or a batch in memory.
protocol KeyValues {
  /// Returns the value of a key, including uncommitted writes; nil if it does not exist. The bytes are
  /// valid until the next write, or the end of the transaction.
  func get(_ key: StorageKey) -> UnsafeRawBufferPointer?
  /// Writes a value, replacing an existing one.
  func put(_ key: StorageKey, value: UnsafeRawBufferPointer) throws(StoreError)
  /// Removes a value and returns whether there was one.
  @discardableResult
  func delete(_ key: StorageKey) throws(StoreError) -> Bool
  /// Visits keys from `start` on in order, until `visit` returns false.
  func scan(
    from start: StorageKey, _ visit: (StorageKey, UnsafeRawBufferPointer) -> Bool
  ) throws(StoreError)
}

extension KeyValues {
  /// Writes an array of bytes.
  func put(_ key: StorageKey, bytes: [UInt8]) throws(StoreError) {
    let result: Result<Void, StoreError> = bytes.withUnsafeBytes { buffer in
      do throws(StoreError) { return .success(try put(key, value: buffer)) } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// Removes up to `limit` keys from `start` on, and stops at the first key that does not match.
  /// Returns the number of removed keys.
  @discardableResult
  func deleteRun(
    from start: StorageKey, limit: Int = .max, while matches: (StorageKey) -> Bool
  ) throws(StoreError) -> Int {
    var doomed: [StorageKey] = []
    try scan(from: start) { key, _ in
      guard matches(key), doomed.count < limit else { return false }
      doomed.append(key)
      return true
    }
    for key in doomed { try delete(key) }
    return doomed.count
  }

  /// Removes every value of the same kind, table, column and group as `start`.
  @discardableResult
  func deleteGroup(_ start: StorageKey) throws(StoreError) -> Int {
    try deleteRun(from: start) {
      $0.kind == start.kind && $0.table == start.table && $0.column == start.column
        && $0.group == start.group
    }
  }
}

/// The writes of one transaction, in memory until they are applied to the file's pages together
/// with those of others.
///
/// One thread fills the batch. Afterwards it does not change, and any thread may read its values
/// while it lives.
final class WriteBatch: KeyValues, @unchecked Sendable {
  // Sendable: the batch is read-only once it is shared.
  /// The written values; nil for a removed one.
  private var values: [StorageKey: OwnedBytes?] = [:]
  /// The state below, until the batch is complete.
  private var base: LMDBTransaction?

  /// - Parameter base: The state below.
  init(over base: LMDBTransaction? = nil) { self.base = base }

  /// Completes the batch and releases the state below.
  func close() { base = nil }

  /// Returns the write to a key: nil for an unwritten key, a nil value for a removed one.
  func written(_ key: StorageKey) -> OwnedBytes?? { values[key] }

  func get(_ key: StorageKey) -> UnsafeRawBufferPointer? {
    if let written = values[key] { return written?.bytes }
    return base?.get(key)
  }

  func put(_ key: StorageKey, value: UnsafeRawBufferPointer) throws(StoreError) {
    values[key] = .some(OwnedBytes(value))
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

  /// Returns the writes from a key on, in key order.
  func entries(from start: StorageKey? = nil) -> [(key: StorageKey, value: OwnedBytes?)] {
    values.filter { entry in start.map { !(entry.key < $0) } ?? true }
      .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Adds the writes of a later batch.
  func merge(_ later: WriteBatch) { values.merge(later.values) { $1 } }
}

/// Bytes at a fixed address while they are referenced.
final class OwnedBytes: Sendable {
  // Sendable: the bytes never change.
  /// The bytes, aligned to 16 and valid while the object lives.
  nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

  /// Copies the bytes.
  init(_ source: UnsafeRawBufferPointer) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 16)
    copy.copyMemory(from: source)
    bytes = UnsafeRawBufferPointer(copy)
  }

  /// Allocates bytes for `body` to fill, which are valid there during the call.
  init<Failure: Error>(
    count: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
    bytes = UnsafeRawBufferPointer(memory)
    try body(memory)
  }

  deinit { bytes.deallocate() }
}

extension KeyValues {
  /// Removes the rows and indexes of a column.
  func deleteColumn(_ column: UInt16, of table: UInt32) throws(StoreError) {
    for kind in Self.columnKinds {
      let start = StorageKey(kind: kind, table: table, column: column)
      _ = try deleteRun(from: start) {
        $0.kind == kind && $0.table == table && $0.column == column
      }
    }
  }

  /// Removes a class with all its data.
  func deleteTable(_ table: UInt32) throws(StoreError) {
    for kind in Self.columnKinds + [.schema, .state, .liveRowBitmap] {
      let start = StorageKey(kind: kind, table: table)
      _ = try deleteRun(from: start) { $0.kind == kind && $0.table == table }
    }
  }

  private static var columnKinds: [StorageKey.Kind] {
    [
      .chunk, .zones, .runNodes, .runEntries, .runTombstones, .runKeys, .largeValue,
      .largeValueGroup, .runWords, .runPositions,
    ]
  }
}
