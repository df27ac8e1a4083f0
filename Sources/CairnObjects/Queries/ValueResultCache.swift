import CairnStorage
import CairnValues

/// The values of a collection after a chain of operations, computed for the present snapshot on
/// access.
final class ValueResultCache: _SnapshotCache {
  /// One operation of the chain.
  enum Step: Hashable {
    case sort(ascending: Bool)
    case distinct
    case limit(offset: Int, count: Int?)
  }

  let reference: CollectionReference
  let steps: [Step]
  private var cached: StoredElements?
  private var version = -1

  init(_ reference: CollectionReference, steps: [Step] = []) {
    self.reference = reference
    self.steps = steps
  }

  var session: Session { reference.session }

  /// The values in the present snapshot.
  var elements: StoredElements {
    guard !steps.isEmpty else { return reference.elements }
    session.checkQuickly()
    reference.track()
    if version == session.version, let cached { return cached }
    var elements = reference.elements
    let values = steps.reduce(elements.all) { $1.applied(to: $0) }
    elements = StoredElements(
      content: .copied(values, keys: []), session: session, target: elements.target,
      table: elements.table, isMap: false, origin: nil)
    // Any thread reads frozen results, so they are not cached.
    guard !session.isFrozen else { return elements }
    willCache(session)
    version = session.version
    cached = elements
    return elements
  }

  override func evict() -> Any? {
    defer { cached = nil }
    return cached
  }

  func adding(_ step: Step) -> ValueResultCache {
    ValueResultCache(reference, steps: steps + [step])
  }
}

extension ValueResultCache.Step {
  fileprivate func applied(to values: [StoredElement]) -> [StoredElement] {
    switch self {
    case .sort(let isAscending): return ValueResultCache.sorted(values, isAscending: isAscending)
    case .distinct:
      var seen = Set<StoredElement>()
      return values.filter { seen.insert($0).inserted }
    case .limit(let offset, let count):
      let rest = values.dropFirst(offset)
      return Array(count.map { rest.prefix($0) } ?? rest)
    }
  }
}

extension ValueResultCache {
  /// Sorts stably. Nulls come first in ascending order and last in descending order.
  fileprivate static func sorted(
    _ values: [StoredElement], isAscending: Bool
  ) -> [StoredElement] {
    let before: Ordering = isAscending ? .less : .greater
    return values.sorted { Value.sortOrder($0.value, to: $1.value) == before }
  }
}
