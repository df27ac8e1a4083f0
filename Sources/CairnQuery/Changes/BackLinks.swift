import CairnStorage

/// Who links to whom along properties that no index speaks for, for someone who is told of one step after another.
///
/// Looking through such a column with every step would cost as much as the class is large. What is known here is kept
/// from step to step instead: 16 bytes a link of those properties that were asked for several times. Confined to one
/// thread at a time.
package final class BackLinks {
  private struct Property: Hashable {
    let table: UInt32
    let column: UInt16
  }

  /// How often a property was asked for.
  private var questions: [Property: Int] = [:]
  private var known: [Property: KnownLinks] = [:]
  /// The state that the links are of.
  private var version: UInt64 = 0
  /// Questions that are answered by looking through the column.
  private let patience: Int

  package convenience init() { self.init(patience: 4) }

  init(patience: Int) { self.patience = patience }

  /// Takes up what a step changed. Where steps between were missed everything is forgotten.
  func advance(_ log: ChangeLog) {
    guard log.new.version > version else { return }
    if log.old.version > version || log.isAltered { known = [:] }
    version = log.new.version
    for (property, links) in known {
      guard let table = log.new.table(links.table) else {
        known[property] = nil
        continue
      }
      let changes = log.changes(of: links.table)
      links.add(changes.inserted.union(changes.modified { $0 == property.column }), of: table)
      if links.isCrowded { known[property] = nil }
    }
  }

  /// Rows that may link to an object through a property; nil: they are not known.
  ///
  /// A superset: some may have been set or deleted meanwhile.
  func candidates(_ table: Table, _ column: ColumnSchema, in state: UInt64) -> KnownLinks? {
    guard state == version else { return nil }
    let property = Property(table: table.schema.id, column: column.id)
    if let links = known[property] { return links }
    questions[property, default: 0] += 1
    guard questions[property, default: 0] > patience, table.endKey < KnownLinks.mostLinks else {
      return nil
    }
    guard let links = KnownLinks(table, column) else { return nil }
    known[property] = links
    return links
  }
}

/// The links of one property, by the objects that they lead to.
final class KnownLinks {
  let table: String
  private let position: Int
  /// The object as the rank, and the row that links to it; by rising object.
  private var links: [RankedRow] = []
  /// What was set since, by object.
  private var recent: [Int: [Int]] = [:]
  private var recentCount = 0

  /// Links of a property that are kept at most.
  static let mostLinks = 1 << 25

  /// Reads all of them; nil where they are too many.
  init?(_ table: Table, _ column: ColumnSchema) {
    self.table = table.schema.name
    position = column.position
    let live = LiveRows(table)
    let workspace = Workspace()
    for chunk in 0..<table.chunkCount {
      var rows = Selection(workspace.borrowBitmap())
      defer { workspace.returnBitmap() }
      rows.selectLive(chunk, live)
      table.column(position).forEachLink(chunk, rows) { row, target in
        links.append(
          RankedRow(rank: UInt64(bitPattern: Int64(target)), key: chunk << ChunkShape.shift | row))
      }
      if links.count > Self.mostLinks { return nil }
    }
    RadixSort.sort(&links)
  }

  /// Adds the links of rows that are new or were set.
  func add(_ keys: KeyRuns, of table: Table) {
    for key in keys.keys {
      for target in table.rawLinks(position, at: key) {
        recent[target, default: []].append(key)
        recentCount += 1
      }
    }
  }

  /// Whether so many were added that they should be read anew.
  var isCrowded: Bool { recentCount > 1024 + links.count / 4 }

  /// Calls `body` with rows that may link to an object.
  func forEach(to target: Int, _ body: (Int) -> Void) {
    let rank = UInt64(bitPattern: Int64(target))
    var low = 0
    var high = links.count
    while low < high {
      let middle = (low + high) >> 1
      if links[middle].rank < rank { low = middle + 1 } else { high = middle }
    }
    while low < links.count, links[low].rank == rank {
      body(links[low].key)
      low += 1
    }
    recent[target]?.forEach(body)
  }
}
