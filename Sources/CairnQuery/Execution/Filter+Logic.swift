import CairnStorage

/// Matches every row or none.
final class ConstantFilter: Filter, @unchecked Sendable {
  let value: Bool

  init(_ value: Bool) { self.value = value }

  override var cost: Double { 0 }
  override func verdict(_ chunk: Int) -> Verdict { value ? .all : .none }
  override func narrow(_ selection: inout Selection, _ chunk: Int, _ workspace: Workspace) {
    if !value { selection.clear() }
  }
  override var description: String { value ? "TRUEPREDICATE" : "FALSEPREDICATE" }
}

/// Matches where all of its parts do, cheapest first.
final class AllFilter: Filter, @unchecked Sendable {
  let parts: [Filter]

  init(_ parts: [Filter]) { self.parts = parts.sorted { $0.cost < $1.cost } }

  override var cost: Double { parts.reduce(0) { $0 + $1.cost } }

  override func verdict(_ chunk: Int) -> Verdict {
    var all = true
    for part in parts {
      switch part.verdict(chunk) {
      case .none: return .none
      case .some: all = false
      case .all: break
      }
    }
    return all ? .all : .some
  }

  override func narrow(_ selection: inout Selection, _ chunk: Int, _ workspace: Workspace) {
    for part in parts {
      part.narrow(&selection, chunk, workspace)
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

/// Matches where any of its parts does; what one has taken the next need not look at.
final class AnyFilter: Filter, @unchecked Sendable {
  let parts: [Filter]

  init(_ parts: [Filter]) { self.parts = parts.sorted { $0.cost < $1.cost } }

  override var cost: Double { parts.reduce(0) { $0 + $1.cost } }

  override func verdict(_ chunk: Int) -> Verdict {
    var none = true
    for part in parts {
      switch part.verdict(chunk) {
      case .all: return .all
      case .some: none = false
      case .none: break
      }
    }
    return none ? .none : .some
  }

  override func narrow(_ selection: inout Selection, _ chunk: Int, _ workspace: Workspace) {
    guard selection.lower < selection.upper else { return }
    // `open`: not taken by any part yet; `trial`: what the current part takes of them.
    let open = workspace.borrowBitmap()
    var trial = Selection(workspace.borrowBitmap())
    defer {
      workspace.returnBitmap()
      workspace.returnBitmap()
    }
    let bounds = selection.lower..<selection.upper
    for word in bounds { open[word] = selection.words[word] }
    // No bounds here: they are read through the snapshot, which this thread may not be the owner of.
    for part in parts {
      for word in bounds { trial.words[word] = open[word] }
      trial.lower = bounds.lowerBound
      trial.upper = bounds.upperBound
      part.narrow(&trial, chunk, workspace)
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

/// Matches where its part does not.
final class NotFilter: Filter, @unchecked Sendable {
  let part: Filter

  init(_ part: Filter) { self.part = part }

  override var cost: Double { part.cost }
  override func verdict(_ chunk: Int) -> Verdict { part.verdict(chunk).negated }

  override func narrow(_ selection: inout Selection, _ chunk: Int, _ workspace: Workspace) {
    guard selection.lower < selection.upper else { return }
    var trial = Selection(workspace.borrowBitmap())
    defer { workspace.returnBitmap() }
    for word in selection.lower..<selection.upper { trial.words[word] = selection.words[word] }
    trial.lower = selection.lower
    trial.upper = selection.upper
    part.narrow(&trial, chunk, workspace)
    for word in trial.lower..<max(trial.lower, trial.upper) {
      selection.words[word] &= ~trial.words[word]
    }
  }

  override func prepare(_ chunks: [Int]) { part.prepare(chunks) }
  override var description: String { "NOT " + part.description }
}
