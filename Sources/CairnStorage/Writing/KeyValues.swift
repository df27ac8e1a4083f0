/// Where a commit writes to: the pages of the file, or memory first.
protocol KeyValues {
  /// The value under a key, what was just written included; nil when there is none.
  func get(_ key: StorageKey) -> UnsafeRawBufferPointer?
  /// Writes a value, in place of the one under that key.
  func put(_ key: StorageKey, _ value: UnsafeRawBufferPointer) throws(StoreError)
  /// Removes a value, if there is one.
  @discardableResult
  func delete(_ key: StorageKey) throws(StoreError) -> Bool
  /// Visits keys from `start` on, in order, until `visit` says no.
  func scan(
    from start: StorageKey, _ visit: (StorageKey, UnsafeRawBufferPointer) -> Bool
  ) throws(StoreError)
}

extension KeyValues {
  /// Writes an array of bytes.
  func put(_ key: StorageKey, _ bytes: [UInt8]) throws(StoreError) {
    let result: Result<Void, StoreError> = bytes.withUnsafeBytes { buffer in
      do throws(StoreError) { return .success(try put(key, buffer)) } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// Removes up to `limit` keys from `start` on for which `matches` holds, stopping at the first that does not.
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
