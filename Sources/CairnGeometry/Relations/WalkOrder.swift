/// A change of what lies beside a segment, at a position between its ends.
struct WalkEvent {
  /// A point of the segment, given by points that are not computed.
  enum Position {
    /// A vertex that lies on the segment.
    case vertex(PlanePoint)
    /// The crossing with an edge neither of whose ends lies on the segment's line.
    case crossing(PlanePoint, PlanePoint)
  }

  enum Change {
    /// Lines along the segment begin or end.
    case line(Int32, isInner: Bool)
    /// A line crosses the segment, or has a vertex on it.
    case lineContact(isInner: Bool)
    /// The boundary of a layer crosses the segment's left or right side.
    case layer(Int32, isInner: Bool, isLeft: Bool, isRight: Bool)

    /// Whether the change is one of the inner side.
    var isInner: Bool {
      switch self {
      case .line(_, let isInner), .lineContact(let isInner), .layer(_, let isInner, _, _): isInner
      }
    }
  }

  let position: Position
  let change: Change
}

/// The exact order of positions along a segment.
struct WalkOrder {
  private let a: PlanePoint
  private let b: PlanePoint

  init(_ segment: PlanarSide.Item) {
    a = segment.a
    b = segment.b
  }

  /// The position of an edge that leaves a side of the segment; nil if it is not between the ends.
  ///
  /// - Parameters:
  ///   - from: the side of the segment on which the edge begins.
  ///   - to: the side on which it ends.
  func position(of edge: PlanarSide.Item, from: Int, to: Int) -> WalkEvent.Position? {
    if from == 0 || to == 0 {
      let vertex = from == 0 ? edge.a : edge.b
      return contains(vertex) ? .vertex(vertex) : nil
    }
    let isBetween =
      orientation(edge.a, b: edge.b, c: a) * orientation(edge.a, b: edge.b, c: b) < 0
    return isBetween ? .crossing(edge.a, edge.b) : nil
  }

  /// Whether a point of the segment's line lies between the ends of the segment.
  func contains(_ point: PlanePoint) -> Bool { compare(a, point) < 0 && compare(point, b) < 0 }

  /// The order of two points of the segment's line: -1, 0 or 1.
  func compare(_ one: PlanePoint, _ other: PlanePoint) -> Int {
    let isFlat = abs(b.x - a.x) >= abs(b.y - a.y)
    let (from, to) = isFlat ? (one.x, other.x) : (one.y, other.y)
    let isForward = isFlat ? b.x > a.x : b.y > a.y
    return from == to ? 0 : (from < to) == isForward ? -1 : 1
  }

  /// The order of two events: -1, 0 or 1.
  func compare(_ one: WalkEvent, _ other: WalkEvent) -> Int {
    switch (one.position, other.position) {
    case (.vertex(let one), .vertex(let other)): compare(one, other)
    case (.vertex(let vertex), .crossing(let c, let d)): compare(vertex, toCrossing: c, d)
    case (.crossing(let c, let d), .vertex(let vertex)): -compare(vertex, toCrossing: c, d)
    case (.crossing(let c, let d), .crossing(let e, let f)): compareCrossings(c, d, e, f)
    }
  }

  /// A vertex lies before a crossing if it is on the same side of the edge as the start.
  private func compare(_ vertex: PlanePoint, toCrossing c: PlanePoint, _ d: PlanePoint) -> Int {
    -orientation(c, b: d, c: vertex) * orientation(c, b: d, c: a)
  }

  /// Compares where two edges cross the segment.
  ///
  /// An edge divides the segment in the ratio of its distances from the ends, which are
  /// determinants; so two products of determinants are compared.
  private func compareCrossings(
    _ c: PlanePoint, _ d: PlanePoint, _ e: PlanePoint, _ f: PlanePoint
  ) -> Int {
    let (firstA, firstB) = (Determinant(c, b: d, c: a), Determinant(c, b: d, c: b))
    let (otherA, otherB) = (Determinant(e, b: f, c: a), Determinant(e, b: f, c: b))
    let (one, other) = (firstA.product(otherB), otherA.product(firstB))
    let difference = abs(one.value) - abs(other.value)
    if abs(difference) > 2 * (one.error + other.error) { return difference < 0 ? -1 : 1 }
    return compareExactly(c, d, e, f)
  }

  private func compareExactly(
    _ c: PlanePoint, _ d: PlanePoint, _ e: PlanePoint, _ f: PlanePoint
  ) -> Int {
    let firstA = Expansion(orientationOf: c, b: d, c: a)
    let firstB = Expansion(orientationOf: c, b: d, c: b)
    let otherA = Expansion(orientationOf: e, b: f, c: a)
    let otherB = Expansion(orientationOf: e, b: f, c: b)
    // The two of one edge have opposite signs, so both products have the same sign.
    var difference = Expansion()
    difference.add(firstA, times: otherB)
    difference.add(-otherA, times: firstB)
    return difference.sign * firstA.sign * otherB.sign
  }
}

extension Determinant {
  /// The product of two determinants, with a bound of its error.
  fileprivate func product(_ other: Determinant) -> (value: Double, error: Double) {
    let value = value * other.value
    let spread = abs(self.value) * other.error + abs(other.value) * error + error * other.error
    return (value, 2 * (spread + abs(value) * orientationErrorBound))
  }
}
