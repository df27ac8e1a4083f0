import CairnValues

/// The classes of objects that the program has, by their names in a store.
enum ProgramClasses {
  /// The one class of that name, where neither it nor what it leads to has mistakes.
  static func layout(named name: String) -> ObjectLayout? {
    layouts(named: [name]).first { $0.className.utf8.elementsEqual(name.utf8) }
  }

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
