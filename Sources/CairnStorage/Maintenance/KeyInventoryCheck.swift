/// Checks the keys of a store: each must be of a kind that Cairn writes, and have an owner.
///
/// The other checks rely on the catalogue that it reads.
struct KeyInventoryCheck {
  private(set) var schemas: [TableSchema] = []
  private(set) var states: [UInt32: TableState] = [:]
  private var owners: [UInt32: Owner] = [:]
  private var pending: [UInt32: PendingLoad] = [:]
  private let transaction: LMDBTransaction
  private let log: IntegrityLog

  /// The storage that the state of a class refers to.
  private struct Owner {
    let name: String
    let columns: Set<UInt16>
    let extents: Set<UInt32>
    let runs: Set<UInt32>
    let runsWithPositions: Set<UInt32>
  }

  init(_ transaction: LMDBTransaction, log: IntegrityLog) throws(StoreError) {
    self.transaction = transaction
    self.log = log
    try readRecords()
    try count()
  }

  /// Reads the small records. Each has its own checksum.
  private mutating func readRecords() throws(StoreError) {
    var keys: [StorageKey] = []
    let kinds: [StorageKey.Kind] = [
      .header, .schema, .state, .changeLog, .pendingLoad, .counters, .schemaVersion,
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
      owners[id] = Owner(
        name: schema.name, columns: Set(schema.columns.map(\.id)),
        extents: Set(state.extents.map(\.id)),
        runs: Set(state.runIDs),
        runsWithPositions: Set(state.textRuns.filter(\.hasPositions).map(\.id)))
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
    try transaction.scan(from: .header) { key, _ in
      known += 1
      if let waste = waste(key) { log.note(.space, message: waste, in: owners[key.table]?.name) }
      return true
    }
    if known < (try transaction.entryCount()) {
      log.note(.data, message: "some values have keys that this version of Cairn does not know")
    }
  }

  /// The reason why nothing reads the value of a key, or nil if something does.
  private func waste(_ key: StorageKey) -> String? {
    switch key.kind {
    case .header, .changeLog, .counters, .pendingLoad, .schema, .schemaVersion: return nil
    case .state, .liveRowBitmap, .chunk, .zones, .runNodes, .runEntries, .runTombstones, .runKeys,
      .largeValue, .runWords, .runPositions:
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
    let isKnown: Bool
    switch key.kind {
    case .liveRowBitmap: isKnown = owner.extents.contains(key.group)
    case .chunk, .zones, .largeValue:
      isKnown = owner.columns.contains(key.column) && owner.extents.contains(key.group)
    case .runNodes, .runEntries, .runTombstones, .runKeys, .runWords:
      isKnown = owner.columns.contains(key.column) && owner.runs.contains(key.group)
    case .runPositions:
      isKnown =
        owner.columns.contains(key.column) && owner.runsWithPositions.contains(key.group)
    default: isKnown = true
    }
    return isKnown ? nil : "a value is left over that nothing refers to"
  }

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
    default: "the counters"
    }
  }

  /// The limit on chunks. A class may have more rows than its chunks store, but not so many that
  /// reading it exhausts memory.
  private static let maxChunks = 1 << 22
}
