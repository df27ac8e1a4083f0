import CairnGeometry
import CairnStorage
import CairnSystem

/// The result of evaluating a condition against a chunk's zone map.
enum ZoneMapResult {
  /// No row can match.
  case none
  /// Every row matches.
  case all
  /// The rows must be tested.
  case some
}

/// A condition bound to the columns of one table. It costs one dynamic call per chunk and none per
/// row.
///
/// A filter belongs to the snapshot's own thread. Threads share one within ``WorkerPool/run(_:body:)``
/// after `prepare` has resolved the chunks that they will read. Then calls only read its constants and
/// its prepared data: `prepare` completes everything that a subclass computes on demand.
class Filter {
  /// The approximate cost in nanoseconds per row. Cheap conditions run first.
  var cost: Double { 1 }

  /// Evaluates the condition against the chunk's zone map, without reading the chunk. Call this
  /// only on the snapshot's own thread. The default has the rows tested.
  func zoneMapResult(_ chunk: Int) -> ZoneMapResult { .some }

  /// Keeps the selected rows that match.
  func refine(_ selection: inout Selection, chunk: Int, scratch: ScratchBuffers) {
    requireOverride()
  }

  /// Resolves everything that `refine` reads for these chunks, on the snapshot's own thread.
  func prepare(_ chunks: [Int]) { requireOverride() }

  /// The lookup in the value index of its column that includes all matches; nil if no index
  /// applies.
  var indexRequest: IndexRequest? { nil }

  /// The condition as a search in a full-text index; nil if no index covers its column.
  var textSearch: TextFilter? { nil }

  /// The filters whose conjunction is this one.
  var conjuncts: [Filter] { [self] }

  /// The filters whose disjunction is this one.
  var disjuncts: [Filter] { [self] }

  /// Whether no row can ever match.
  var matchesNothing: Bool { false }

  /// A condition that contains all matches, as the access path of an R-tree; nil if no R-tree
  /// covers its column.
  var spatialAccess: SpatialAccess? { nil }

  /// The same test of a collection's elements, for a filter on a column of their type; nil if the
  /// filter has none.
  var elementTest: ElementTest? { nil }

  /// A description of the condition as the filter evaluates it.
  var description: String { requireOverride() }

  /// The condition that the filter was built from, if it is one condition of a query. Set when the
  /// filter is built.
  final var node: BoundNode?

  /// A description of the condition for `explain`: as written, except for shapes.
  final var explanation: String {
    guard let node else { return description }
    switch node {
    case .spatial(let path, .relation(let relation), let shape):
      return "\(path.written) \(relation) \(Self.words(shape))"
    case .spatial(let path, .distance(let comparison, let distance), let shape):
      return "distance of \(path.written) from \(Self.words(shape)) \(comparison.rawValue) "
        + Self.words(distance)
    default:
      let text = node.description
      return text.count > Self.maxLetters ? text.prefix(Self.maxLetters) + "…" : text
    }
  }
  private static let maxLetters = 300

  private static func words(_ shape: Shape) -> String {
    guard case .circle(let circle) = shape else { return shape.description }
    return "\(words(circle.radius)) of \(circle.center.latitude), \(circle.center.longitude)"
  }

  private static func words(_ distance: Distance) -> String {
    let metres = (distance.asMeters() * 10).rounded() / 10
    return metres < 1000 ? "\(metres) m" : "\(metres / 1000) km"
  }

  /// Whether one row matches.
  final func holds(_ key: Int, scratch: ScratchBuffers) -> Bool {
    let row = RowAddress(key).row
    var selection = Selection(scratch.borrowBitmap())
    defer { scratch.returnBitmap() }
    selection.lower = row >> 6
    selection.upper = selection.lower + 1
    let bit = UInt64(1) << UInt64(row & 63)
    selection.words[selection.lower] = bit
    let word = selection.lower
    refine(&selection, chunk: RowAddress(key).chunk, scratch: scratch)
    return selection.lower < selection.upper && selection.words[word] & bit != 0
  }
}

extension ZoneMapResult {
  /// The result for the negated condition.
  var negated: ZoneMapResult {
    switch self {
    case .none: .all
    case .all: .none
    case .some: .some
    }
  }
}

/// A filter that matches every row or none.
final class ConstantFilter: Filter {
  let value: Bool

  init(_ value: Bool) { self.value = value }

  override var matchesNothing: Bool { !value }
  override var elementTest: ElementTest? { .constant(value) }

  override var cost: Double { 0 }
  override func zoneMapResult(_ chunk: Int) -> ZoneMapResult { value ? .all : .none }
  override func refine(_ selection: inout Selection, chunk: Int, scratch: ScratchBuffers) {
    if !value { selection.clear() }
  }
  override func prepare(_ chunks: [Int]) {}
  override var description: String { value ? "TRUEPREDICATE" : "FALSEPREDICATE" }
}

/// A conjunction of filters, cheapest first.
final class AllFilter: Filter {
  let parts: [Filter]

  override var conjuncts: [Filter] { parts }
  override var elementTest: ElementTest? { parts.elementTests.map { .all($0) } }

  init(_ parts: [Filter]) { self.parts = parts.sorted { $0.cost < $1.cost } }

  override var cost: Double { parts.reduce(0) { $0 + $1.cost } }

  override func zoneMapResult(_ chunk: Int) -> ZoneMapResult {
    var all = true
    for part in parts {
      switch part.zoneMapResult(chunk) {
      case .none: return .none
      case .some: all = false
      case .all: break
      }
    }
    return all ? .all : .some
  }

  override func refine(_ selection: inout Selection, chunk: Int, scratch: ScratchBuffers) {
    for part in parts {
      part.refine(&selection, chunk: chunk, scratch: scratch)
      if !selection.trim() { return }
    }
  }

  override func prepare(_ chunks: [Int]) {
    for part in parts { part.prepare(chunks) }
  }

  override var description: String {
    "(" + parts.map(\.description).joined(separator: " AND ") + ")"
  }
}

/// A disjunction of filters. A row that matches one part is not tested by the next.
final class AnyFilter: Filter {
  let parts: [Filter]

  override var disjuncts: [Filter] { parts }
  override var elementTest: ElementTest? { parts.elementTests.map { .any($0) } }

  init(_ parts: [Filter]) { self.parts = parts.sorted { $0.cost < $1.cost } }

  override var cost: Double { parts.reduce(0) { $0 + $1.cost } }

  override func zoneMapResult(_ chunk: Int) -> ZoneMapResult {
    var none = true
    for part in parts {
      switch part.zoneMapResult(chunk) {
      case .all: return .all
      case .some: none = false
      case .none: break
      }
    }
    return none ? .none : .some
  }

  override func refine(_ selection: inout Selection, chunk: Int, scratch: ScratchBuffers) {
    guard selection.lower < selection.upper else { return }
    // `open` has the rows that no part has matched yet; `trial` has those that the current part
    // matches.
    let open = scratch.borrowBitmap()
    var trial = Selection(scratch.borrowBitmap())
    defer {
      scratch.returnBitmap()
      scratch.returnBitmap()
    }
    let bounds = selection.lower..<selection.upper
    for word in bounds { open[word] = selection.words[word] }
    // Zone maps are not used here. They are read through the snapshot, and this thread may not be
    // its own.
    for part in parts {
      for word in bounds { trial.words[word] = open[word] }
      trial.lower = bounds.lowerBound
      trial.upper = bounds.upperBound
      part.refine(&trial, chunk: chunk, scratch: scratch)
      for word in trial.lower..<max(trial.lower, trial.upper) { open[word] &= ~trial.words[word] }
    }
    for word in bounds { selection.words[word] &= ~open[word] }
  }

  override func prepare(_ chunks: [Int]) {
    for part in parts { part.prepare(chunks) }
  }

  override var description: String {
    "(" + parts.map(\.description).joined(separator: " OR ") + ")"
  }
}

/// A filter that matches the rows that its part does not match.
final class NotFilter: Filter {
  let part: Filter

  init(_ part: Filter) { self.part = part }

  override var cost: Double { part.cost }
  override func zoneMapResult(_ chunk: Int) -> ZoneMapResult { part.zoneMapResult(chunk).negated }

  override func refine(_ selection: inout Selection, chunk: Int, scratch: ScratchBuffers) {
    guard selection.lower < selection.upper else { return }
    var trial = Selection(scratch.borrowBitmap())
    defer { scratch.returnBitmap() }
    for word in selection.lower..<selection.upper { trial.words[word] = selection.words[word] }
    trial.lower = selection.lower
    trial.upper = selection.upper
    part.refine(&trial, chunk: chunk, scratch: scratch)
    for word in trial.lower..<max(trial.lower, trial.upper) {
      selection.words[word] &= ~trial.words[word]
    }
  }

  override func prepare(_ chunks: [Int]) { part.prepare(chunks) }
  override var description: String { "NOT " + part.description }
}
