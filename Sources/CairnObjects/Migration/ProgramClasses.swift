import CairnValues

/// The classes of objects that the program has, by their names in a store.
enum ProgramClasses {
  /// The classes of those names, and all that they lead to. A name that several classes have is left out, as is a class
  /// with mistakes: which one is meant shows when it is used.
  static func layouts(named names: [String]) -> [ObjectLayout] {
    var found: [String: ObjectLayout] = [:]
    for name in names {
      guard let layout = ObjectLayout.unique(named: name) else { continue }
      let group = layout.reachable
      let isClear = group.allSatisfy { found[$0.className] ?? $0 === $0 && $0.mistakes.isEmpty }
      if isClear { for layout in group { found[layout.className] = layout } }
    }
    return found.values.sorted { $0.className < $1.className }
  }
}
