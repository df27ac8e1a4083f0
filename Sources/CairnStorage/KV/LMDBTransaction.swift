import CLMDB
import CairnSystem

/// One LMDB transaction: a reader, or a writer that is bound to one thread.
///
/// Only one thread at a time may use a reader, unless it is shared. Any thread may read the bytes
/// that `get` returns until the transaction ends.
final class LMDBTransaction: KeyValues {
  /// Keeps the environment open for as long as the transaction lives.
  private let hold: EnvironmentHandle
  private var handle: OpaquePointer?
  /// The batches on top of the last commit that are not committed yet, the oldest first.
  private let layers: [WriteBatch]
  /// Set once several threads read through the transaction.
  private var lock: Lock?
  /// The mapped file, to check the values that are replaced; nil for readers.
  private var pages: MappedPages?
  /// Whether the store has inventories, which the transaction then keeps up to date.
  var isInventoried = false
  /// The changes to inventories, by the key of the inventory.
  private var inventoryChanges: [StorageKey: Inventory] = [:]
  var environment: Environment { hold.environment }

  /// - Parameter pending: transactions that may not be committed yet.
  init(
    reading hold: EnvironmentHandle, over pending: [PendingCommit] = []
  ) throws(StoreError) {
    self.hold = hold
    let begun = try hold.environment.begin(writing: false)
    handle = begun
    let seen = Environment.version(of: begun)
    layers = pending.filter { !$0.isCommitted(by: seen) }.map(\.batch)
  }

  /// Begins to write. The same thread has to end the transaction, because LMDB's writer lock
  /// belongs to it.
  init(writing hold: EnvironmentHandle) throws(StoreError) {
    self.hold = hold
    layers = []
    handle = try hold.environment.begin(writing: true)
    guard let header = find(.header) else { return }
    noteFormat(header)
    guard hold.environment.isLasting else { return }
    let room = try hold.environment.pages()
    pages = MappedPages(around: header, pageSize: room.size, size: room.size * room.count)
  }

  deinit { abort() }

  /// The number of the last commit that the transaction sees.
  var version: UInt64 { handle.map(Environment.version) ?? 0 }

  /// Releases the snapshot, or drops everything written.
  func abort() {
    guard let open = handle else { return }
    handle = nil
    mdb_txn_abort(open)
  }

  /// Makes everything written durable.
  func commit() throws(StoreError) {
    guard let open = handle else { throw Self.ended }
    try storeInventories()
    try environment.requireInPlace()
    handle = nil
    try environment.commit(open)
    // A commit counts only if the next opener finds it.
    try environment.requireInPlace()
    environment.watcher.noteCommit()
  }

  /// Allows several threads to look up values from now on. Call this while no other thread has the
  /// transaction.
  func share() {
    if lock == nil { lock = Lock() }
  }

  /// Whether the transaction shows more than is committed.
  var isLayered: Bool { !layers.isEmpty }

  /// The value of a key, in place, or nil if the key is absent. The bytes of a reader are valid until
  /// the transaction ends, those of a writer until its next write.
  func get(_ key: StorageKey) -> UnsafeRawBufferPointer? {
    assert(
      lock != nil || !SharedWork.isRunning, "values are looked up on the snapshot's own thread")
    for layer in layers.reversed() {
      if let written = layer.written(key) { return written?.bytes }
    }
    guard let stored = stored(key) else { return nil }
    return key.kind.isAligned ? stored : ChecksumTrailer.record(in: stored, under: key) ?? stored
  }

  /// The value as it is stored, valid like that of `get`: a small record includes its checksum
  /// trailer.
  func stored(_ key: StorageKey) -> UnsafeRawBufferPointer? {
    guard let lock else { return find(key) }
    return lock.withLock { find(key) }
  }

  /// The value in the pages of the file, valid like that of `get`.
  private func find(_ key: StorageKey) -> UnsafeRawBufferPointer? {
    guard let handle else { return nil }
    return key.withBytes { bytes in
      var name = MDB_val(bytes)
      var value = MDB_val()
      guard mdb_get(handle, environment.database, &name, &value) == 0 else { return nil }
      return UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
    }
  }

  /// Writes a value and replaces any value of the key. Small records get a checksum trailer, arrays
  /// are aligned.
  func put(_ key: StorageKey, value: UnsafeRawBufferPointer) throws(StoreError) {
    if key == .header { noteFormat(value) }
    guard key.kind.isAligned else {
      let sealed = ChecksumTrailer.sealed(value, under: key)
      let result = sealed.withUnsafeBytes { sealed in
        Result { () throws(StoreError) in try write(key, size: sealed.count, from: sealed) }
      }
      return try result.get()
    }
    try write(key, size: max(value.count, environment.alignedSize), from: value)
  }

  /// Writes a value of `size` bytes: those of `value`, then zeros.
  private func write(
    _ key: StorageKey, size: Int, from value: UnsafeRawBufferPointer
  ) throws(StoreError) {
    guard let handle else { throw Self.ended }
    try forget(key)
    var data = MDB_val(mv_size: size, mv_data: nil)
    let code = key.withBytes { bytes in
      var name = MDB_val(bytes)
      return mdb_put(handle, environment.database, &name, &data, UInt32(MDB_RESERVE))
    }
    try environment.check(code, doing: "write")
    guard let start = data.mv_data else { throw Self.ended }
    assert(value.count <= size && data.mv_size == size, "the value is larger than its memory")
    let bytes = UnsafeMutableRawBufferPointer(start: start, count: size)
    bytes.copyMemory(from: value)
    bytes[value.count...].initializeMemory(as: UInt8.self, repeating: 0)
    guard isInventoried, key.kind.isInventoried else { return }
    if let offset = key.kind.checksumOffset { Self.seal(bytes, at: offset, under: key) }
    inventoryChanges[key.inventory, default: Inventory()].add(
      UnsafeRawBufferPointer(bytes), under: key)
  }

  /// Lets the checksum within a value cover its key.
  private static func seal(
    _ bytes: UnsafeMutableRawBufferPointer, at offset: Int, under key: StorageKey
  ) {
    assert(offset + 8 <= bytes.count, "the value is too short for a checksum")
    let sum = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    let sealed = sum &+ key.withBytes { Checksum.xxh64($0) }
    bytes.storeBytes(of: sealed, toByteOffset: offset, as: UInt64.self)
  }

  private func noteFormat(_ header: UnsafeRawBufferPointer) {
    isInventoried = (StoreHeader.version(of: header) ?? 0) >= StoreHeader.inventoryVersion
  }

  /// Takes a value that is about to be replaced or removed out of its inventory.
  ///
  /// - Throws: if LMDB would free other pages than those of the value.
  private func forget(_ key: StorageKey) throws(StoreError) {
    guard pages != nil || isInventoried, let old = find(key) else { return }
    if let pages, !pages.areSound(old) { throw contradiction }
    if isInventoried, key.kind.isInventoried {
      inventoryChanges[key.inventory, default: Inventory()].remove(old, under: key)
    }
  }

  private var contradiction: StoreError {
    StoreError(
      .damaged,
      message: "\(environment.path) is damaged: a value is not on the pages that the file says; "
        + "nothing was changed; restore it from a copy")
  }

  /// Writes the inventories that have changed.
  private func storeInventories() throws(StoreError) {
    let changes = inventoryChanges.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
    inventoryChanges = [:]
    for (key, change) in changes {
      var inventory = Inventory()
      if let stored = get(key) { inventory = try Inventory(decoding: stored) }
      inventory.add(change)
      if inventory.isEmpty { try delete(key) } else { try put(key, bytes: inventory.encoded()) }
    }
  }

  /// Throws if the values that the transaction read may have changed: there were commits, and it
  /// has no lock file.
  func requireKept() throws(StoreError) {
    if handle != nil { try environment.requireKept(version) }
  }

  /// Removes a value; false if the key was absent.
  @discardableResult
  func delete(_ key: StorageKey) throws(StoreError) -> Bool {
    guard let handle else { throw Self.ended }
    try forget(key)
    let code = key.withBytes { bytes in
      var name = MDB_val(bytes)
      return mdb_del(handle, environment.database, &name, nil)
    }
    if code == MDB_NOTFOUND { return false }
    try environment.check(code, doing: "delete")
    return true
  }

  /// Visits the keys from `start` on in ascending order until `visit` returns false. It receives
  /// values as they are stored.
  func scan(
    from start: StorageKey, _ visit: (StorageKey, UnsafeRawBufferPointer) -> Bool
  ) throws(StoreError) {
    try scan(from: start, under: [], visit)
  }

  /// Visits the keys of the same range with more batches on top, the oldest first.
  func scan(
    from start: StorageKey, under above: [WriteBatch],
    _ visit: (StorageKey, UnsafeRawBufferPointer) -> Bool
  ) throws(StoreError) {
    let batches = layers + above
    guard !batches.isEmpty else { return try scanPages(from: start, visit) }
    var written: [StorageKey: OwnedBytes?] = [:]
    for batch in batches {
      for (key, value) in batch.entries(from: start) { written[key] = .some(value) }
    }
    var above = written.sorted { $0.key < $1.key }[...]
    var isDone = false
    func visitAbove(before key: StorageKey?) {
      while !isDone, let next = above.first, key.map({ next.key < $0 }) ?? true {
        above.removeFirst()
        if let value = next.value, !visit(next.key, value.bytes) { isDone = true }
      }
    }
    try scanPages(from: start) { key, bytes in
      visitAbove(before: key)
      if isDone { return false }
      if written[key] != nil { return true }
      isDone = !visit(key, bytes)
      return !isDone
    }
    visitAbove(before: nil)
  }

  private func scanPages(
    from start: StorageKey, _ visit: (StorageKey, UnsafeRawBufferPointer) -> Bool
  ) throws(StoreError) {
    guard let handle else { throw Self.ended }
    var cursor: OpaquePointer?
    try environment.check(mdb_cursor_open(handle, environment.database, &cursor), doing: "read")
    defer { mdb_cursor_close(cursor) }
    var value = MDB_val()
    var name = MDB_val()
    var code = start.withBytes { bytes in
      name = MDB_val(bytes)
      return mdb_cursor_get(cursor, &name, &value, MDB_SET_RANGE)
    }
    var last: StorageKey?
    while code == 0 {
      let bytes = UnsafeRawBufferPointer(start: name.mv_data, count: name.mv_size)
      guard let key = StorageKey(reading: bytes) else { return }
      // Pages that lead back to themselves would be visited forever.
      if let last, !(last < key) { throw outOfOrder }
      last = key
      guard
        visit(key, UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
      else { return }
      code = mdb_cursor_get(cursor, &name, &value, MDB_NEXT)
    }
    if code != MDB_NOTFOUND { try environment.check(code, doing: "read") }
  }

  /// The format version of the store; 0 if it has no header.
  var formatVersion: UInt32 { self.get(.header).flatMap(StoreHeader.version) ?? 0 }

  /// The number of values in the file, whether Cairn wrote them or not.
  func entryCount() throws(StoreError) -> Int {
    guard let handle else { throw Self.ended }
    var statistics = MDB_stat()
    try environment.check(mdb_stat(handle, environment.database, &statistics), doing: "read")
    return statistics.ms_entries
  }

  /// The number of free pages.
  ///
  /// - Parameter version: Only pages that this commit or a later one freed are counted.
  func freePageCount(since version: UInt64 = 0) throws(StoreError) -> Int {
    guard let handle else { throw Self.ended }
    var cursor: OpaquePointer?
    // LMDB keeps its list of free pages as database 0: a page count, then the pages.
    try environment.check(mdb_cursor_open(handle, 0, &cursor), doing: "read")
    defer { mdb_cursor_close(cursor) }
    var count = 0
    var name = MDB_val()
    var value = MDB_val()
    var code = mdb_cursor_get(cursor, &name, &value, MDB_FIRST)
    var last: UInt64 = 0
    while code == 0 {
      guard name.mv_size == 8, value.mv_size >= 8, let list = value.mv_data,
        let number = name.mv_data?.loadUnaligned(as: UInt64.self), number > last || count == 0
      else { throw outOfOrder }
      last = number
      if number >= version { count &+= list.loadUnaligned(as: Int.self) }
      code = mdb_cursor_get(cursor, &name, &value, MDB_NEXT)
    }
    if code != MDB_NOTFOUND { try environment.check(code, doing: "read") }
    return count
  }

  private var outOfOrder: StoreError {
    StoreError(
      .damaged,
      message: "\(environment.path) is damaged: its keys are out of order; restore it from a copy")
  }

  private static let ended = StoreError(.misuse, message: "the transaction has ended")
}

extension MDB_val {
  /// A view of bytes that outlive the call they are passed to.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(
      mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }
}
