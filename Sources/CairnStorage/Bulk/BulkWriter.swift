import CairnGeometry
import CairnIndex
import CairnValues

/// Writes the blocks of a bulk load under an extent that nobody sees, in transactions of bounded size,
/// then publishes it.
///
/// Runs of the load carry the extent's number with the top bit set, which runs of single writes never reach.
final class BulkWriter {
  let load: BulkLoad
  let marker: LoadMarker
  let extent: UInt32
  let table: UInt32
  /// The numbers of the columns.
  let columns: [UInt16]
  var rowCount = 0
  /// Rows that have a location: they come first.
  var locatedCount = 0
  var leaves: [Int: SpatialLeaves] = [:]
  var indexes: [BulkValueIndex]
  private(set) var blockRows = ChunkShape.rows
  /// Where the source ordinals of each block lie in the spill file.
  var ordinals: [Int] = []
  private var open: LMDBTransaction?
  private var written = 0
  private var zones: [ZoneTable]

  /// Bytes after which a transaction is committed.
  private static let transactionSize = 64 << 20

  var handle: EnvironmentHandle { load.store.handle }
  var environment: Environment { handle.environment }
  static func runID(_ extent: UInt32) -> UInt32 { extent | 1 << 31 }
  /// The extent of a run; nil for one of single writes.
  static func extent(ofRun run: UInt32) -> UInt32? { run >> 31 == 1 ? run & ~(1 << 31) : nil }

  init(_ load: BulkLoad) throws(StoreError) {
    self.load = load
    marker = try LoadMarker(load.store.environment.realPath)
    let store = load.store
    let place = try Self.reserve(store, load)
    (extent, table, columns) = (place.extent, place.table, place.columns)
    zones = place.columns.map { ZoneTable(table: place.table, column: $0) }
    indexes = Set(load.indexed + (load.primaryKey.map { [$0] } ?? [])).sorted().map {
      BulkValueIndex(column: $0, id: place.columns[$0], type: load.columns[$0].type)
    }
  }

  /// Takes numbers for the load, and leaves the record by which the next writer can free it.
  private static func reserve(
    _ store: Store, _ load: BulkLoad
  ) throws(StoreError) -> (extent: UInt32, table: UInt32, columns: [UInt16]) {
    let handle = store.handle
    let environment = handle.environment
    try environment.enterWriting()
    defer { environment.leaveWriting() }
    return try environment.writer.run { () throws(StoreError) in
      let lmdb = try LMDBTransaction(writing: handle)
      defer { lmdb.abort() }
      try lmdb.freePendingLoads()
      var counters = try Counters(reading: lmdb)
      counters.lastExtent += 1
      let catalog = try Catalog(reading: lmdb)
      let schema = catalog.schema.table(named: load.tableName)
      let columns = try columns(of: load, in: schema, catalog.schema)
      var table = schema?.id ?? 0
      if table == 0 {
        counters.lastTable += 1
        table = counters.lastTable
      }
      try lmdb.put(.counters, counters.encoded())
      try lmdb.put(
        .pendingLoad(counters.lastExtent),
        PendingLoad(table: table, columns: columns).encoded())
      try Journal.append([], to: lmdb)
      try lmdb.commit()
      return (counters.lastExtent, table, columns)
    }
  }

  /// The numbers that the columns have, or will have once the class is made or widened.
  private static func columns(
    of load: BulkLoad, in schema: TableSchema?, _ all: Schema
  ) throws(StoreError) -> [UInt16] {
    guard let schema else { return load.columns.indices.map { UInt16($0) } }
    guard let widening = load.widening(schema) else { throw load.changed }
    guard let draft = widening.draft else { return try load.ids(in: schema) }
    let fitted = try SchemaFitting(
      existing: all.tables, [draft], .everything, version: schema.version
    ).schemas()
    return try load.ids(in: fitted.first { $0.id == schema.id } ?? schema)
  }

  /// Merges and writes every block.
  func write(_ merge: RunMerge) throws(StoreError) {
    let cuts = try merge.cuts()
    blockRows = merge.blockRows
    let pipeline = OrderedPipeline<EncodedBlock>(count: merge.blockCount, ahead: merge.blocksAhead)
    {
      number throws(StoreError) in try merge.block(number, cuts: cuts)
    }
    try environment.enterWriting()
    var isInside = true
    defer { if isInside { environment.leaveWriting() } }
    try pipeline.run(threads: processorCount()) { block throws(StoreError) in
      try write(block)
    }
    for index in indexes.indices { try completeIndex(index) }
    try commitOpen()
    isInside = false
    environment.leaveWriting()
  }

  private func write(_ block: EncodedBlock) throws(StoreError) {
    rowCount += block.rowCount
    for (column, made) in block.leaves { leaves[column, default: SpatialLeaves()].append(made) }
    for index in indexes.indices { try append(block, toIndex: index) }
    if !block.ordinals.isEmpty { ordinals.append(try load.spill.append(block.ordinals)) }
    try environment.writer.run { () throws(StoreError) in
      let lmdb = try transaction()
      for chunk in block.chunks {
        let number = block.firstRow >> ChunkShape.shift + chunk.index
        try lmdb.put(.chunk(table, columns[chunk.column], extent, number), chunk.bytes)
        try zones[chunk.column].set(chunk.zone, extent: extent, number: number, lmdb)
        written += chunk.bytes.count
        if chunk.column == load.location { locatedCount += Self.located(chunk) }
      }
      if written > Self.transactionSize { try finishTransaction() }
    }
  }

  private static func located(_ chunk: EncodedBlock.EncodedChunk) -> Int {
    chunk.bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, let view = Chunk(encoded: base, size: bytes.count) else {
        return 0
      }
      return view.count - Int(chunk.zone.nullCount)
    }
  }

  /// The open write transaction; on the owner thread.
  func transaction() throws(StoreError) -> LMDBTransaction {
    if let open { return open }
    let begun = try LMDBTransaction(writing: handle)
    open = begun
    return begun
  }

  private func finishTransaction() throws(StoreError) {
    guard let lmdb = open else { return }
    open = nil
    written = 0
    for column in zones.indices { try zones[column].store(into: lmdb) }
    try Journal.append([], to: lmdb)
    try lmdb.commit()
    try environment.commits.makeWay()
  }

  func commitOpen() throws(StoreError) {
    try environment.writer.run { () throws(StoreError) in try finishTransaction() }
  }

  /// Writes some bytes of the load, in the open transaction; for the value indexes.
  func put(_ key: StorageKey, _ bytes: [UInt8]) throws(StoreError) {
    try environment.writer.run { () throws(StoreError) in
      try transaction().put(key, bytes)
      written += bytes.count
      if written > Self.transactionSize { try finishTransaction() }
    }
  }

  /// Removes what was written.
  func abandon() {
    environment.writer.run { open?.abort() }
    open = nil
    guard (try? environment.enterWriting()) != nil else { return }
    defer { environment.leaveWriting() }
    // A failure here leaves the record in place, and the next writer tries again.
    try? environment.writer.run { () throws(StoreError) in
      let lmdb = try LMDBTransaction(writing: handle)
      defer { lmdb.abort() }
      try lmdb.free(extent, PendingLoad(table: table, columns: columns))
      try Journal.append([], to: lmdb)
      try lmdb.commit()
    }
  }
}
