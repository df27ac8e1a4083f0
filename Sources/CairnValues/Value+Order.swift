/// The order in which values are sorted.
extension Value {
  /// How two values of any kind stand in a sorted result.
  ///
  /// null < bool < numbers by value < string < data < date < object id < uuid < link < point. A NaN stands before
  /// every other number or date; a minus zero with zero.
  package static func sortOrder(_ a: Value, _ b: Value) -> Ordering {
    if let order = a.order(to: b) { return order }
    let kinds = Ordering(a.sortRank, b.sortRank)
    if kinds != .equal { return kinds }
    if case .point(let x) = a, case .point(let y) = b { return sortOrder(x, y) }
    if case .link(let x) = a, case .link(let y) = b { return Ordering(x, y) }
    return Ordering(a.isNaN ? 0 : 1, b.isNaN ? 0 : 1)
  }

  /// Whether the value is a number or a date that is not one.
  package var isNaN: Bool {
    switch self {
    case .float(let value): value.isNaN
    case .double(let value), .date(let value): value.isNaN
    case .decimal(let value): value.isNaN
    default: false
    }
  }

  private static func sortOrder(_ a: Position, _ b: Position) -> Ordering {
    Ordering(0, 0).then(a.latitude, b.latitude).then(a.longitude, b.longitude)
      .then(a.altitude, b.altitude)
  }

  private var sortRank: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .int, .float, .double, .decimal: 2
    case .string: 3
    case .data: 4
    case .date: 5
    case .objectId: 6
    case .uuid: 7
    case .link: 8
    case .point: 9
    }
  }
}

extension Ordering {
  fileprivate func then(_ a: Double, _ b: Double) -> Ordering {
    self == .equal ? Ordering(a, b) : self
  }
}
