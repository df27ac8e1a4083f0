import CairnStorage
import CairnSystem
import CairnValues

/// A step of a path from the objects of one class to those of another. After `prepare`, threads may
/// share it within ``WorkerPool/run(_:body:)``.
class LinkStep {
  /// The class that the step leads to.
  let target: Table
  /// The name of the step in descriptions.
  let name: String
  /// Whether the step can lead to several objects.
  let isMany: Bool
  final let live: LiveRows

  init(_ name: String, to target: Table, isMany: Bool) {
    self.name = name
    self.target = target
    self.isMany = isMany
    live = LiveRows(target)
  }

  /// Calls `body` with the objects that a row leads to, and with nil for null, until it returns
  /// false. Returns whether it never did.
  func forEach(_ key: Int, body: (Int?) -> Bool) -> Bool { requireOverride() }

  /// Turns a condition on the target objects into one on the rows that lead to them.
  ///
  /// - Parameters:
  ///   - nullMatches: The result of the condition for null.
  ///   - planner: Finds the objects that meet the condition.
  func filter(
    _ filter: Filter, of table: Table, quantifier: PropertyPath.Quantifier, nullMatches: Bool,
    planner: @escaping ScanPlanner
  ) -> Filter {
    requireOverride()
  }

  /// The property of the rows themselves that the step reads; nil if it reads a property of other
  /// rows.
  var ownColumn: Column? { nil }

  /// Resolves all data that `forEach` reads of any row, on the snapshot's own thread.
  func prepare() { live.prepare() }
}

/// A step along a link or to an embedded object.
final class ToOneStep: LinkStep {
  let column: Column
  let origin: Table

  init(_ column: Column, of origin: Table, to target: Table) {
    self.column = column
    self.origin = origin
    super.init(column.schema.name, to: target, isMany: false)
  }

  override func forEach(_ key: Int, body: (Int?) -> Bool) -> Bool { body(target(of: key)) }

  /// The object that a row links to.
  func target(of key: Int) -> Int? {
    let chunk = column.chunk(RowAddress(key).chunk)
    let row = RowAddress(key).row
    guard !chunk.isRowNull(row) else { return nil }
    let found = Int(chunk.rowInteger(row))
    return live.holds(found) ? found : nil
  }

  override func filter(
    _ filter: Filter, of table: Table, quantifier: PropertyPath.Quantifier, nullMatches: Bool,
    planner: @escaping ScanPlanner
  ) -> Filter {
    ToOneSemiJoinFilter(
      column, target: target, filter: filter, nullMatches: nullMatches, planner: planner)
  }

  override var ownColumn: Column? { column }

  override func prepare() {
    super.prepare()
    column.prepareAll(of: origin)
  }
}

/// A step to the objects of a list, a set or a map.
final class ToManyStep: LinkStep {
  let column: Column
  let origin: Table

  init(_ column: Column, of origin: Table, to target: Table) {
    self.column = column
    self.origin = origin
    super.init(column.schema.name, to: target, isMany: true)
  }

  override func forEach(_ key: Int, body: (Int?) -> Bool) -> Bool {
    let links = column.chunk(RowAddress(key).chunk)
      .collection(at: RowAddress(key).row, of: column.schema)
    let isMap = column.schema.collection == .map
    for position in 0..<links.count {
      let found = links.isNull(at: position) ? nil : Int(links.int(at: position))
      if let found, live.holds(found) {
        guard body(found) else { return false }
      } else if isMap {
        guard body(nil) else { return false }
      }
    }
    return true
  }

  override func filter(
    _ filter: Filter, of table: Table, quantifier: PropertyPath.Quantifier, nullMatches: Bool,
    planner: @escaping ScanPlanner
  ) -> Filter {
    ToManySemiJoinFilter(
      column, target: target, filter: filter, isAll: quantifier == .all, nullMatches: nullMatches,
      planner: planner)
  }

  override var ownColumn: Column? { column }

  override func prepare() {
    super.prepare()
    column.prepareAll(of: origin)
  }
}

/// A step to the object under a key of a map.
final class MapEntryStep: LinkStep {
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

  override func forEach(_ key: Int, body: (Int?) -> Bool) -> Bool {
    let found = bytes.withUnsafeBytes {
      column.chunk(RowAddress(key).chunk)
        .link(at: RowAddress(key).row, under: $0, column.schema)
    }
    return body(found.flatMap { live.holds($0) ? $0 : nil })
  }

  override func filter(
    _ filter: Filter, of table: Table, quantifier: PropertyPath.Quantifier, nullMatches: Bool,
    planner: @escaping ScanPlanner
  ) -> Filter {
    MapEntrySemiJoinFilter(
      column, key: key, target: target, filter: filter, nullMatches: nullMatches, planner: planner)
  }

  override var ownColumn: Column? { column }

  override func prepare() {
    super.prepare()
    column.prepareAll(of: origin)
  }
}

/// A step to the objects that link to a row through one of their properties.
final class InverseStep: LinkStep {
  /// The property of the target class that contains the links.
  let column: Column
  private let end: Int
  private var reverseLinks: ReverseLinkIndex?

  init(_ name: String, of table: Table, from origin: Table, column: Column) {
    self.column = column
    end = table.endKey
    super.init(name, to: origin, isMany: true)
  }

  override func forEach(_ key: Int, body: (Int?) -> Bool) -> Bool {
    if let reverseLinks { return reverseLinks.forEach(key, body: body) }
    for source in target.sources(of: key, through: column.schema.position) where !body(source) {
      return false
    }
    return true
  }

  override func filter(
    _ filter: Filter, of table: Table, quantifier: PropertyPath.Quantifier, nullMatches: Bool,
    planner: @escaping ScanPlanner
  ) -> Filter {
    InverseFilter(
      name, of: table, linkStep: self, filter: filter, isAll: quantifier == .all, planner: planner)
  }

  override func prepare() {
    super.prepare()
    if reverseLinks == nil {
      assert(!SharedWork.isRunning, "links are resolved before threads share them")
      reverseLinks = ReverseLinkIndex(column, of: target, live: live, end: end)
    }
  }
}

/// The rows that link to each row of a class, in ascending order.
struct ReverseLinkIndex {
  /// The start of each row's sources in `sources`, followed by the end of the last row's.
  private var starts: [Int]
  private var sources: [Int]

  init(_ column: Column, of origin: Table, live: LiveRows, end: Int) {
    var counts = [Int](repeating: 0, count: end + 1)
    ReverseLinkIndex.forEach(column, origin: origin, live: live) { _, target in
      if target >= 0, target < end { counts[target + 1] += 1 }
    }
    for row in 0..<end { counts[row + 1] += counts[row] }
    starts = counts
    var next = counts
    var found = [Int](repeating: 0, count: counts[end])
    ReverseLinkIndex.forEach(column, origin: origin, live: live) { source, target in
      guard target >= 0, target < end else { return }
      found[next[target]] = source
      next[target] += 1
    }
    sources = found
  }

  private static func forEach(
    _ column: Column, origin: Table, live: LiveRows, body: (Int, Int) -> Void
  ) {
    let scratch = ScratchBuffers()
    var rows = Selection(scratch.borrowBitmap())
    for chunk in 0..<origin.chunkCount {
      rows.selectLive(chunk, live: live)
      column.forEachLink(chunk, rows: rows) { row, target in
        body(RowAddress.key(ofRow: row, inChunk: chunk), target)
      }
    }
  }

  func forEach(_ key: Int, body: (Int?) -> Bool) -> Bool {
    for position in starts[key]..<starts[key + 1] where !body(sources[position]) { return false }
    return true
  }
}

extension Column {
  /// Resolves every chunk on the snapshot's own thread.
  func prepareAll(of table: Table) {
    for index in 0..<table.chunkCount { _ = chunk(index) }
  }
}
