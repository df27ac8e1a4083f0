/// Checks the keys of a store: each must be of a kind that Cairn writes, and have an owner. In a store
/// with inventories, the values of each group must be exactly those that were written.
///
/// The other checks rely on the catalogue that it reads.
struct KeyInventoryCheck {
  private(set) var schemas: [TableSchema] = []
  private(set) var states: [UInt32: TableState] = [:]
  private var owners: [UInt32: Owner] = [:]
  private var pending: [UInt32: PendingLoad] = [:]
  private let transaction: LMDBTransaction
  private let log: IntegrityLog
  /// Whether the store has inventories.
  let isInventoried: Bool

  /// The storage that the state of a class refers to.
  private struct Owner {
    let schema: TableSchema
    let state: TableState
    let columns: Set<UInt16>
    let runs: Set<UInt32>
    let runsWithPositions: Set<UInt32>

    init(_ schema: TableSchema, state: TableState) {
      self.schema = schema
      self.state = state
      columns = Set(schema.columns.map(\.id))
      runs = Set(state.runIDs)
      runsWithPositions = Set(state.textRuns.filter(\.hasPositions).map(\.id))
    }

    /// The number of chunks in an extent; 0 if the class does not have it.
    func chunkCount(of extent: UInt32) -> UInt64 {
      guard let index = state.extents.firstIndex(where: { $0.id == extent }) else { return 0 }
      let next = index + 1
      let end = next < state.extents.count ? state.extents[next].firstChunk : state.chunkCount
      return UInt64(max(min(end, state.chunkCount) - state.extents[index].firstChunk, 0))
    }
  }

  init(_ transaction: LMDBTransaction, log: IntegrityLog) throws(StoreError) {
    self.transaction = transaction
    self.log = log
    isInventoried = transaction.formatVersion >= StoreHeader.inventoryVersion
    try readRecords()
    try count()
  }

  /// Reads the small records. Each has its own checksum.
  private mutating func readRecords() throws(StoreError) {
    var keys: [StorageKey] = []
    let kinds: [StorageKey.Kind] = [
      .header, .schema, .state, .changeLog, .pendingLoad, .counters, .schemaVersion, .inventory,
    ]
    for kind in kinds {
      try transaction.scan(from: StorageKey(kind: kind)) { key, _ in
        guard key.kind == kind else { return false }
        keys.append(key)
        return true
      }
    }
    let damaged = keys.filter { !isSealed($0) }
    for key in damaged {
      log.note(.data, message: "the checksum of \(Self.name(key)) does not match")
    }
    let lost = Set(damaged.filter { $0.kind == .schema || $0.kind == .state }.map(\.table))
    for key in keys where key.kind == .schema && !lost.contains(key.table) { readClass(key.table) }
    for key in keys where key.kind == .pendingLoad { readPendingLoad(key) }
    readCounters()
    noting { () throws(StoreError) in _ = try transaction.schemaVersion() }
    for key in keys where key.kind == .changeLog {
      noting { () throws(StoreError) in
        _ = try ChangeLogCoding.entries(of: key.number, in: transaction)
      }
    }
  }

  private func isSealed(_ key: StorageKey) -> Bool {
    transaction.stored(key).flatMap { ChecksumTrailer.record(in: $0, under: key) } != nil
  }

  private mutating func readPendingLoad(_ key: StorageKey) {
    guard let bytes = transaction.get(key) else { return }
    do throws(StoreError) {
      pending[key.group] = try PendingLoad(decoding: bytes)
    } catch { log.note(.data, message: error.message) }
  }

  private mutating func readClass(_ id: UInt32) {
    guard let bytes = transaction.get(.schema(id)) else { return }
    do throws(StoreError) {
      let schema = try TableSchema(id: id, decoding: bytes)
      guard let record = transaction.get(.state(id)) else {
        return log.note(.data, message: "the record of its state is missing", in: schema.name)
      }
      let state = try TableState(decoding: record, table: schema.name)
      guard isPlausible(schema), isPlausible(state, schema: schema) else { return }
      schemas.append(schema)
      states[id] = state
      owners[id] = Owner(schema, state: state)
    } catch { log.note(.data, message: error.message) }
  }

  private func isPlausible(_ schema: TableSchema) -> Bool {
    let visible = TableSchema(
      id: schema.id, name: schema.name, columns: schema.properties, inverses: schema.inverses)
    guard (try? visible.check()) != nil,
      Set(schema.columns.map(\.id)).count == schema.columns.count,
      !schemas.contains(where: { $0.name == schema.name })
    else {
      log.note(.data, message: "has an invalid schema", in: schema.name)
      return false
    }
    return true
  }

  private func isPlausible(_ state: TableState, schema: TableSchema) -> Bool {
    let firsts = state.extents.map(\.firstChunk)
    guard firsts == Set(firsts).sorted(), state.chunkCount < Self.maxChunks,
      Set(state.extents.map(\.id)).count == state.extents.count,
      state.runIDs.allSatisfy({ $0 < state.nextRun || $0 >> 31 == 1 })
    else {
      log.note(.data, message: "has an invalid state", in: schema.name)
      return false
    }
    return true
  }

  private func readCounters() {
    noting { () throws(StoreError) in
      let counters = try Counters(reading: transaction)
      let tables = owners.keys.max() ?? 0
      let extents = states.values.flatMap(\.extents).map(\.id).max() ?? 0
      if counters.lastTable < tables || counters.lastExtent < extents {
        log.note(.data, message: "the counters are lower than numbers that are in use")
      }
    }
  }

  /// Visits every key once.
  private func count() throws(StoreError) {
    var known = 0
    var groups = GroupCount()
    try transaction.scan(from: .header) { key, value in
      known += 1
      if let waste = waste(key) {
        // Without inventories nothing tells a leftover from a part of an object under a wrong key.
        log.note(
          isInventoried ? .space : .data, message: waste, in: owners[key.table]?.schema.name)
      }
      if isInventoried { groups.add(value, under: key) }
      return true
    }
    if known < (try transaction.entryCount()) {
      log.note(.data, message: "some values have keys that this version of Cairn does not know")
    }
    if isInventoried { compare(groups) }
  }

  private func compare(_ groups: GroupCount) {
    for group in groups.all {
      let (found, written) = (groups.found(group), recorded(group))
      guard found != written else { continue }
      let owner = owners[group.table]
      let isKnown = waste(group) == nil
      let column = owner?.schema.columns.first { $0.id == group.column }
      log.note(
        isKnown ? group.kind.severity : .data,
        message: Self.difference(found.count, written: written.count, of: group.kind),
        in: owner?.schema.name,
        property: group.kind == .liveRowBitmap
          ? nil : column.flatMap { owner?.schema.shownName(of: $0) })
    }
  }

  /// The values that commits have written in a group.
  private func recorded(_ group: StorageKey) -> Inventory {
    guard let bytes = transaction.get(group.inventory) else { return Inventory() }
    return (try? Inventory(decoding: bytes)) ?? Inventory()
  }

  private static func difference(
    _ found: UInt64, written: UInt64, of kind: StorageKey.Kind
  ) -> String {
    guard found != written else {
      return "\(kind.partName): a value is not the one that was written"
    }
    let values = written == 1 ? "1 value was written" : "\(written) values were written"
    return "\(kind.partName): \(values), \(found) found"
  }

  /// The reason why nothing reads the value of a key, or nil if something does.
  private func waste(_ key: StorageKey) -> String? {
    if let group = key.inventoriedGroup {
      return group.kind.isInventoried ? nil : Self.leftover
    }
    switch key.kind {
    case .header, .changeLog, .counters, .pendingLoad, .schema, .schemaVersion: return nil
    case .inventory: return Self.leftover
    case .state, .liveRowBitmap, .chunk, .zones, .runNodes, .runEntries, .runTombstones, .runKeys,
      .largeValue, .largeValueGroup, .runWords, .runPositions:
      break
    }
    if pending.values.contains(where: { $0.table == key.table }),
      pending.keys.contains(key.group & ~(1 << 31))
    {
      return nil
    }
    guard let owner = owners[key.table] else {
      return "a value is left over from class \(key.table), which does not exist"
    }
    return isKnown(key, to: owner) ? nil : Self.leftover
  }

  private func isKnown(_ key: StorageKey, to owner: Owner) -> Bool {
    let hasColumn = owner.columns.contains(key.column)
    let chunks = owner.chunkCount(of: key.group)
    switch key.kind {
    case .liveRowBitmap: return key.column == 0 && key.number < chunks
    case .chunk: return hasColumn && key.number < chunks
    case .zones:
      let perSegment = UInt64(Zone.perSegment)
      return hasColumn && key.number < (chunks + perSegment - 1) / perSegment
    case .largeValue: return hasColumn && key.number / UInt64(ChunkShape.rows) < chunks
    case .largeValueGroup:
      let perChunk = UInt64(ChunkShape.rows / LargeValueKeys.groupRows)
      return hasColumn && key.number / perChunk < chunks
    case .runNodes, .runEntries, .runTombstones, .runKeys, .runWords:
      return hasColumn && owner.runs.contains(key.group)
    case .runPositions: return hasColumn && owner.runsWithPositions.contains(key.group)
    case .state: return key.column == 0 && key.group == 0 && key.number == 0
    default: return true
    }
  }

  private static let leftover =
    "a value is stored that nothing refers to; it may be a part of an object"

  private func noting(_ body: () throws(StoreError) -> Void) {
    do throws(StoreError) { try body() } catch { log.note(.data, message: error.message) }
  }

  private static func name(_ key: StorageKey) -> String {
    switch key.kind {
    case .header: "the header"
    case .schema: "the schema of class \(key.table)"
    case .state: "the state of class \(key.table)"
    case .changeLog: "the change log of commit \(key.number)"
    case .pendingLoad: "the record of an unfinished import"
    case .schemaVersion: "the program's schema version"
    case .inventory: "the inventory of class \(key.table)"
    default: "the counters"
    }
  }

  /// The limit on chunks. A class may have more rows than its chunks store, but not so many that
  /// reading it exhausts memory.
  private static let maxChunks = 1 << 22
}

/// The values that were found in each group, by the key of its first value.
private struct GroupCount {
  private var counts: [StorageKey: Inventory] = [:]
  /// The groups that have an inventory.
  private var recorded: Set<StorageKey> = []

  mutating func add(_ value: UnsafeRawBufferPointer, under key: StorageKey) {
    if let group = key.inventoriedGroup { recorded.insert(group) }
    guard key.kind.isInventoried else { return }
    let group = StorageKey(kind: key.kind, table: key.table, column: key.column, group: key.group)
    counts[group, default: Inventory()].add(value, under: key)
  }

  /// All groups with values or an inventory.
  var all: [StorageKey] { recorded.union(counts.keys).sorted() }

  func found(_ group: StorageKey) -> Inventory { counts[group] ?? Inventory() }
}

extension StorageKey.Kind {
  /// The severity of a lost value: that of an index can be rebuilt from the objects.
  fileprivate var severity: IntegrityFinding.Severity {
    switch self {
    case .zones, .runNodes, .runEntries, .runTombstones, .runKeys, .runWords, .runPositions: .index
    default: .data
    }
  }

  /// The name of the values in messages.
  fileprivate var partName: String {
    switch self {
    case .chunk: "chunks of objects"
    case .liveRowBitmap: "live-row bitmaps"
    case .largeValue, .largeValueGroup: "large values"
    case .zones: "bounds of values"
    case .runNodes, .runEntries, .runTombstones: "parts of the spatial index"
    case .runKeys: "parts of the value index"
    case .runWords, .runPositions: "parts of the full-text index"
    default: "values"
    }
  }
}
