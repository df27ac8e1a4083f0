import CairnGeometry
import CairnIndex
import CairnSystem
import CairnValues

/// Writes the blocks of a bulk load under an unpublished extent, in transactions of bounded size,
/// then publishes it.
///
/// The load's runs are numbered with the extent's number with the top bit set. Runs of single
/// writes never reach these numbers.
final class BulkWriter {
  let load: BulkLoad
  let marker: LoadLock
  let extent: UInt32
  let table: UInt32
  /// The numbers of the columns.
  let columns: [UInt16]
  /// The version of the store's format when the load was reserved.
  let format: UInt32
  var rowCount = 0
  /// Rows that have a location. They come first.
  var locatedCount = 0
  var leaves: [Int: SpatialLeaves] = [:]
  var indexes: [BulkValueIndex]
  var texts: [BulkTextIndex]
  private(set) var blockRows = ChunkShape.rows
  /// The offset of each block's source ordinals in the spill file.
  var ordinals: [Int] = []
  private var open: LMDBTransaction?
  private var written = 0
  private var zones: [ZoneTable]

  /// The number of bytes after which a transaction commits.
  private static let transactionSize = 64 << 20

  var handle: EnvironmentHandle { load.store.handle }
  var environment: Environment { handle.environment }

  init(_ load: BulkLoad) throws(StoreError) {
    self.load = load
    marker = try LoadLock(load.store.environment)
    let store = load.store
    let reserved = try Self.reserve(store, load: load)
    (extent, table, columns) = (reserved.extent, reserved.table, reserved.columns)
    format = reserved.format
    zones = reserved.columns.map { ZoneTable(table: reserved.table, column: $0) }
    indexes = Set(load.indexed + (load.primaryKey.map { [$0] } ?? [])).sorted().map {
      BulkValueIndex(column: $0, id: reserved.columns[$0], type: load.columns[$0].type)
    }
    texts = load.fullText.sorted().map {
      BulkTextIndex(
        column: $0, id: reserved.columns[$0], table: reserved.table, extent: reserved.extent)
    }
  }

  /// Reserves numbers for the load, and writes the record by which a later writer can free it.
  private static func reserve(
    _ store: Store, load: BulkLoad
  ) throws(StoreError) -> (extent: UInt32, table: UInt32, columns: [UInt16], format: UInt32) {
    let handle = store.handle
    let environment = handle.environment
    try environment.acquireWriterLock()
    defer { environment.releaseWriterLock() }
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
      // An earlier version would not free the large values and the words of a killed load.
      try Store.raiseFormat(to: load.requiredFormat, in: lmdb)
      try lmdb.put(.counters, bytes: counters.encoded())
      try lmdb.put(
        .pendingLoad(counters.lastExtent),
        bytes: PendingLoad(table: table, columns: columns).encoded())
      let format = lmdb.formatVersion
      try CommitLog.append(to: lmdb)
      try lmdb.commit()
      return (counters.lastExtent, table, columns, format)
    }
  }

  /// Returns the column numbers, or those that the columns will get when the class is made or
  /// widened.
  private static func columns(
    of load: BulkLoad, in schema: TableSchema?, _ all: StoreSchema
  ) throws(StoreError) -> [UInt16] {
    let declared = try load.declared(in: all)
    guard let schema = schema ?? declared else {
      return load.columns.indices.map { UInt16($0) }
    }
    guard let widening = load.widening(schema) else { throw load.changed }
    guard let draft = widening.draft else { return try load.ids(in: schema) }
    let fitted = try SchemaReconciler(
      existing: all.tables, [draft], scope: .everything, version: schema.version
    ).schemas()
    return try load.ids(in: fitted.first { $0.id == schema.id } ?? schema)
  }

  /// Merges and writes every block.
  func write(_ merge: RunMerge) throws(StoreError) {
    let cuts = try merge.cuts()
    blockRows = merge.blockRows
    try environment.acquireWriterLock()
    var isInside = true
    defer { if isInside { environment.releaseWriterLock() } }
    let maker = { (number: Int) throws(StoreError) in try merge.block(number, cuts: cuts) }
    let pipeline = OrderedPipeline<Int, EncodedBlock, StoreError>(
      ahead: merge.blocksAhead,
      makers: Array(repeating: maker, count: max(1, min(processorCount(), merge.blockCount))))
    defer { pipeline.stop() }
    for number in 0..<merge.blockCount { try pipeline.add(number, write) }
    try pipeline.drain(write)
    for index in indexes.indices { try completeIndex(index) }
    for index in texts.indices { try texts[index].complete(self) }
    try commitOpen()
    isInside = false
    environment.releaseWriterLock()
  }

  private func write(_ block: EncodedBlock) throws(StoreError) {
    rowCount += block.rowCount
    for (column, made) in block.leaves { leaves[column, default: SpatialLeaves()].append(made) }
    for index in indexes.indices { try append(block, toIndex: index) }
    for index in texts.indices { try texts[index].append(block, to: self) }
    if !block.ordinals.isEmpty { ordinals.append(try load.spill.append(block.ordinals)) }
    try environment.writer.run { () throws(StoreError) in
      for chunk in block.chunks {
        let number = RowAddress(block.firstRow).chunk + chunk.index
        try writeLargeValues(of: chunk, number: number)
        let lmdb = try transaction()
        try lmdb.put(
          .chunk(table, column: columns[chunk.column], extent: extent, chunk: number),
          bytes: chunk.bytes)
        try zones[chunk.column].set(chunk.zone, extent: extent, number: number, lmdb: lmdb)
        written += chunk.bytes.count
        if chunk.column == load.location { locatedCount += Self.located(chunk) }
      }
      if written > Self.transactionSize { try finishTransaction() }
    }
  }

  /// Writes the large values of a chunk. They may take several transactions.
  private func writeLargeValues(
    of chunk: EncodedBlock.EncodedChunk, number: Int
  ) throws(StoreError) {
    guard !chunk.largeRows.isEmpty else { return }
    if let rule = load.columns[chunk.column].largeValueRule() {
      try Store.raiseFormat(to: rule.requiredFormat, in: transaction())
    }
    let keys = LargeValueKeys(table: table, column: columns[chunk.column], extent: extent)
    var writer = LargeValueWriter(keys, chunk: number, put: write)
    for row in chunk.largeRows {
      let value = try row.value.read(from: load.spill)
      defer { withExtendedLifetime(value) {} }
      try writer.write(value.bytes, row: row.row)
    }
    try writer.finish()
  }

  private static func located(_ chunk: EncodedBlock.EncodedChunk) -> Int {
    chunk.bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, let view = Chunk(encoded: base, size: bytes.count) else {
        return 0
      }
      return view.count - Int(chunk.zone.nullCount)
    }
  }

  /// Returns the open write transaction. Call this on the writer thread.
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
    try CommitLog.append(to: lmdb)
    try lmdb.commit()
    try environment.commits.yieldWriterLock()
  }

  func commitOpen() throws(StoreError) {
    try environment.writer.run { () throws(StoreError) in try finishTransaction() }
  }

  /// Writes a value of the load in the open transaction, for the indexes.
  func put(_ key: StorageKey, bytes: [UInt8]) throws(StoreError) {
    let result: Result<Void, StoreError> = bytes.withUnsafeBytes { buffer in
      do throws(StoreError) { return .success(try put(key, value: buffer)) } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// Writes a value.
  func put(_ key: StorageKey, value: UnsafeRawBufferPointer) throws(StoreError) {
    try environment.writer.run { () throws(StoreError) in try write(key, value: value) }
  }

  /// Writes a value. Call this on the writer thread.
  private func write(_ key: StorageKey, value: UnsafeRawBufferPointer) throws(StoreError) {
    try transaction().put(key, value: value)
    written += value.count
    if written > Self.transactionSize { try finishTransaction() }
  }

  /// Removes everything that the load wrote.
  func abandon() {
    environment.writer.run { open?.abort() }
    open = nil
    guard (try? environment.acquireWriterLock()) != nil else { return }
    defer { environment.releaseWriterLock() }
    // After a failure here the record remains, and the next writer tries again.
    try? environment.writer.run { () throws(StoreError) in
      let lmdb = try LMDBTransaction(writing: handle)
      defer { lmdb.abort() }
      try lmdb.free(extent, load: PendingLoad(table: table, columns: columns))
      try CommitLog.append(to: lmdb)
      try lmdb.commit()
    }
  }
}
