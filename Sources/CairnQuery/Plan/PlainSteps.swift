/// The steps of a query in the shape that most have: sort, distinct, limit, each once at most.
struct PlainSteps {
  var sort: [SortKey] = []
  var distinct: [PropertyPath] = []
  var offset = 0
  /// nil: all.
  var limit: Int?

  /// The same as steps.
  var steps: [TableQuery.Step] {
    var steps: [TableQuery.Step] = []
    if !sort.isEmpty { steps.append(.sort(sort)) }
    if !distinct.isEmpty { steps.append(.distinct(distinct)) }
    if offset != 0 || limit != nil { steps.append(.limit(offset: offset, count: limit)) }
    return steps
  }

  /// The shape that leading steps have, and the steps behind it.
  static func leading(_ steps: [TableQuery.Step]) -> (plain: PlainSteps, rest: [TableQuery.Step]) {
    var plain = PlainSteps()
    var rest = joined(steps)[...]
    if case .sort(let keys)? = rest.first {
      plain.sort = keys
      rest = rest.dropFirst()
    }
    if case .distinct(let paths)? = rest.first {
      plain.distinct = paths
      rest = rest.dropFirst()
    }
    if case .limit(let offset, let count)? = rest.first {
      plain.offset = offset
      plain.limit = count
      rest = rest.dropFirst()
    }
    return (plain, Array(rest))
  }

  /// The same steps with sorts and limits that follow one another made one, and without those that do nothing.
  static func joined(_ steps: [TableQuery.Step]) -> [TableQuery.Step] {
    var result: [TableQuery.Step] = []
    for step in steps {
      switch (step, result.last) {
      case (.sort(let keys), _) where keys.isEmpty: break
      case (.distinct(let paths), _) where paths.isEmpty: break
      case (.limit(0, nil), _): break
      case (.sort(let keys), .sort(let before)?):
        // Sorting keeps what is equal as it stood, so the later order leads and the earlier breaks its ties.
        result[result.count - 1] = .sort(keys + before)
      case (.limit(let offset, let count), .limit(let first, let most)?):
        result[result.count - 1] = joined(first, most, offset, count)
      default: result.append(step)
      }
    }
    return result
  }

  private static func joined(
    _ first: Int, _ most: Int?, _ offset: Int, _ count: Int?
  ) -> TableQuery.Step {
    let (sum, overflow) = first.addingReportingOverflow(offset)
    let left = most.map { max(0, $0 - offset) }
    return .limit(
      offset: overflow ? .max : sum, count: [left, count].compactMap { $0 }.min())
  }
}

/// A query of the plain shape by its parts: of another one only what stands at its beginning is seen, and
/// setting a part drops the rest.
extension TableQuery {
  var plain: PlainSteps {
    get { PlainSteps.leading(steps).plain }
    set { steps = newValue.steps }
  }

  /// Most significant first. Rows that are equal in all of them come as the source has them.
  package var sort: [SortKey] {
    get { plain.sort }
    set { plain.sort = newValue }
  }

  /// Of rows that are equal in all of these properties only the first in the current order stays.
  package var distinct: [PropertyPath] {
    get { plain.distinct }
    set { plain.distinct = newValue }
  }

  /// Rows passed over.
  package var offset: Int {
    get { plain.offset }
    set { plain.offset = newValue }
  }

  /// Rows at most; nil: all.
  package var limit: Int? {
    get { plain.limit }
    set { plain.limit = newValue }
  }
}
