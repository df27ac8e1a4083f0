/// The progress of an operation that goes from objects to those that they lead to.
///
/// It goes by recursion as long as the way is short. Beyond that, steps are postponed until the outermost
/// object is done, so that the stack holds a way of any length.
///
///     traversal.enter()
///     defer { traversal.leave() }
///     visit(object)  // follows a link, or postpones that if `traversal.isLong`
///     while let step = traversal.next() { step() }
struct Traversal<Step> {
  /// The number of objects that are being visited, each because the one before leads to it.
  private var depth = 0
  /// The postponed steps. The first of them is the last to be taken, except for the recent ones.
  private var steps: [Step] = []
  /// The number of steps that were postponed since the last one was taken, at the end of `steps`, the
  /// first of them first.
  private var recent = 0

  /// Whether steps have to be postponed. A level takes up to 2 kB of the stack, and threads other than
  /// the main one may have 512 kB.
  var isLong: Bool { depth > 64 }

  /// Begins to visit an object.
  mutating func enter() { depth += 1 }

  /// Ends the visit of an object. After an error, the steps that are left are dropped.
  mutating func leave() {
    depth -= 1
    if depth == 0, !steps.isEmpty {
      steps = []
      recent = 0
    }
  }

  /// Postpones a step.
  mutating func postpone(_ step: Step) {
    steps.append(step)
    recent += 1
  }

  /// Removes and returns the next step, in the order in which steps were postponed, but those of a step
  /// before the steps after it; nil while an outer object is being visited, and when all are taken.
  mutating func next() -> Step? {
    guard depth == 1, !steps.isEmpty else { return nil }
    steps[(steps.count - recent)...].reverse()
    recent = 0
    return steps.removeLast()
  }
}
