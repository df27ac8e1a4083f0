import CairnGeometry
import CairnStorage

/// What a chunk's bounds say of a condition.
enum Verdict {
  /// No row can match.
  case none
  /// Every row matches.
  case all
  /// The rows must be looked at.
  case some
}

/// A condition bound to the columns of one table: one dynamic call a chunk, none a row.
///
/// Filters hold no state that a call changes, so threads may share one once `prepare` has
/// resolved the chunks they will touch.
class Filter: @unchecked Sendable {
  /// Nanoseconds a row, roughly: cheap conditions narrow first.
  var cost: Double { 1 }

  /// Says what the bounds of the chunk say, without touching the chunk. On the snapshot's own thread only.
  func verdict(_ chunk: Int) -> Verdict { .some }

  /// Keeps the selected rows that match.
  func narrow(_ selection: inout Selection, _ chunk: Int, _ workspace: Workspace) {}

  /// Resolves the chunks on the snapshot's own thread.
  func prepare(_ chunks: [Int]) {}

  /// The same as a question to the value index of its column; nil when an index cannot be asked.
  var indexRequest: IndexRequest? { nil }

  /// The condition as the filter reads it.
  var description: String { "" }

  /// What the filter was made of, where that is one condition of a query.
  final var written: Node?

  /// The condition in words, for `explain`: as it was written, but for shapes.
  final var wording: String {
    guard let written else { return description }
    if case .within(let path, let shape) = written { return "\(path) within \(Self.words(shape))" }
    let text = PredicatePrinter.text(of: written)
    return text.count > Self.mostLetters ? text.prefix(Self.mostLetters) + "…" : text
  }
  private static let mostLetters = 300

  private static func words(_ shape: Shape) -> String {
    guard case .circle(let circle) = shape else { return shape.region.description }
    let metres = (circle.radius.asMeters() * 10).rounded() / 10
    let radius = metres < 1000 ? "\(metres) m" : "\(metres / 1000) km"
    return "\(radius) of \(circle.center.latitude), \(circle.center.longitude)"
  }

  /// Whether one row matches.
  final func holds(_ key: Int, _ workspace: Workspace) -> Bool {
    let row = key & (ChunkShape.rows - 1)
    var selection = Selection(workspace.borrowBitmap())
    defer { workspace.returnBitmap() }
    selection.lower = row >> 6
    selection.upper = selection.lower + 1
    let bit = UInt64(1) << UInt64(row & 63)
    selection.words[selection.lower] = bit
    let word = selection.lower
    narrow(&selection, key >> ChunkShape.shift, workspace)
    return selection.lower < selection.upper && selection.words[word] & bit != 0
  }
}

extension Verdict {
  /// The verdict on the opposite condition.
  var negated: Verdict {
    switch self {
    case .none: .all
    case .all: .none
    case .some: .some
    }
  }
}
