import CairnStorage

/// A condition on the objects that link to a row: any of them, or all.
///
/// A few rows are looked up in the index of the links; for many every origin that decides marks its targets.
final class InverseFilter: Filter, @unchecked Sendable {
  private let origin: Table
  private let column: Column
  /// The origins that the condition holds for.
  private let keys: KeySet
  private let isAll: Bool
  private let name: String
  private let end: Int
  /// A bit for every row that an origin links to which the condition holds for, or fails for when it must hold for all.
  private var marks: UnsafeMutablePointer<UInt64>?
  private var spent = 0.0

  init(_ name: String, of table: Table, _ hop: InverseHop, _ filter: Filter, isAll: Bool) {
    self.name = name
    self.isAll = isAll
    end = table.endKey
    origin = hop.target
    column = hop.column
    keys = KeySet(origin, filter, deadMatch: false)
  }

  deinit { marks?.deallocate() }

  override var cost: Double { 15 + keys.filter.cost }
  override var description: String {
    "\(isAll ? "ALL" : "ANY") \(name) ← \(origin.schema.name).\(column.schema.name) "
      + "(\(keys.filter.description))"
  }

  override func narrow(_ selection: inout Selection, _ index: Int, _ workspace: Workspace) {
    let first = index * ChunkShape.words
    if let marks = marks(for: selection, workspace) {
      selection.keep { word, _ in isAll ? ~marks[first + word] : marks[first + word] }
      return
    }
    selection.keep { word, selected in
      selected.keepingEach { bit in
        let key = (first + word) << 6 | bit
        let sources = origin.sources(of: key, through: column.schema.position)
        return isAll
          ? sources.allSatisfy { keys.contains($0, workspace) }
          : sources.contains { keys.contains($0, workspace) }
      }
    }
  }

  /// The marks, made where asking the index would have cost as much; nil: ask it.
  private func marks(
    for selection: Selection, _ workspace: Workspace
  ) -> UnsafeMutablePointer<UInt64>? {
    if let marks { return marks }
    guard column.schema.hasValueIndex else { return mark(workspace) }
    spent += 1000 * Double(selection.count)
    return spent > 2000 + Double(origin.endKey) * (3 + keys.filter.cost) ? mark(workspace) : nil
  }

  private func mark(_ workspace: Workspace) -> UnsafeMutablePointer<UInt64> {
    keys.complete(workspace)
    let words = (end + ChunkShape.rows - 1) >> ChunkShape.shift * ChunkShape.words
    let made = UnsafeMutablePointer<UInt64>.allocate(capacity: max(1, words))
    made.initialize(repeating: 0, count: max(1, words))
    for chunk in 0..<origin.chunkCount { mark(chunk, made, workspace) }
    marks = made
    return made
  }

  private func mark(
    _ index: Int, _ marks: UnsafeMutablePointer<UInt64>, _ workspace: Workspace
  ) {
    var rows = Selection(workspace.borrowBitmap())
    defer { workspace.returnBitmap() }
    rows.selectLive(index, keys.live)
    let first = index << ChunkShape.shift
    rows.keep { word, selected in
      selected.keepingEach { keys.holds(first | word << 6 | $0) != isAll }
    }
    guard rows.trim() else { return }
    column.forEachLink(index, rows) { _, target in
      if UInt(bitPattern: target) < UInt(bitPattern: end) {
        marks[target >> 6] |= 1 << UInt64(target & 63)
      }
    }
  }

  override func prepare(_ chunks: [Int]) {
    if marks == nil { _ = mark(Workspace()) }
  }
}

extension Selection {
  /// Selects the live rows of a chunk.
  mutating func selectLive(_ chunk: Int, _ live: LiveRows) {
    let count = min(ChunkShape.rows, live.end - chunk << ChunkShape.shift)
    if let bits = live.bits(chunk) { select(bits, rows: count) } else { selectAll(count) }
  }
}

extension Column {
  /// Calls `body` with every row among the selected ones of a chunk and each key that its links name.
  @inline(__always)
  func forEachLink(_ index: Int, _ rows: Selection, _ body: (Int, Int) -> Void) {
    let chunk = chunk(index)
    if schema.collection == .none {
      return rows.forEachRow { row -> Void in
        if !chunk.isRowNull(row) { body(row, Int(chunk.rowInteger(row))) }
      }
    }
    rows.forEachRow { row -> Void in
      let links = chunk.collection(at: row, of: schema)
      for place in 0..<links.count where !links.isNull(at: place) {
        body(row, Int(links.int(at: place)))
      }
    }
  }
}
