import CairnStorage

/// Finds the rows that link to an object along properties without an index, for an observer of
/// successive steps.
///
/// Reading such a column in every step would cost time in proportion to the class. Instead, the
/// lookup keeps the links from step to step: 16 bytes per link of each property that was requested
/// several times. Confined to one thread at a time.
package final class ReverseLinkLookup {
  private struct Property: Hashable {
    let table: UInt32
    let column: UInt16
  }

  /// The number of requests per property.
  private var questions: [Property: Int] = [:]
  private var cached: [Property: KnownLinks] = [:]
  /// The version of the snapshot that the links belong to.
  private var version: UInt64 = 0
  /// The number of requests that are answered by reading the column.
  private let readsBeforeCaching: Int

  /// Creates an empty lookup.
  package convenience init() { self.init(readsBeforeCaching: 4) }

  init(readsBeforeCaching: Int) { self.readsBeforeCaching = readsBeforeCaching }

  /// Applies the changes of a step. If steps in between are missing, the lookup drops all links.
  func advance(_ log: ChangeLog) {
    guard log.new.version > version else { return }
    if log.old.version > version || log.isAltered { cached = [:] }
    version = log.new.version
    for (property, links) in cached {
      guard let table = log.new.table(links.table) else {
        cached[property] = nil
        continue
      }
      let changes = log.changes(of: links.table)
      links.add(changes.inserted.union(changes.modified { $0 == property.column }), of: table)
      if links.isCrowded { cached[property] = nil }
    }
  }

  /// The rows that may link to an object through a property; nil if they are not cached.
  ///
  /// The result is a superset, because some rows may have been set or deleted since.
  func candidates(_ table: Table, column: ColumnSchema, in state: UInt64) -> KnownLinks? {
    guard state == version else { return nil }
    let property = Property(table: table.schema.id, column: column.id)
    if let links = cached[property] { return links }
    questions[property, default: 0] += 1
    guard questions[property, default: 0] > readsBeforeCaching, table.endKey < KnownLinks.maxLinks
    else {
      return nil
    }
    guard let links = KnownLinks(table, column: column) else { return nil }
    cached[property] = links
    return links
  }
}

/// The links of one property, by target object.
final class KnownLinks {
  let table: String
  private let position: Int
  /// The target object as the sort key, and the row that links to it; sorted by object.
  private var links: [SortKeyedRow] = []
  /// The links set since, by object.
  private var recent: [Int: [Int]] = [:]
  private var recentCount = 0

  /// The greatest number of links that are kept for a property.
  static let maxLinks = 1 << 25

  /// Reads all links; nil if there are too many.
  init?(_ table: Table, column: ColumnSchema) {
    self.table = table.schema.name
    position = column.position
    let live = LiveRows(table)
    let scratch = ScratchBuffers()
    for chunk in 0..<table.chunkCount {
      var rows = Selection(scratch.borrowBitmap())
      defer { scratch.returnBitmap() }
      rows.selectLive(chunk, live: live)
      table.column(position).forEachLink(chunk, rows: rows) { row, target in
        links.append(
          SortKeyedRow(
            sortKey: UInt64(bitPattern: Int64(target)),
            key: RowAddress.key(ofRow: row, inChunk: chunk)))
      }
      if links.count > Self.maxLinks { return nil }
    }
    SortKeyRadixSort.sort(&links)
  }

  /// Adds the links of rows that are new or were set.
  func add(_ keys: KeyRangeSet, of table: Table) {
    for key in keys.keys {
      for target in table.rawLinks(position, at: key) {
        recent[target, default: []].append(key)
        recentCount += 1
      }
    }
  }

  /// Whether so many links were added that reading all again is better.
  var isCrowded: Bool { recentCount > 1024 + links.count / 4 }

  /// Calls `body` with rows that may link to an object.
  func forEach(to target: Int, _ body: (Int) -> Void) {
    let sortKey = UInt64(bitPattern: Int64(target))
    var low = 0
    var high = links.count
    while low < high {
      let middle = (low + high) >> 1
      if links[middle].sortKey < sortKey { low = middle + 1 } else { high = middle }
    }
    while low < links.count, links[low].sortKey == sortKey {
      body(links[low].key)
      low += 1
    }
    recent[target]?.forEach(body)
  }
}
