/// The keys under which the large values of an extent of one column lie.
///
/// A value takes whole pages of the file, so values of a few pages lie in groups of eight neighbouring
/// rows, where they share their last page. Larger values lie alone, so that an edit rewrites no other.
struct LargeValueKeys {
  let table: UInt32
  let column: UInt16
  let extent: UInt32

  /// The number of rows of a group.
  static let groupRows = 8

  /// Returns the key of a value that lies alone.
  func value(chunk: Int, row: Int) -> StorageKey {
    StorageKey(
      kind: .largeValue, table: table, column: column, group: extent,
      number: UInt64(RowAddress.firstKey(ofChunk: chunk) + row))
  }

  /// Returns the key of the group that contains a row.
  func group(chunk: Int, row: Int) -> StorageKey {
    StorageKey(
      kind: .largeValueGroup, table: table, column: column, group: extent,
      number: UInt64((RowAddress.firstKey(ofChunk: chunk) + row) / Self.groupRows))
  }
}

/// Writes the large values of a new chunk, in the order of their rows.
struct LargeValueWriter {
  private let keys: LargeValueKeys
  private let chunk: Int
  private let put: (StorageKey, UnsafeRawBufferPointer) throws(StoreError) -> Void
  private var group = LargeValueGroup()
  /// The last row of the group.
  private var groupRow = 0

  /// - Parameter put: Writes a value, which is valid during the call.
  init(
    _ keys: LargeValueKeys, chunk: Int,
    put: @escaping (StorageKey, UnsafeRawBufferPointer) throws(StoreError) -> Void
  ) {
    self.keys = keys
    self.chunk = chunk
    self.put = put
  }

  /// Writes the value of a row behind the previous one.
  mutating func write(_ value: UnsafeRawBufferPointer, row: Int) throws(StoreError) {
    if row / LargeValueKeys.groupRows != groupRow / LargeValueKeys.groupRows { try finish() }
    groupRow = row
    if LargeValueGroup.holds(value.count) {
      group.append(value, at: row % LargeValueKeys.groupRows)
    } else {
      try put(keys.value(chunk: chunk, row: row), value)
    }
  }

  /// Writes the last group.
  mutating func finish() throws(StoreError) {
    guard !group.isEmpty else { return }
    try group.bytes.withTypedBytes { (bytes) throws(StoreError) in
      try put(keys.group(chunk: chunk, row: groupRow), bytes)
    }
    group = LargeValueGroup()
  }
}

/// The large values of eight neighbouring rows: the end of each, then their bytes. A row without such a
/// value ends where the row before it does.
struct LargeValueGroup {
  private var ends = [UInt32](repeating: 0, count: LargeValueKeys.groupRows)
  private var values: [UInt8] = []

  /// The maximum size in bytes of a value in a group. A value alone wastes half of a page on average,
  /// which hardly matters above it.
  private static let maxSize = 16 << 10
  private static let headerSize = LargeValueKeys.groupRows * 4

  /// Returns whether values of that size lie in groups.
  static func holds(_ size: Int) -> Bool { size <= maxSize }

  /// Whether the group has no value.
  var isEmpty: Bool { values.isEmpty }

  /// Appends the value of a row, the rows in their order.
  mutating func append(_ value: UnsafeRawBufferPointer, at row: Int) {
    assert(Self.holds(value.count), "the value lies alone")
    values.append(contentsOf: value)
    for later in row..<ends.count { ends[later] = UInt32(values.count) }
  }

  /// The bytes of the group as they are stored.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headerSize + values.count)
    for end in ends { withUnsafeBytes(of: end.littleEndian) { bytes.append(contentsOf: $0) } }
    return bytes + values
  }

  /// Returns the value of a row in a stored group, valid like the group; nil if the group is damaged.
  static func value(
    at row: Int, in group: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    guard group.count >= headerSize else { return nil }
    func end(_ row: Int) -> Int {
      Int(UInt32(littleEndian: group.loadUnaligned(fromByteOffset: row * 4, as: UInt32.self)))
    }
    let (start, end) = (headerSize + (row == 0 ? 0 : end(row - 1)), headerSize + end(row))
    guard start <= end, end <= group.count else { return nil }
    return UnsafeRawBufferPointer(rebasing: group[start..<end])
  }
}

/// The stored large values of one chunk, read in the order of the rows.
struct LargeValueReader {
  private let keys: LargeValueKeys
  private let chunk: Int
  private let transaction: LMDBTransaction
  /// The group that was read last.
  private var group: (key: StorageKey, bytes: UnsafeRawBufferPointer?)?

  init(_ keys: LargeValueKeys, chunk: Int, in transaction: LMDBTransaction) {
    self.keys = keys
    self.chunk = chunk
    self.transaction = transaction
  }

  /// Returns the value of a row, valid until the transaction ends; nil if the store has lost it.
  mutating func value(_ reference: LargeReference, row: Int) -> UnsafeRawBufferPointer? {
    guard LargeValueGroup.holds(reference.size) else {
      return transaction.get(keys.value(chunk: chunk, row: row))
    }
    let key = keys.group(chunk: chunk, row: row)
    if group?.key != key { group = (key, transaction.get(key)) }
    return group?.bytes.flatMap {
      LargeValueGroup.value(at: row % LargeValueKeys.groupRows, in: $0)
    }
  }
}
