import CairnValues

extension Parser {
  /// `['k']`, `[0]`, `[*]`, or an argument for one of them.
  mutating func readSubscript(_ trail: inout Trail) throws(PredicateError) {
    let place = token.range.lowerBound
    if trail.isEnded { throw error("@count is the end of a path.") }
    try advance()
    trail.append(try readSubscriptContent(), at: place)
    try require(.closeBracket, "behind a subscript")
  }

  private mutating func readSubscriptContent() throws(PredicateError) -> PropertyPath.Component {
    let place = token.range.lowerBound
    if try take(.times) { return .anyElement }
    switch token.kind {
    case .string(let key):
      try advance()
      return .key(key)
    case .number(.int(let index), let unit) where unit.isEmpty && index >= 0:
      try advance()
      return .index(Int(index))
    case .nextProperty:
      guard case .value(.string("#any")) = try nextArgument() else { break }
      try advance()
      return .anyElement
    case .nextArgument, .argument:
      switch try readArgument() {
      case .value(.string(let key)): return .key(key)
      case .value(.int(let index)) where index >= 0: return .index(Int(index))
      default:
        throw error(
          "A subscript is a text, a whole number from 0 on, or *.", kind: .argument, at: place)
      }
    default: break
    }
    throw error("A subscript is a text, a whole number from 0 on, or *.", at: place)
  }
}
