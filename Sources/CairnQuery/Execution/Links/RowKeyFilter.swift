import CairnStorage

/// Matches certain rows, or all others.
final class RowKeyFilter: Filter, @unchecked Sendable {
  /// Rising.
  private let keys: [Int]
  private let inverted: Bool

  init(_ keys: [Int], inverted: Bool) {
    self.keys = keys
    self.inverted = inverted
  }

  override var cost: Double { 0.1 }
  override var description: String {
    let named = keys.count == 1 ? "object \(keys[0])" : "one of \(keys.count) objects"
    return (inverted ? "not " : "") + named
  }

  private func places(_ chunk: Int) -> Range<Int> {
    let first = keys.firstPlace(notBelow: chunk << ChunkShape.shift)
    return first..<keys.firstPlace(notBelow: (chunk + 1) << ChunkShape.shift)
  }

  override func verdict(_ chunk: Int) -> Verdict {
    guard places(chunk).isEmpty else { return .some }
    return inverted ? .all : .none
  }

  override func narrow(_ selection: inout Selection, _ chunk: Int, _ workspace: Workspace) {
    var named = Selection(workspace.borrowBitmap())
    defer { workspace.returnBitmap() }
    named.upper = ChunkShape.words
    named.clear()
    for key in keys[places(chunk)] {
      let row = key & (ChunkShape.rows - 1)
      named.words[row >> 6] |= 1 << UInt64(row & 63)
    }
    if inverted { selection.remove(named.words) } else { selection.intersect(named.words) }
  }
}
