import CairnValues

/// The code points that are alike if case or marks are ignored.
struct FoldClasses: Sendable {
  /// A sequence of folded code points, and the single code points that fold to it: `ss` and `ß`.
  struct Expansion: Sendable {
    /// Two or three folded code points.
    let units: [UInt32]
    /// The code points that fold to them.
    var sources: [UInt32]
  }

  /// The code points that fold to one code point, by the latter; only those with another one than
  /// itself.
  private var sources: [UInt32: [UInt32]] = [:]
  /// The expansions by their first unit.
  private var expansions: [UInt32: [Expansion]] = [:]
  /// The code points that fold to nothing.
  private(set) var ignored = CodePointSet.empty

  /// The classes for these options. They are computed once.
  static func of(_ options: StringOptions) -> FoldClasses {
    switch (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive)) {
    case (false, false): none
    case (true, false): ofCase
    case (false, true): ofMarks
    case (true, true): ofBoth
    }
  }

  private static let none = FoldClasses([])
  private static let ofCase = FoldClasses(.caseInsensitive)
  private static let ofMarks = FoldClasses(.diacriticInsensitive)
  private static let ofBoth = FoldClasses([.caseInsensitive, .diacriticInsensitive])

  /// The code points that can fold. Between these ranges are the ideographs, Hangul and Yi, which
  /// have neither case nor marks.
  private static let searched: [ClosedRange<UInt32>] = [
    0...0x33FF, 0xA490...0xABFF, 0xF900...0x1EFFF, 0x2F800...0x2FA1D, 0xE0100...0xE01EF,
  ]

  private init(_ options: StringOptions) {
    var ignored: [UInt32] = []
    let folding = Folding.of(options)
    let isCanonical = options.contains(.diacriticInsensitive)
    for codePoint in options.isEmpty ? [] : FoldClasses.searched.joined().map({ $0 }) {
      var units: [UInt32] = []
      folding.fold(isCanonical ? CanonicalForms.single(codePoint) : codePoint) { units.append($0) }
      switch units.count {
      case 0: ignored.append(codePoint)
      case 1 where units[0] == codePoint: break
      case 1: sources[units[0], default: []].append(codePoint)
      default: add(codePoint, units: units)
      }
    }
    self.ignored = CodePointSet(members: ignored)
    for (unit, others) in sources {
      folding.fold(unit) { if $0 == unit { sources[unit] = [unit] + others } }
    }
  }

  private mutating func add(_ codePoint: UInt32, units: [UInt32]) {
    var known = expansions[units[0], default: []]
    if let index = known.firstIndex(where: { $0.units == units }) {
      known[index].sources.append(codePoint)
    } else {
      known.append(Expansion(units: units, sources: [codePoint]))
    }
    expansions[units[0]] = known
  }

  /// The code points that fold to a folded one.
  func sources(of unit: UInt32) -> CodePointSet {
    CodePointSet(members: sources[unit] ?? [unit])
  }

  /// The expansions that folded units begin with.
  func expansions(at units: ArraySlice<UInt32>) -> [Expansion] {
    guard let first = units.first, let known = expansions[first] else { return [] }
    return known.filter { units.starts(with: $0.units) }
  }

  /// The code points that are alike to a member of the set.
  func closure(of set: CodePointSet) -> CodePointSet {
    var more: [UInt32] = []
    for alike in sources.values where alike.contains(where: set.contains) { more += alike }
    for expansion in expansions.values.joined()
    where expansion.sources.contains(where: set.contains) {
      more += expansion.sources
    }
    return more.isEmpty ? set : set.union(CodePointSet(members: more))
  }
}
