import CairnStorage

/// A condition on the object behind a link, evaluated as a semi-join.
final class ToOneSemiJoinFilter: Filter {
  let column: Column
  let keys: SemiJoinSet
  /// The result of the condition without an object.
  let nullMatches: Bool

  init(
    _ column: Column, target: Table, filter: Filter, nullMatches: Bool,
    planner: @escaping ScanPlanner
  ) {
    self.column = column
    self.nullMatches = nullMatches
    keys = SemiJoinSet(target, filter: filter, deletedMatch: nullMatches, planner: planner)
  }

  override var cost: Double { 4 + keys.filter.cost }
  override var description: String {
    "\(column.schema.name) → \(keys.table.schema.name) (\(keys.filter.description)"
      + (nullMatches ? ", or none)" : ")")
  }

  override func zoneMapResult(_ chunk: Int) -> ZoneMapResult {
    let zone = column.zone(chunk)
    guard zone.isKnown, zone.nullCount > 0, !zone.hasBounds else { return .some }
    return nullMatches ? .all : .none
  }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let chunk = column.chunk(index)
    assert(selection.isWithin(chunk), "a row is outside of the chunk")
    switch chunk.width {
    case 0: refine(&selection, chunk: chunk, scratch: scratch) { _ in 0 }
    case 1:
      refine(
        &selection, chunk: chunk, codes: chunk.codes.assumingMemoryBound(to: UInt8.self),
        scratch: scratch)
    case 2:
      refine(
        &selection, chunk: chunk, codes: chunk.codes.assumingMemoryBound(to: UInt16.self),
        scratch: scratch)
    case 4:
      refine(
        &selection, chunk: chunk, codes: chunk.codes.assumingMemoryBound(to: UInt32.self),
        scratch: scratch)
    default:
      refine(
        &selection, chunk: chunk, codes: chunk.codes.assumingMemoryBound(to: Int.self),
        scratch: scratch)
    }
  }

  @inline(__always)
  private func refine<Code: FixedWidthInteger>(
    _ selection: inout Selection, chunk: Chunk, codes: UnsafePointer<Code>,
    scratch: ScratchBuffers
  ) {
    refine(&selection, chunk: chunk, scratch: scratch) { Int(truncatingIfNeeded: codes[$0]) }
  }

  @inline(__always)
  private func refine(
    _ selection: inout Selection, chunk: Chunk, scratch: ScratchBuffers, code: (Int) -> Int
  ) {
    let frame = Int(chunk.frame)
    let keys = keys
    if !keys.isComplete {
      selection.forEachRow { row -> Void in
        if !chunk.isRowNull(row) { keys.request(frame &+ code(row)) }
      }
      keys.evaluateRequested(scratch)
    }
    selection.keep(NullRule(words: chunk.nulls, match: nullMatches)) { word, selected in
      selected.keepingEach { keys.holds(frame &+ code(word << 6 | $0)) }
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
    keys.complete(ScratchBuffers())
  }
}

/// A condition on the objects in a list, a set or a map of links: any of them, or all.
final class ToManySemiJoinFilter: Filter {
  let column: Column
  let keys: SemiJoinSet
  let isAll: Bool
  /// The result of the condition for a null value of a map.
  let nullMatches: Bool

  init(
    _ column: Column, target: Table, filter: Filter, isAll: Bool, nullMatches: Bool,
    planner: @escaping ScanPlanner
  ) {
    self.column = column
    self.isAll = isAll
    self.nullMatches = nullMatches
    // A deleted object is a null value of a map, but is not in a list at all.
    let deletedMatch = column.schema.collection == .map ? nullMatches : isAll
    keys = SemiJoinSet(target, filter: filter, deletedMatch: deletedMatch, planner: planner)
  }

  override var cost: Double { 20 + keys.filter.cost }
  override var description: String {
    "\(isAll ? "ALL" : "ANY") \(column.schema.name) → \(keys.table.schema.name) "
      + "(\(keys.filter.description))"
  }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let chunk = column.chunk(index)
    let isMap = column.schema.collection == .map
    let keys = keys
    let isAll = isAll
    let nullMatches = nullMatches
    keys.evaluateRequested(linksOf: selection, chunk, isMap: isMap, scratch: scratch)
    selection.keep { word, selected in
      selected.keepingEach { bit in
        let links = chunk.links(word << 6 | bit, isMap: isMap)
        for position in 0..<links.count {
          let holds = links.isNull(position) ? nullMatches : keys.holds(Int(links.int(position)))
          if holds != isAll { return !isAll }
        }
        return isAll
      }
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
    keys.complete(ScratchBuffers())
  }
}

/// A condition on the object under a key of a map of links.
final class MapEntrySemiJoinFilter: Filter {
  let column: Column
  let key: [UInt8]
  let keys: SemiJoinSet
  let nullMatches: Bool

  init(
    _ column: Column, key: String, target: Table, filter: Filter, nullMatches: Bool,
    planner: @escaping ScanPlanner
  ) {
    self.column = column
    self.key = Array(key.utf8)
    self.nullMatches = nullMatches
    keys = SemiJoinSet(target, filter: filter, deletedMatch: nullMatches, planner: planner)
  }

  override var cost: Double { 40 + keys.filter.cost }
  override var description: String {
    "\(column.schema.name)['\(String(decoding: key, as: UTF8.self))'] → "
      + "\(keys.table.schema.name) (\(keys.filter.description)\(nullMatches ? ", or none)" : ")")"
  }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let chunk = column.chunk(index)
    key.withUnsafeBytes { key in
      selection.keep { word, selected in
        selected.keepingEach { bit in
          guard let link = chunk.link(at: word << 6 | bit, under: key, column.schema) else {
            return nullMatches
          }
          return keys.contains(link, scratch: scratch)
        }
      }
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
    keys.complete(ScratchBuffers())
  }
}

extension Chunk {
  /// The key of the object under a key of a row's map; nil without an object.
  func link(at row: Int, under key: UnsafeRawBufferPointer, _ schema: ColumnSchema) -> Int? {
    let map = collection(at: row, of: schema)
    guard let position = map.index(ofKey: key), !map.isNull(at: position) else { return nil }
    return Int(map.int(at: position))
  }
}
