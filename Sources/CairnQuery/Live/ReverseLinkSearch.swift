import CairnStorage
import CairnValues

/// Finds the rows of a class whose links lead to given objects. The source is the index of the
/// links, the owners of embedded objects, or the links cached from earlier steps. Without any of
/// these, the search reads the column.
struct ReverseLinkSearch {
  private let table: Table
  private let column: Column
  /// The class that the links lead to, in the older snapshot. It still has the owners of objects
  /// that are deleted now.
  private let before: Table?

  /// The number of rows per target key. With more targets than one per this many rows, reading the
  /// column costs less than index lookups.
  private static let rowsPerQuestion = 1000

  init(_ table: Table, column: ColumnSchema, before: Table?) {
    self.table = table
    self.column = table.column(column.position)
    self.before = before
  }

  /// The live rows that link to one of the objects, whether those are live or not.
  ///
  /// - Parameter cached: Returns the cached links of properties without an index. It is called only
  ///   if there is no index.
  func rows(of targets: KeyRangeSet, cached: () -> KnownLinks?) -> KeyRangeSet {
    if column.schema.type == .embedded { return owners(targets) }
    guard targets.count <= 1 + table.endKey / Self.rowsPerQuestion else {
      return searched(targets)
    }
    if let index = table.valueIndex(column.schema.position) {
      return linking(to: targets) { target, body in
        index.candidates(ValueRange(equal: .int(Int64(target)))) { key in
          body(key)
          return true
        }
      }
    }
    guard let cached = cached() else { return searched(targets) }
    return linking(to: targets, cached.forEach)
  }

  private func owners(_ targets: KeyRangeSet) -> KeyRangeSet {
    let now = table.target(of: column.schema.position)
    var keys: [Int] = []
    for key in targets.keys {
      let home = now.map { $0.isLive(key) } == true ? now : before
      guard let owner = home?.owner(of: key), owner.table == table.schema.id,
        owner.column == column.schema.id, table.isLive(owner.key)
      else { continue }
      keys.append(owner.key)
    }
    return KeyRangeSet(rising: keys.sorted())
  }

  /// The live rows among the candidates for each object that do link to it.
  private func linking(
    to targets: KeyRangeSet, _ candidates: (Int, (Int) -> Void) -> Void
  ) -> KeyRangeSet {
    var keys: [Int] = []
    for target in targets.keys {
      candidates(target) { key in
        if table.isLive(key), table.rawLinks(column.schema.position, at: key).contains(target) {
          keys.append(key)
        }
      }
    }
    return KeyRangeSet(rising: keys.sorted())
  }

  private func searched(_ targets: KeyRangeSet) -> KeyRangeSet {
    guard let first = targets.runs.first?.lowerBound, let end = targets.runs.last?.upperBound else {
      return KeyRangeSet()
    }
    let live = LiveRows(table)
    let scratch = ScratchBuffers()
    var found = KeyRangeSet()
    var last = -1
    for chunk in 0..<table.chunkCount {
      if column.schema.collection == .none, column.zone(chunk).misses(first..<end) { continue }
      var rows = Selection(scratch.borrowBitmap())
      defer { scratch.returnBitmap() }
      rows.selectLive(chunk, live: live)
      column.forEachLink(chunk, rows: rows) { row, target in
        let key = RowAddress.key(ofRow: row, inChunk: chunk)
        if target >= first, target < end, key != last, targets.contains(target) {
          found.append(key..<key + 1)
          last = key
        }
      }
    }
    return found
  }
}

extension Zone {
  /// Whether no row of the chunk can contain one of the numbers.
  fileprivate func misses(_ numbers: Range<Int>) -> Bool {
    hasBounds && (Int(maximum) < numbers.lowerBound || Int(minimum) >= numbers.upperBound)
  }
}

/// Finds the rows whose mixed values, or those in their collections, are given objects.
///
/// No index covers these links, so the search reads the column.
struct MixedReverseLinkSearch {
  private let table: Table
  private let column: Column

  /// Creates a search.
  ///
  /// - Parameter column: A column of mixed values or of collections of them.
  init(_ table: Table, column: ColumnSchema) {
    self.table = table
    self.column = table.column(column.position)
  }

  /// The live rows that contain one of the objects.
  ///
  /// - Parameter targets: The keys of the objects by class number, whether they are live or not.
  func rows(of targets: [UInt32: KeyRangeSet]) -> KeyRangeSet {
    var found = KeyRangeSet()
    if targets.isEmpty { return found }
    let live = LiveRows(table)
    let scratch = ScratchBuffers()
    for chunk in 0..<table.chunkCount {
      var rows = Selection(scratch.borrowBitmap())
      defer { scratch.returnBitmap() }
      rows.selectLive(chunk, live: live)
      let values = column.chunk(chunk)
      rows.forEachRow { row -> Void in
        guard !values.isRowNull(row), holds(values, row: row, targets: targets) else { return }
        let key = RowAddress.key(ofRow: row, inChunk: chunk)
        found.append(key..<key + 1)
      }
    }
    return found
  }

  /// Whether a row contains one of the objects.
  func holds(_ key: Int, targets: [UInt32: KeyRangeSet]) -> Bool {
    let values = column.chunk(RowAddress(key).chunk)
    let row = RowAddress(key).row
    return !targets.isEmpty && !values.isRowNull(row) && holds(values, row: row, targets: targets)
  }

  private func holds(_ values: Chunk, row: Int, targets: [UInt32: KeyRangeSet]) -> Bool {
    guard column.schema.collection != .none else {
      return Self.isAny(of: targets, in: values.rowBytes(row))
    }
    let elements = values.collection(at: row, of: column.schema)
    return (0..<elements.count).contains {
      !elements.isNull(at: $0) && Self.isAny(of: targets, in: elements.bytes(at: $0))
    }
  }

  /// Whether a stored mixed value is one of the objects, or contains one.
  private static func isAny(
    of targets: [UInt32: KeyRangeSet], in bytes: UnsafeRawBufferPointer
  ) -> Bool {
    // Most values have other types; their first byte rules them out.
    guard let tag = bytes.first, tag == ValueType.link.rawValue || ValueType(rawValue: tag) == nil
    else { return false }
    guard let element = try? Element(decoding: bytes) else { return false }
    return isAny(of: targets, in: element)
  }

  private static func isAny(of targets: [UInt32: KeyRangeSet], in element: Element) -> Bool {
    switch element {
    case .value(.link(let link)): targets[link.table]?.contains(link.key) == true
    case .value: false
    case .list(let elements): elements.contains { isAny(of: targets, in: $0) }
    case .map(let entries): entries.contains { isAny(of: targets, in: $0.value) }
    }
  }
}
