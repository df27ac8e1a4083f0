import CairnStorage
import CairnSystem

/// A condition on the objects that link to a row: any of them, or all.
///
/// A few rows are looked up in the index of the links. For many rows, every linking object marks
/// its targets in a bitmap.
final class InverseFilter: Filter {
  private let origin: Table
  private let column: Column
  /// The linking objects that meet the condition.
  private let keys: SemiJoinSet
  private let isAll: Bool
  private let name: String
  private let end: Int
  /// A bit for every row with a linking object that meets the condition. For ALL, the bit means
  /// that one of them fails it.
  private var marks: UnsafeMutablePointer<UInt64>?
  private var spent = 0.0

  init(
    _ name: String, of table: Table, linkStep: InverseStep, filter: Filter, isAll: Bool,
    planner: @escaping ScanPlanner
  ) {
    self.name = name
    self.isAll = isAll
    end = table.endKey
    origin = linkStep.target
    column = linkStep.column
    keys = SemiJoinSet(origin, filter: filter, deletedMatch: false, planner: planner)
  }

  deinit { marks?.deallocate() }

  override var cost: Double { 15 + keys.filter.cost }
  override var description: String {
    "\(isAll ? "ALL" : "ANY") \(name) ← \(origin.schema.name).\(column.schema.name) "
      + "(\(keys.filter.description))"
  }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    assert(index >= 0 && RowAddress.firstKey(ofChunk: index) < end, "the chunk does not exist")
    let first = index * ChunkShape.words
    if let marks = marks(for: selection, scratch) {
      selection.keep { word, _ in isAll ? ~marks[first + word] : marks[first + word] }
      return
    }
    selection.keep { word, selected in
      selected.keepingEach { bit in
        let key = (first + word) << 6 | bit
        let sources = origin.sources(of: key, through: column.schema.position)
        return isAll
          ? sources.allSatisfy { keys.contains($0, scratch: scratch) }
          : sources.contains { keys.contains($0, scratch: scratch) }
      }
    }
  }

  /// The bitmap of marks, valid while the filter exists. It is made once lookups in the index have
  /// cost as much; nil before that.
  private func marks(
    for selection: Selection, _ scratch: ScratchBuffers
  ) -> UnsafeMutablePointer<UInt64>? {
    if let marks { return marks }
    guard column.schema.hasValueIndex else { return mark(scratch) }
    spent += 1000 * Double(selection.count)
    return spent > 2000 + Double(origin.endKey) * (3 + keys.filter.cost) ? mark(scratch) : nil
  }

  /// Makes the bitmap of marks, which is valid while the filter exists.
  private func mark(_ scratch: ScratchBuffers) -> UnsafeMutablePointer<UInt64> {
    assert(!SharedWork.isRunning, "the marks are made before threads share them")
    keys.complete(scratch)
    let words = ChunkShape.chunkCount(ofRows: end) * ChunkShape.words
    let made = UnsafeMutablePointer<UInt64>.allocate(capacity: max(1, words))
    made.initialize(repeating: 0, count: max(1, words))
    for chunk in 0..<origin.chunkCount { mark(chunk, marks: made, scratch: scratch) }
    marks = made
    return made
  }

  private func mark(
    _ index: Int, marks: UnsafeMutablePointer<UInt64>, scratch: ScratchBuffers
  ) {
    var rows = Selection(scratch.borrowBitmap())
    defer { scratch.returnBitmap() }
    rows.selectLive(index, live: keys.live)
    let first = RowAddress.firstKey(ofChunk: index)
    rows.keep { word, selected in
      selected.keepingEach { keys.holds(first | word << 6 | $0) != isAll }
    }
    guard rows.trim() else { return }
    column.forEachLink(index, rows: rows) { _, target in
      if UInt(bitPattern: target) < UInt(bitPattern: end) {
        marks[target >> 6] |= 1 << UInt64(target & 63)
      }
    }
  }

  override func prepare(_ chunks: [Int]) {
    if marks == nil { _ = mark(ScratchBuffers()) }
  }
}

extension Selection {
  /// Selects the live rows of a chunk.
  mutating func selectLive(_ chunk: Int, live: LiveRows) {
    let count = min(ChunkShape.rows, live.end - RowAddress.firstKey(ofChunk: chunk))
    if let bits = live.bits(chunk) { select(bits, rows: count) } else { selectAll(count) }
  }
}

extension Column {
  /// Calls `body` with each selected row of a chunk and each key in its links.
  @inline(__always)
  func forEachLink(_ index: Int, rows: Selection, body: (Int, Int) -> Void) {
    let chunk = chunk(index)
    if schema.collection == .none {
      return rows.forEachRow { row -> Void in
        if !chunk.isRowNull(row) { body(row, Int(chunk.rowInteger(row))) }
      }
    }
    rows.forEachRow { row -> Void in
      let links = chunk.collection(at: row, of: schema)
      for position in 0..<links.count where !links.isNull(at: position) {
        body(row, Int(links.int(at: position)))
      }
    }
  }
}
