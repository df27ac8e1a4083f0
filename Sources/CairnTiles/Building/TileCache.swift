internal import CairnIO
package import CairnQuery
package import CairnStorage
import CairnSystem

/// A question for tiles: the class, the condition and the options.
package struct TileRequest: Hashable, Sendable {
  /// The class.
  package var className: String
  /// The condition that objects must meet.
  package var predicate: Predicate
  /// The options of the tiles.
  package var options: TileOptions

  /// Creates a request.
  package init(
    className: String, predicate: Predicate = .true, options: TileOptions = TileOptions()
  ) {
    self.className = className
    self.predicate = predicate
    self.options = options
  }

  /// Prepares the tiles in a snapshot.
  ///
  /// - Parameter deadline: The time at which the search for rows ends; nil for no limit.
  /// - Throws: ``TileError`` if the snapshot has no such class or an option does not fit it,
  ///   ``PredicateError`` if the condition does not fit it.
  package func builder(
    in snapshot: Snapshot, deadline: QueryDeadline? = nil
  ) throws -> TileBuilder {
    guard let table = snapshot.table(className) else {
      throw TileError(.usage, message: "there is no class `\(className)`")
    }
    let query = TableQuery(table: className, predicate: predicate)
    return try TileBuilder(Execution(query, on: table, deadline: deadline), options: options)
  }
}

/// The tiles of one store that were made last, for any number of threads.
///
/// A tile belongs to the commit whose snapshot it was made from, so a commit needs no invalidation:
/// tiles of earlier commits are no longer found, and the least recently used ones are removed.
package final class TileCache: Sendable {
  private struct Key: Hashable {
    let version: UInt64
    let request: TileRequest
    let tile: TileID
  }

  private struct Entry {
    let tile: [UInt8]
    /// The tile in the gzip format, if somebody has asked for it.
    var packed: [UInt8]?
    /// The bytes that the entry takes.
    var size: Int
    /// The time of the last use, as the number of uses before it.
    var lastUse: UInt64
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var byteCount = 0
    var uses: UInt64 = 0
  }

  private let state: Mutex<State>
  private let capacity: Int

  /// The bytes that an entry takes in addition to its tile and its condition.
  private static let entrySize = 256
  /// The bytes that a condition takes for each byte of its text, about.
  private static let bytesPerText = 8

  private static func size(_ tile: [UInt8], for key: Key) -> Int {
    let predicate = key.request.predicate
    let text = predicate == .true ? 0 : predicate.description.utf8.count
    return tile.count + entrySize + text * bytesPerText
  }

  /// Creates an empty cache.
  ///
  /// - Parameter capacity: The most bytes to keep.
  package init(capacity: Int = 64 << 20) {
    self.capacity = capacity
    state = Mutex(State())
  }

  /// The bytes that the cache takes.
  package var byteCount: Int { state.withLock { $0.byteCount } }

  /// The number of tiles in the cache.
  package var count: Int { state.withLock { $0.entries.count } }

  /// Returns a tile of a snapshot, made now unless the cache has it.
  ///
  /// - Parameter deadline: The time at which the search for rows ends; nil for no limit.
  /// - Throws: As `TileRequest.builder(in:deadline:)` and `TileBuilder.tile`.
  package func tile(
    _ id: TileID, of request: TileRequest, in snapshot: Snapshot, deadline: QueryDeadline? = nil
  ) throws -> [UInt8] {
    try tile(for: Key(version: snapshot.version, request: request, tile: id)) {
      try request.builder(in: snapshot, deadline: deadline)
    }
  }

  /// Returns a tile of a snapshot for a client that accepts the gzip format. A tile in the cache is
  /// compressed once.
  ///
  /// - Parameters:
  ///   - minSize: Smaller tiles are not compressed.
  ///   - deadline: The time at which the search for rows ends; nil for no limit.
  /// - Throws: As ``tile(_:of:in:deadline:)``, or an `OutputError` if there is no memory.
  package func packedTile(
    _ id: TileID, of request: TileRequest, in snapshot: Snapshot, minSize: Int,
    deadline: QueryDeadline? = nil
  ) throws -> (bytes: [UInt8], isPacked: Bool) {
    let key = Key(version: snapshot.version, request: request, tile: id)
    if let packed = find(key)?.packed { return (packed, true) }
    let tile = try tile(for: key) { try request.builder(in: snapshot, deadline: deadline) }
    guard tile.count >= minSize else { return (tile, false) }
    let packed = try GzipCompressor(isFast: true).compress(tile, isLast: true)
    add(packed, for: key)
    return (packed, true)
  }

  private func tile(for key: Key, builder: () throws -> TileBuilder) throws -> [UInt8] {
    if let tile = find(key)?.tile { return tile }
    let tile = try builder().tile(key.tile)
    insert(tile, for: key)
    return tile
  }

  private func find(_ key: Key) -> Entry? {
    state.withLock { state in
      state.uses += 1
      state.entries[key]?.lastUse = state.uses
      return state.entries[key]
    }
  }

  /// Adds the compressed form of a tile that the cache still has.
  private func add(_ packed: [UInt8], for key: Key) {
    state.withLock { state in
      guard let entry = state.entries[key], entry.packed == nil,
        entry.size + packed.count <= capacity
      else { return }
      state.entries[key]?.packed = packed
      state.entries[key]?.size += packed.count
      state.byteCount += packed.count
      if state.byteCount > capacity { removeOldest(&state) }
    }
  }

  private func insert(_ tile: [UInt8], for key: Key) {
    let size = Self.size(tile, for: key)
    guard size <= capacity else { return }
    state.withLock { state in
      guard state.entries[key] == nil else { return }
      state.uses += 1
      state.entries[key] = Entry(tile: tile, size: size, lastUse: state.uses)
      state.byteCount += size
      if state.byteCount > capacity { removeOldest(&state) }
    }
  }

  /// Removes the half of the entries that were not used for the longest time, or more until the rest
  /// fits, so that an insertion costs O(log *n*) on average.
  private func removeOldest(_ state: inout State) {
    let oldestFirst = state.entries.sorted { $0.value.lastUse < $1.value.lastUse }
    for (index, entry) in oldestFirst.enumerated() {
      guard index < oldestFirst.count / 2 || state.byteCount > capacity else { return }
      state.byteCount -= entry.value.size
      state.entries[entry.key] = nil
    }
  }
}
