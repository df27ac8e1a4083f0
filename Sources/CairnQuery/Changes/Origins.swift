import CairnStorage
import CairnValues

/// Finds the rows of a class whose links lead to given objects: through the index of the links, through what embedded
/// objects know of their owners, through what is known of them from steps before, or, where there is none of it, by looking
/// through the column.
struct Origins {
  private let table: Table
  private let column: Column
  /// The class that the links lead to, in the older state: what is gone now knew its owner then.
  private let before: Table?

  /// Keys for each of which the index is asked while that costs less than looking through the column, by rows.
  private static let rowsPerQuestion = 1000

  init(_ table: Table, _ column: ColumnSchema, before: Table?) {
    self.table = table
    self.column = table.column(column.position)
    self.before = before
  }

  /// The live rows that link to one of the objects, whether those live or not.
  ///
  /// - Parameter known: what is known of properties without an index; asked only where there is none.
  func rows(of targets: KeyRuns, known: () -> KnownLinks?) -> KeyRuns {
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
    guard let known = known() else { return searched(targets) }
    return linking(to: targets, known.forEach)
  }

  private func owners(_ targets: KeyRuns) -> KeyRuns {
    let now = table.target(of: column.schema.position)
    var keys: [Int] = []
    for key in targets.keys {
      let home = now.map { $0.isLive(key) } == true ? now : before
      guard let owner = home?.owner(of: key), owner.table == table.schema.id,
        owner.column == column.schema.id, table.isLive(owner.key)
      else { continue }
      keys.append(owner.key)
    }
    return KeyRuns(rising: keys.sorted())
  }

  /// Those among the candidates for each object that live and link to it.
  private func linking(
    to targets: KeyRuns, _ candidates: (Int, (Int) -> Void) -> Void
  ) -> KeyRuns {
    var keys: [Int] = []
    for target in targets.keys {
      candidates(target) { key in
        if table.isLive(key), table.rawLinks(column.schema.position, at: key).contains(target) {
          keys.append(key)
        }
      }
    }
    return KeyRuns(rising: keys.sorted())
  }

  private func searched(_ targets: KeyRuns) -> KeyRuns {
    guard let first = targets.runs.first?.lowerBound, let end = targets.runs.last?.upperBound else {
      return KeyRuns()
    }
    let live = LiveRows(table)
    let workspace = Workspace()
    var found = KeyRuns()
    var last = -1
    for chunk in 0..<table.chunkCount {
      if column.schema.collection == .none, column.zone(chunk).misses(first..<end) { continue }
      var rows = Selection(workspace.borrowBitmap())
      defer { workspace.returnBitmap() }
      rows.selectLive(chunk, live)
      column.forEachLink(chunk, rows) { row, target in
        let key = chunk << ChunkShape.shift | row
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
  /// Whether no row of the chunk can hold one of the numbers.
  fileprivate func misses(_ numbers: Range<Int>) -> Bool {
    hasBounds && (Int(maximum) < numbers.lowerBound || Int(minimum) >= numbers.upperBound)
  }
}
