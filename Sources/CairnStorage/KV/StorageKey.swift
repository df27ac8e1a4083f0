/// The key of a value in the store: a kind, a table, a column, an extent or run, and a number, all
/// big-endian, so that neighbours in a column are neighbours in the file.
struct StorageKey: Hashable, Comparable {
  enum Kind: UInt8 {
    case header = 1
    case schema = 2
    case state = 3
    case liveRowBitmap = 4
    case chunk = 5
    case zones = 6
    case runNodes = 7
    case runEntries = 8
    case runTombstones = 9
    case runKeys = 10
    case changeLog = 11
    case pendingLoad = 12
    case counters = 13
    case schemaVersion = 14
    case largeValue = 15
    case runWords = 16
    case runPositions = 17
    case inventory = 18
    case largeValueGroup = 19

    /// Whether values of this kind are read in place as arrays.
    var isAligned: Bool {
      switch self {
      case .liveRowBitmap, .chunk, .zones, .runNodes, .runEntries, .runTombstones, .runKeys,
        .largeValue, .largeValueGroup, .runWords, .runPositions:
        true
      case .header, .schema, .state, .changeLog, .pendingLoad, .counters, .schemaVersion,
        .inventory:
        false
      }
    }

    /// Whether inventories count values of this kind: the small records that nothing else leads to
    /// have owners that would miss them.
    var isInventoried: Bool { isAligned }

    /// The offset of the checksum within values of this kind; nil if they have none of their own.
    var checksumOffset: Int? { self == .chunk ? 8 : nil }
  }

  let kind: Kind
  var table: UInt32 = 0
  var column: UInt16 = 0
  /// The extent of a chunk, or the run of a node.
  var group: UInt32 = 0
  var number: UInt64 = 0

  /// The size of an encoded key in bytes.
  static let size = 19

  static let header = StorageKey(kind: .header)
  static let counters = StorageKey(kind: .counters)
  static let schemaVersion = StorageKey(kind: .schemaVersion)
  static func schema(_ table: UInt32) -> StorageKey { StorageKey(kind: .schema, table: table) }
  static func state(_ table: UInt32) -> StorageKey { StorageKey(kind: .state, table: table) }
  static func liveRowBitmap(_ table: UInt32, extent: UInt32, chunk: Int) -> StorageKey {
    StorageKey(kind: .liveRowBitmap, table: table, group: extent, number: UInt64(chunk))
  }
  static func chunk(
    _ table: UInt32, column: UInt16, extent: UInt32, chunk: Int
  ) -> StorageKey {
    StorageKey(
      kind: .chunk, table: table, column: column, group: extent, number: UInt64(chunk))
  }
  static func zones(
    _ table: UInt32, column: UInt16, extent: UInt32, segment: Int
  ) -> StorageKey {
    StorageKey(
      kind: .zones, table: table, column: column, group: extent, number: UInt64(segment))
  }
  /// The key of a segment of the nodes of one level of a run.
  static func runNodes(
    _ table: UInt32, column: UInt16, run: UInt32, level: Int, segment: Int
  ) -> StorageKey {
    StorageKey(
      kind: .runNodes, table: table, column: column, group: run,
      number: UInt64(level) << 32 | UInt64(segment))
  }
  static func runEntries(
    _ table: UInt32, column: UInt16, run: UInt32, block: Int
  ) -> StorageKey {
    StorageKey(
      kind: .runEntries, table: table, column: column, group: run, number: UInt64(block))
  }
  static func runTombstones(_ table: UInt32, column: UInt16, run: UInt32, chunk: Int) -> StorageKey
  {
    StorageKey(
      kind: .runTombstones, table: table, column: column, group: run, number: UInt64(chunk))
  }
  static func runKeys(
    _ table: UInt32, column: UInt16, run: UInt32, segment: Int
  ) -> StorageKey {
    StorageKey(
      kind: .runKeys, table: table, column: column, group: run, number: UInt64(segment))
  }
  static func runWords(
    _ table: UInt32, column: UInt16, run: UInt32, segment: Int
  ) -> StorageKey {
    StorageKey(
      kind: .runWords, table: table, column: column, group: run, number: UInt64(segment))
  }
  static func runPositions(
    _ table: UInt32, column: UInt16, run: UInt32, segment: Int
  ) -> StorageKey {
    StorageKey(
      kind: .runPositions, table: table, column: column, group: run, number: UInt64(segment))
  }
  static func changeLog(_ version: UInt64) -> StorageKey {
    StorageKey(kind: .changeLog, number: version)
  }
  static func pendingLoad(_ extent: UInt32) -> StorageKey {
    StorageKey(kind: .pendingLoad, group: extent)
  }

  /// The order in which LMDB sorts the keys.
  static func < (a: StorageKey, b: StorageKey) -> Bool {
    if a.kind != b.kind { return a.kind.rawValue < b.kind.rawValue }
    if a.table != b.table { return a.table < b.table }
    if a.column != b.column { return a.column < b.column }
    return a.group != b.group ? a.group < b.group : a.number < b.number
  }

  /// Calls `body` with the encoded key.
  func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    var storage: (UInt64, UInt64, UInt64) = (0, 0, 0)
    return try withUnsafeMutableBytes(of: &storage) { buffer throws(E) -> R in
      buffer[0] = kind.rawValue
      buffer.storeBytes(of: table.bigEndian, toByteOffset: 1, as: UInt32.self)
      buffer.storeBytes(of: column.bigEndian, toByteOffset: 5, as: UInt16.self)
      buffer.storeBytes(of: group.bigEndian, toByteOffset: 7, as: UInt32.self)
      buffer.storeBytes(of: number.bigEndian, toByteOffset: 11, as: UInt64.self)
      return try body(UnsafeRawBufferPointer(rebasing: buffer[0..<StorageKey.size]))
    }
  }

  /// Decodes a key; returns nil if the bytes are not a key.
  init?(reading bytes: UnsafeRawBufferPointer) {
    guard bytes.count == StorageKey.size, let kind = Kind(rawValue: bytes[0]) else { return nil }
    self.init(
      kind: kind, table: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt32.self)),
      column: UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 5, as: UInt16.self)),
      group: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 7, as: UInt32.self)),
      number: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 11, as: UInt64.self)))
  }

  init(
    kind: Kind, table: UInt32 = 0, column: UInt16 = 0, group: UInt32 = 0, number: UInt64 = 0
  ) {
    self.kind = kind
    self.table = table
    self.column = column
    self.group = group
    self.number = number
  }
}

extension StorageKey {
  /// Returns the number of a bulk load's runs: that of its extent with the top bit set, which runs
  /// of single writes never reach.
  static func loadRun(_ extent: UInt32) -> UInt32 { extent | 1 << 31 }

  /// Returns the extent of a bulk load's run; nil for a run of single writes.
  static func extent(ofLoadRun run: UInt32) -> UInt32? { run >> 31 == 1 ? run & ~(1 << 31) : nil }
}
