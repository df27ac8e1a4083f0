/// The code point before or behind a position in a text.
private enum Neighbour: Int32 {
  case none
  case other
  case word
}

extension PatternAssertion {
  /// Whether the condition holds between two code points.
  fileprivate func holds(between before: Neighbour, and after: Neighbour) -> Bool {
    switch self {
    case .start: before == .none
    case .end: after == .none
    case .wordBoundary: (before == .word) != (after == .word)
    case .noWordBoundary: (before == .word) == (after == .word)
    }
  }
}

/// A deterministic automaton for a regular expression, whose states are made when a text first needs
/// them and are kept for the next texts.
///
/// Each code point of a text costs one lookup, whatever the expression. The memory is limited: if it
/// is full, all states are dropped. One thread at a time may use an automaton.
final class PatternAutomaton {
  private let program: PatternProgram
  private let alphabet: PatternAlphabet
  /// The numbers of the sets of word characters and of ignored code points in the alphabet.
  private let special: (words: Int, ignored: Int)

  /// A row for each state, with the row of the next state by class; -1 if that is unknown. The row
  /// at 0 is the state that accepts no continuation.
  private let rows: UnsafeMutablePointer<Int32>
  private let capacity: Int
  private let direct: UnsafeMutablePointer<UInt16>
  /// The steps that each state is at, and the kind of code point before it.
  private var states: [[Int32]] = []
  private var accepting: [Bool] = []
  private var numbers: [[Int32]: Int] = [:]
  private var stepsOfStates = 0
  private var start = 0
  /// The number of times that the states were dropped.
  private var resets = 0

  /// The marks of the steps that a search has visited, and its stack.
  private var visits: [UInt32]
  private var visit: UInt32 = 0
  private var stack: [Int] = []

  /// The most entries of all rows, and the most steps of all states.
  private static let limits = (entries: 1 << 16, steps: 1 << 17)

  init(_ program: PatternProgram, alphabet: PatternAlphabet) {
    self.program = program
    self.alphabet = alphabet
    special = (program.sets.count, program.sets.count + 1)
    capacity = max(PatternAutomaton.limits.entries, 4 * alphabet.count)
    rows = .allocate(capacity: capacity)
    assert(
      alphabet.direct.count == PatternAlphabet.directCount, "the alphabet has another table")
    direct = .allocate(capacity: PatternAlphabet.directCount)
    direct.initialize(from: alphabet.direct, count: PatternAlphabet.directCount)
    visits = Array(repeating: 0, count: program.steps.count)
    reset()
  }

  deinit {
    rows.deallocate()
    direct.deallocate()
  }

  /// Returns the alphabet of a program, with classes of their own for word characters and for ignored
  /// code points.
  static func alphabet(of program: PatternProgram) -> PatternAlphabet {
    PatternAlphabet(program.sets + [program.usesWords ? .words : .empty, program.ignored])
  }

  /// Whether the whole text matches. A byte that is not UTF-8 counts as a code point.
  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    var state = start
    var index = 0
    while index < text.count {
      let byte = text[index]
      let member: Int
      if byte < 0x80 {
        member = Int(direct[Int(byte)])
        index &+= 1
      } else {
        let (codePoint, length) = PatternAutomaton.decode(text, at: index)
        member = self.member(codePoint)
        index &+= length
      }
      assert(
        state >= 0 && state < states.count * alphabet.count && member < alphabet.count,
        "the state or the class does not exist")
      var next = Int(rows[state &+ member])
      if next < 0 { next = follow(state, member: member) }
      if next == 0 { return false }
      state = next
    }
    return accepting[state / alphabet.count]
  }

  // MARK: Text

  @inline(__always)
  private static func decode(
    _ text: UnsafeRawBufferPointer, at index: Int
  ) -> (codePoint: UInt32, length: Int) {
    let first = text[index]
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    if first < 0xC0 || index &+ length > text.count { return (UInt32(first), 1) }
    var codePoint = UInt32(first) & (0x7F &>> UInt32(length))
    for offset in 1..<length { codePoint = codePoint << 6 | UInt32(text[index &+ offset] & 0x3F) }
    return (codePoint, length)
  }

  /// The class of a code point.
  @inline(__always)
  private func member(_ codePoint: UInt32) -> Int {
    codePoint < PatternAlphabet.directCount
      ? Int(direct[Int(codePoint)]) : rareMember(codePoint)
  }

  private func rareMember(_ codePoint: UInt32) -> Int {
    var low = 0
    var high = alphabet.starts.count
    while high - low > 1 {
      let middle = (low + high) >> 1
      if alphabet.starts[middle] <= codePoint { low = middle } else { high = middle }
    }
    return Int(alphabet.classes[low])
  }

  // MARK: States

  /// Drops all states, except for the first two.
  private func reset() {
    states.removeAll(keepingCapacity: true)
    accepting.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    stepsOfStates = 0
    _ = add([])
    start = row(of: search([program.start], before: .none))
  }

  /// The row of the state behind a code point of a class.
  @inline(never)
  private func follow(_ row: Int, member: Int) -> Int {
    let state = states[row / alphabet.count]
    let before = Neighbour(rawValue: state[state.count - 1]) ?? .none
    let kind = neighbour(member)
    let steps =
      program.hasAssertions ? reached(state, before: before, after: kind) : state.dropLast()
    var targets: [Int] = []
    for step in steps {
      guard case .read(let set, let next) = program.steps[Int(step)],
        alphabet.set(set, containsClass: member)
      else { continue }
      targets.append(next)
    }
    let target = search(targets, before: kind)
    let resetsBefore = resets
    let next = self.row(of: target)
    // If the states were dropped, the row belongs to another one now.
    if resets == resetsBefore { rows[row + member] = Int32(truncatingIfNeeded: next) }
    return next
  }

  /// The kind of the members of a class, if the program has conditions on it.
  private func neighbour(_ member: Int) -> Neighbour {
    guard program.hasAssertions else { return .none }
    return alphabet.set(special.words, containsClass: member) ? .word : .other
  }

  /// The row of a state, which is added if it is new.
  private func row(of state: [Int32]) -> Int {
    if state.count == 1 { return 0 }
    if let number = numbers[state] { return number * alphabet.count }
    let isFull =
      (states.count + 1) * alphabet.count > capacity
      || stepsOfStates + state.count > PatternAutomaton.limits.steps
    if isFull, states.count > 2 {
      resets += 1
      reset()
    }
    return numbers[state].map { $0 * alphabet.count } ?? add(state)
  }

  private func add(_ state: [Int32]) -> Int {
    let row = states.count * alphabet.count
    assert(row + alphabet.count <= capacity, "there are more states than memory")
    for member in 0..<alphabet.count {
      let isIgnored = alphabet.set(special.ignored, containsClass: member)
      rows[row + member] = isIgnored ? Int32(truncatingIfNeeded: row) : -1
    }
    numbers[state] = states.count
    states.append(state)
    accepting.append(isAccepting(state))
    stepsOfStates += state.count
    return row
  }

  private func isAccepting(_ state: [Int32]) -> Bool {
    guard let last = state.last else { return false }
    if !program.hasAssertions { return state.dropLast().contains(0) }
    return reached(state, before: Neighbour(rawValue: last) ?? .none, after: .none).contains(0)
  }

  // MARK: Steps

  /// The state at these steps and all that follow them without reading, up to conditions.
  private func search(_ steps: [Int], before: Neighbour) -> [Int32] {
    beginVisit()
    var found: [Int32] = []
    stack += steps
    while let step = stack.popLast() {
      guard visits[step] != visit else { continue }
      visits[step] = visit
      if case .split(let a, let b) = program.steps[step] {
        stack.append(a)
        stack.append(b)
      } else {
        found.append(Int32(truncatingIfNeeded: step))
      }
    }
    found.sort()
    found.append(found.isEmpty || !program.hasAssertions ? 0 : before.rawValue)
    return found
  }

  /// The steps of a state, and those behind its conditions that hold.
  private func reached(
    _ state: [Int32], before: Neighbour, after: Neighbour
  ) -> ArraySlice<Int32> {
    beginVisit()
    var found: [Int32] = []
    for step in state.dropLast() { stack.append(Int(step)) }
    while let step = stack.popLast() {
      guard visits[step] != visit else { continue }
      visits[step] = visit
      switch program.steps[step] {
      case .split(let a, let b):
        stack.append(a)
        stack.append(b)
      case .check(let assertion, let next):
        if assertion.holds(between: before, and: after) { stack.append(next) }
      case .read, .accept: found.append(Int32(truncatingIfNeeded: step))
      }
    }
    return found[...]
  }

  private func beginVisit() {
    stack.removeAll(keepingCapacity: true)
    visit &+= 1
    if visit == 0 {
      for index in visits.indices { visits[index] = 0 }
      visit = 1
    }
  }
}
