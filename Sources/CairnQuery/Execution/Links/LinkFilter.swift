import CairnStorage

/// A condition on the object that a link leads to: a semi-join.
final class LinkFilter: Filter, @unchecked Sendable {
  let column: Column
  let keys: KeySet
  /// What the condition says where there is no object.
  let nullMatches: Bool

  init(_ column: Column, _ target: Table, _ filter: Filter, nullMatches: Bool) {
    self.column = column
    self.nullMatches = nullMatches
    keys = KeySet(target, filter, deadMatch: nullMatches)
  }

  override var cost: Double { 4 + keys.filter.cost }
  override var description: String {
    "\(column.schema.name) → \(keys.table.schema.name) (\(keys.filter.description)"
      + (nullMatches ? ", or none)" : ")")
  }

  override func verdict(_ chunk: Int) -> Verdict {
    let zone = column.zone(chunk)
    guard zone.isKnown, zone.nullCount > 0, !zone.hasBounds else { return .some }
    return nullMatches ? .all : .none
  }

  override func narrow(_ selection: inout Selection, _ index: Int, _ workspace: Workspace) {
    let chunk = column.chunk(index)
    switch chunk.width {
    case 0: narrow(&selection, chunk, workspace) { _ in 0 }
    case 1: narrow(&selection, chunk, chunk.codes.assumingMemoryBound(to: UInt8.self), workspace)
    case 2: narrow(&selection, chunk, chunk.codes.assumingMemoryBound(to: UInt16.self), workspace)
    case 4: narrow(&selection, chunk, chunk.codes.assumingMemoryBound(to: UInt32.self), workspace)
    default: narrow(&selection, chunk, chunk.codes.assumingMemoryBound(to: Int.self), workspace)
    }
  }

  @inline(__always)
  private func narrow<Code: FixedWidthInteger>(
    _ selection: inout Selection, _ chunk: Chunk, _ codes: UnsafePointer<Code>,
    _ workspace: Workspace
  ) {
    narrow(&selection, chunk, workspace) { Int(truncatingIfNeeded: codes[$0]) }
  }

  @inline(__always)
  private func narrow(
    _ selection: inout Selection, _ chunk: Chunk, _ workspace: Workspace, _ code: (Int) -> Int
  ) {
    let frame = Int(chunk.frame)
    let keys = keys
    if !keys.isComplete {
      selection.forEachRow { row -> Void in
        if !chunk.isRowNull(row) { keys.need(frame &+ code(row)) }
      }
      keys.settle(workspace)
    }
    selection.keep(NullRule(words: chunk.nulls, match: nullMatches)) { word, selected in
      selected.keepingEach { keys.holds(frame &+ code(word << 6 | $0)) }
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
    keys.complete(Workspace())
  }
}

/// A condition on the objects that a list, a set or a map of links holds: any of them, or all.
final class LinksFilter: Filter, @unchecked Sendable {
  let column: Column
  let keys: KeySet
  let isAll: Bool
  /// What the condition says of a null value of a map.
  let nullMatches: Bool

  init(_ column: Column, _ target: Table, _ filter: Filter, isAll: Bool, nullMatches: Bool) {
    self.column = column
    self.isAll = isAll
    self.nullMatches = nullMatches
    // A deleted object is a null value of a map, and not in a list at all.
    let deadMatch = column.schema.collection == .map ? nullMatches : isAll
    keys = KeySet(target, filter, deadMatch: deadMatch)
  }

  override var cost: Double { 20 + keys.filter.cost }
  override var description: String {
    "\(isAll ? "ALL" : "ANY") \(column.schema.name) → \(keys.table.schema.name) "
      + "(\(keys.filter.description))"
  }

  override func narrow(_ selection: inout Selection, _ index: Int, _ workspace: Workspace) {
    let chunk = column.chunk(index)
    let isMap = column.schema.collection == .map
    let keys = keys
    let isAll = isAll
    let nullMatches = nullMatches
    keys.settle(linksOf: selection, chunk, isMap: isMap, workspace)
    selection.keep { word, selected in
      selected.keepingEach { bit in
        let links = chunk.links(word << 6 | bit, isMap: isMap)
        for place in 0..<links.count {
          let holds = links.isNull(place) ? nullMatches : keys.holds(Int(links.int(place)))
          if holds != isAll { return !isAll }
        }
        return isAll
      }
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
    keys.complete(Workspace())
  }
}

/// A condition on the object that a map of links holds under a key.
final class EntryLinkFilter: Filter, @unchecked Sendable {
  let column: Column
  let key: [UInt8]
  let keys: KeySet
  let nullMatches: Bool

  init(_ column: Column, key: String, _ target: Table, _ filter: Filter, nullMatches: Bool) {
    self.column = column
    self.key = Array(key.utf8)
    self.nullMatches = nullMatches
    keys = KeySet(target, filter, deadMatch: nullMatches)
  }

  override var cost: Double { 40 + keys.filter.cost }
  override var description: String {
    "\(column.schema.name)['\(String(decoding: key, as: UTF8.self))'] → "
      + "\(keys.table.schema.name) (\(keys.filter.description)\(nullMatches ? ", or none)" : ")")"
  }

  override func narrow(_ selection: inout Selection, _ index: Int, _ workspace: Workspace) {
    let chunk = column.chunk(index)
    key.withUnsafeBytes { key in
      selection.keep { word, selected in
        selected.keepingEach { bit in
          guard let link = chunk.link(at: word << 6 | bit, under: key, column.schema) else {
            return nullMatches
          }
          return keys.contains(link, workspace)
        }
      }
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
    keys.complete(Workspace())
  }
}

extension Chunk {
  /// The key of the object that the map of a row holds under a key; nil: it holds none.
  func link(at row: Int, under key: UnsafeRawBufferPointer, _ schema: ColumnSchema) -> Int? {
    let map = collection(at: row, of: schema)
    guard let place = map.place(ofKey: key), !map.isNull(at: place) else { return nil }
    return Int(map.int(at: place))
  }
}
