import CairnValues

/// A regular expression as the steps of a nondeterministic automaton.
struct PatternProgram: Sendable {
  /// One step, with the numbers of the steps behind it.
  enum Step: Sendable {
    /// Reads a code point of the set of that number.
    case read(Int, next: Int)
    /// Goes on with either step.
    case split(Int, Int)
    /// Goes on if the condition holds.
    case check(PatternAssertion, next: Int)
    /// The end of the expression.
    case accept
  }

  /// The steps. The first one accepts.
  private(set) var steps: [Step] = [.accept]
  /// The first step of the expression.
  private(set) var start = 0
  /// The distinct sets of code points that steps read.
  private(set) var sets: [CodePointSet] = []
  /// The code points that a text is compared without.
  let ignored: CodePointSet
  /// Whether there are conditions on positions.
  private(set) var hasAssertions = false
  /// Whether there are conditions on the boundaries of words.
  private(set) var usesWords = false

  private var numbers: [CodePointSet: Int] = [:]

  /// The most steps, and the most distinct sets.
  static let limits = (steps: 10_000, sets: 1000)

  /// Compiles an expression.
  ///
  /// - Parameter options: The differences that the whole expression ignores.
  init(_ node: PatternNode, options: StringOptions) throws(PatternError) {
    ignored = FoldClasses.of(options).ignored
    if PatternProgram.size(node) > PatternProgram.limits.steps { throw PatternProgram.tooLarge }
    start = try emit(node, next: 0)
    numbers = [:]
  }

  private static let tooLarge = PatternError(
    message: "It is too large: it may have \(limits.steps) characters and \(limits.sets) "
      + "different sets of them, with each repetition {n} counted n times", position: nil)

  /// The approximate number of steps, or any number beyond the limit.
  private static func size(_ node: PatternNode) -> Int {
    switch node {
    case .literal(let units, _): return units.count
    case .set, .assertion: return 1
    case .sequence(let parts), .alternatives(let parts):
      return min(parts.reduce(parts.count) { $0 + size($1) }, limits.steps + 1)
    case .repetition(let part, let low, let high):
      return min((size(part) + 1) * max(high ?? low + 1, 1), limits.steps + 1)
    }
  }

  // MARK: Emitting

  /// Adds the steps of a part in front of the step `next`, and returns the first of them.
  private mutating func emit(_ node: PatternNode, next: Int) throws(PatternError) -> Int {
    switch node {
    case .literal(let units, let options): return try emit(units, options: options, next: next)
    case .set(let set): return try emit(set, next: next)
    case .assertion(let assertion):
      hasAssertions = true
      if case .wordBoundary = assertion { usesWords = true }
      if case .noWordBoundary = assertion { usesWords = true }
      return try add(.check(assertion, next: next))
    case .sequence(let parts):
      var first = next
      for part in parts.reversed() { first = try emit(part, next: first) }
      return first
    case .alternatives(let parts):
      var firsts: [Int] = []
      for part in parts { firsts.append(try emit(part, next: next)) }
      return try join(firsts)
    case .repetition(let part, let low, let high):
      return try emit(part, low: low, high: high, next: next)
    }
  }

  private mutating func add(_ step: Step) throws(PatternError) -> Int {
    // Folding adds steps to those that `size` counts.
    if steps.count >= 4 * PatternProgram.limits.steps { throw PatternProgram.tooLarge }
    steps.append(step)
    return steps.count - 1
  }

  private mutating func join(_ firsts: [Int]) throws(PatternError) -> Int {
    var first = firsts[firsts.count - 1]
    for other in firsts.dropLast().reversed() { first = try add(.split(other, first)) }
    return first
  }

  private mutating func emit(_ set: CodePointSet, next: Int) throws(PatternError) -> Int {
    if let number = numbers[set] { return try add(.read(number, next: next)) }
    if sets.count == PatternProgram.limits.sets { throw PatternProgram.tooLarge }
    numbers[set] = sets.count
    sets.append(set)
    return try add(.read(sets.count - 1, next: next))
  }

  /// Adds the steps of a literal. If differences are ignored, one code point of the text can match
  /// several of the literal: `ß` matches `ss`.
  private mutating func emit(
    _ literal: [UInt32], options: StringOptions, next: Int
  ) throws(PatternError) -> Int {
    let classes = FoldClasses.of(options)
    let units = FoldedText.codePoints(literal, Folding.of(options))
    var firsts = Array(repeating: next, count: units.count + 1)
    for index in units.indices.reversed() {
      var choices = [try emit(classes.sources(of: units[index]), next: firsts[index + 1])]
      let parts = options.contains(.diacriticInsensitive) ? Self.parts(of: units[index]) : []
      for part in parts {
        var first = firsts[index + 1]
        for unit in part.reversed() { first = try emit(classes.sources(of: unit), next: first) }
        choices.append(first)
      }
      for expansion in classes.expansions(at: units[index...]) {
        choices.append(
          try emit(
            CodePointSet(members: expansion.sources), next: firsts[index + expansion.units.count]))
      }
      firsts[index] = try join(choices)
    }
    return firsts[0]
  }

  /// The sequences of code points that a unit is canonically equivalent to: two, or all.
  private static func parts(of unit: UInt32) -> [[UInt32]] {
    guard let (first, second) = CanonicalForms.parts(of: unit) else { return [] }
    let all = CanonicalForms.decompose(unit)
    return all.count == 2 ? [all] : [[first, second], all]
  }

  private mutating func emit(
    _ part: PatternNode, low: Int, high: Int?, next: Int
  ) throws(PatternError) -> Int {
    var first = next
    if let high {
      for _ in 0..<high - low {
        first = try add(.split(try emit(part, next: first), next))
      }
    } else {
      first = try add(.accept)
      let body = try emit(part, next: first)
      steps[first] = .split(body, next)
    }
    for _ in 0..<low { first = try emit(part, next: first) }
    return first
  }
}
