import CairnStorage
import CairnValues

/// The values of a collection in an order, worked out for the present state when they are asked for.
final class FoundValues: _StateMemory {
  /// What is done with the values, one after the other.
  enum Step: Hashable {
    case sort(ascending: Bool)
    case distinct
    case limit(offset: Int, count: Int?)
  }

  let place: CollectionPlace
  let steps: [Step]
  private var known: StoredElements?
  private var version = -1

  init(_ place: CollectionPlace, _ steps: [Step] = []) {
    self.place = place
    self.steps = steps
  }

  var session: Session { place.session }

  /// The values now.
  var elements: StoredElements {
    guard !steps.isEmpty else { return place.elements }
    session.checkQuickly()
    if version == session.version, let known { return known }
    var elements = place.elements
    let values = steps.reduce(elements.all) { $1.applied(to: $0) }
    elements = StoredElements(
      content: .copied(values, keys: []), session: session, target: elements.target,
      table: elements.table, isMap: false, origin: nil)
    // What any thread reads remembers nothing.
    guard !session.isFrozen else { return elements }
    willRemember(session)
    version = session.version
    known = elements
    return elements
  }

  override func surrender() -> Any? {
    defer { known = nil }
    return known
  }

  func adding(_ step: Step) -> FoundValues { FoundValues(place, steps + [step]) }
}

extension FoundValues.Step {
  fileprivate func applied(to values: [StoredElement]) -> [StoredElement] {
    switch self {
    case .sort(let isAscending): return FoundValues.sorted(values, isAscending)
    case .distinct:
      var seen = Set<StoredElement>()
      return values.filter { seen.insert($0).inserted }
    case .limit(let offset, let count):
      let rest = values.dropFirst(offset)
      return Array(count.map { rest.prefix($0) } ?? rest)
    }
  }
}

extension FoundValues {
  /// Nulls first, or last when large values come first; what is equal stays as it stood.
  fileprivate static func sorted(
    _ values: [StoredElement], _ isAscending: Bool
  ) -> [StoredElement] {
    let before: Ordering = isAscending ? .less : .greater
    return values.sorted { Value.sortOrder($0.value, $1.value) == before }
  }
}
