import CairnStorage
import CairnSystem
import CairnTiles

/// Facts about one state of the store that several requests need. A commit replaces them.
final class StateCache: Sendable {
  private struct Content {
    var opening = 0
    var version: UInt64 = 0
    var counts: [String: Int] = [:]
    var extents: [String: Extent] = [:]
    var tiles = TileCache()
  }

  private let content = Mutex(Content())

  /// More counts than this are not kept.
  private static let maxCounts = 4096
  /// The counts of queries with longer keys, which hold the whole condition, are not kept.
  private static let maxKeyLength = 1024

  private func with<R>(_ state: ServedStore.State, _ body: (inout Content) -> R) -> R {
    content.withLock { content in
      if content.opening != state.opening || content.version != state.snapshot.version {
        content = Content(opening: state.opening, version: state.snapshot.version)
      }
      return body(&content)
    }
  }

  /// The number of rows of a query, which `count` finds once for each state unless the key is long.
  func count(
    _ key: String, in state: ServedStore.State, count: () throws -> Int
  ) rethrows -> Int {
    guard key.utf8.count <= Self.maxKeyLength else { return try count() }
    if let known = with(state, { $0.counts[key] }) { return known }
    let number = try count()
    with(state) { content in
      if content.counts.count >= Self.maxCounts { content.counts = [:] }
      content.counts[key] = number
    }
    return number
  }

  /// The tiles that were made from a state.
  func tiles(in state: ServedStore.State) -> TileCache { with(state) { $0.tiles } }

  /// The extent of a class, which is found once for each state.
  func extent(of table: Table, in state: ServedStore.State) -> Extent {
    let name = table.schema.name
    if let known = with(state, { $0.extents[name] }) { return known }
    let extent = Extent(of: table)
    with(state) { $0.extents[name] = extent }
    return extent
  }
}
