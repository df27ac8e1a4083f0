import CairnStorage
import CairnValues

/// A step of a path from the objects of one class to those of another.
class Hop: @unchecked Sendable {
  /// The class that it leads to.
  let target: Table
  /// What the step is called.
  let name: String
  /// Whether it may lead to several objects.
  let isMany: Bool
  final let live: LiveRows

  init(_ name: String, to target: Table, isMany: Bool) {
    self.name = name
    self.target = target
    self.isMany = isMany
    live = LiveRows(target)
  }

  /// Calls `body` with the objects that a row leads to, nil where there is null, until it says no; whether it never did.
  func forEach(_ key: Int, _ body: (Int?) -> Bool) -> Bool { true }

  /// The condition on the objects as one on the rows that lead to them.
  ///
  /// - Parameter nullMatches: what the condition says where there is null.
  func filter(
    _ filter: Filter, of table: Table, _ quantifier: PropertyPath.Quantifier, nullMatches: Bool
  ) -> Filter { filter }

  /// The property of the rows themselves that the step reads; nil: it reads that of others.
  var ownColumn: Column? { nil }

  /// Resolves on the snapshot's own thread all that `forEach` reads of any row.
  func prepare() { live.prepare() }
}

/// Along a link or to an embedded object.
final class LinkHop: Hop, @unchecked Sendable {
  let column: Column
  let origin: Table

  init(_ column: Column, of origin: Table, to target: Table) {
    self.column = column
    self.origin = origin
    super.init(column.schema.name, to: target, isMany: false)
  }

  override func forEach(_ key: Int, _ body: (Int?) -> Bool) -> Bool { body(target(of: key)) }

  /// The object that a row links to.
  func target(of key: Int) -> Int? {
    let chunk = column.chunk(key >> ChunkShape.shift)
    let row = key & (ChunkShape.rows - 1)
    guard !chunk.isRowNull(row) else { return nil }
    let found = Int(chunk.rowInteger(row))
    return live.holds(found) ? found : nil
  }

  override func filter(
    _ filter: Filter, of table: Table, _ quantifier: PropertyPath.Quantifier, nullMatches: Bool
  ) -> Filter {
    LinkFilter(column, target, filter, nullMatches: nullMatches)
  }

  override var ownColumn: Column? { column }

  override func prepare() {
    super.prepare()
    column.prepareAll(of: origin)
  }
}

/// To the objects of a list, a set or a map.
final class LinksHop: Hop, @unchecked Sendable {
  let column: Column
  let origin: Table

  init(_ column: Column, of origin: Table, to target: Table) {
    self.column = column
    self.origin = origin
    super.init(column.schema.name, to: target, isMany: true)
  }

  override func forEach(_ key: Int, _ body: (Int?) -> Bool) -> Bool {
    let links = column.chunk(key >> ChunkShape.shift)
      .collection(at: key & (ChunkShape.rows - 1), of: column.schema)
    let isMap = column.schema.collection == .map
    for place in 0..<links.count {
      let found = links.isNull(at: place) ? nil : Int(links.int(at: place))
      if let found, live.holds(found) {
        guard body(found) else { return false }
      } else if isMap {
        guard body(nil) else { return false }
      }
    }
    return true
  }

  override func filter(
    _ filter: Filter, of table: Table, _ quantifier: PropertyPath.Quantifier, nullMatches: Bool
  ) -> Filter {
    LinksFilter(
      column, target, filter, isAll: quantifier == .all, nullMatches: nullMatches)
  }

  override var ownColumn: Column? { column }

  override func prepare() {
    super.prepare()
    column.prepareAll(of: origin)
  }
}

/// To the object that a map holds under a key.
final class EntryHop: Hop, @unchecked Sendable {
  let column: Column
  let origin: Table
  let key: String
  private let bytes: [UInt8]

  init(_ column: Column, key: String, of origin: Table, to target: Table) {
    self.column = column
    self.origin = origin
    self.key = key
    bytes = Array(key.utf8)
    super.init("\(column.schema.name)['\(key)']", to: target, isMany: false)
  }

  override func forEach(_ key: Int, _ body: (Int?) -> Bool) -> Bool {
    let found = bytes.withUnsafeBytes {
      column.chunk(key >> ChunkShape.shift)
        .link(at: key & (ChunkShape.rows - 1), under: $0, column.schema)
    }
    return body(found.flatMap { live.holds($0) ? $0 : nil })
  }

  override func filter(
    _ filter: Filter, of table: Table, _ quantifier: PropertyPath.Quantifier, nullMatches: Bool
  ) -> Filter {
    EntryLinkFilter(column, key: key, target, filter, nullMatches: nullMatches)
  }

  override var ownColumn: Column? { column }

  override func prepare() {
    super.prepare()
    column.prepareAll(of: origin)
  }
}

/// To the objects that link to a row through one of their properties.
final class InverseHop: Hop, @unchecked Sendable {
  /// The property of the target class that holds the links.
  let column: Column
  private let end: Int
  private var backlinks: Backlinks?

  init(_ name: String, of table: Table, from origin: Table, _ column: Column) {
    self.column = column
    end = table.endKey
    super.init(name, to: origin, isMany: true)
  }

  override func forEach(_ key: Int, _ body: (Int?) -> Bool) -> Bool {
    if let backlinks { return backlinks.forEach(key, body) }
    for source in target.sources(of: key, through: column.schema.position) where !body(source) {
      return false
    }
    return true
  }

  override func filter(
    _ filter: Filter, of table: Table, _ quantifier: PropertyPath.Quantifier, nullMatches: Bool
  ) -> Filter {
    InverseFilter(name, of: table, self, filter, isAll: quantifier == .all)
  }

  override func prepare() {
    super.prepare()
    if backlinks == nil { backlinks = Backlinks(column, of: target, live, end) }
  }
}

/// For every row of a class the rows that link to it, rising.
struct Backlinks {
  /// Where the sources of each row begin in `sources`, and behind the last one where they end.
  private var starts: [Int]
  private var sources: [Int]

  init(_ column: Column, of origin: Table, _ live: LiveRows, _ end: Int) {
    var counts = [Int](repeating: 0, count: end + 1)
    Backlinks.forEach(column, origin, live) { _, target in
      if target >= 0, target < end { counts[target + 1] += 1 }
    }
    for row in 0..<end { counts[row + 1] += counts[row] }
    starts = counts
    var next = counts
    var found = [Int](repeating: 0, count: counts[end])
    Backlinks.forEach(column, origin, live) { source, target in
      guard target >= 0, target < end else { return }
      found[next[target]] = source
      next[target] += 1
    }
    sources = found
  }

  private static func forEach(
    _ column: Column, _ origin: Table, _ live: LiveRows, _ body: (Int, Int) -> Void
  ) {
    let workspace = Workspace()
    var rows = Selection(workspace.borrowBitmap())
    for chunk in 0..<origin.chunkCount {
      rows.selectLive(chunk, live)
      column.forEachLink(chunk, rows) { row, target in body(chunk << ChunkShape.shift | row, target)
      }
    }
  }

  func forEach(_ key: Int, _ body: (Int?) -> Bool) -> Bool {
    for place in starts[key]..<starts[key + 1] where !body(sources[place]) { return false }
    return true
  }
}

extension Column {
  /// Resolves every chunk on the snapshot's own thread.
  func prepareAll(of table: Table) {
    for index in 0..<table.chunkCount { _ = chunk(index) }
  }
}
