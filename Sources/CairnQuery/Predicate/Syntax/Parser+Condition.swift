import CairnGeometry
import CairnValues

extension Parser {
  /// The operator between the two sides.
  enum Operation {
    case comparison(ComparisonOperator)
    case match(MatchOperator)
    case between
    case isIn
    case relation(SpatialRelation)
  }

  /// The words for a condition in error messages, and for the side that begins one.
  static let conditionText = "a condition"

  /// Reads one condition.
  mutating func readCondition() throws(PredicateError) -> PredicateNode {
    if token.keyword == .truePredicate || token.keyword == .falsePredicate {
      let node = PredicateNode.constant(token.keyword == .truePredicate)
      try advance()
      return node
    }
    let number = positions.count
    let start = PredicateSource.SidePosition(start: token.range.lowerBound)
    positions.append(PredicateSource.ConditionPosition(left: start, right: start))
    let left = try readSide(Parser.conditionText)
    if case .distance(let first, let second) = left.content {
      return try readDistanceCondition(first, second: second, number: number)
    }
    let isNegated = try readNegation(behind: start.start)
    let operationPosition = token.range.lowerBound
    let isOfSQL = isNamed("ILIKE")
    let operation = try readOperation()
    var condition = Condition(left: left, right: left, number: number)
    if case .relation(let relation) = operation {
      condition.edges = try readEdges(of: relation)
    } else {
      condition.options = try readOptions(of: operation, at: operationPosition)
    }
    condition.right = try readRightSide(of: operation)
    if isOfSQL {
      condition.options.insert(.caseInsensitive)
      condition.right.content = try patternOfSQL(condition.right)
    }
    positions[number] = PredicateSource.ConditionPosition(
      left: left.position, right: condition.right.position)
    let node = try assemble(&condition, operation: operation)
    let isInverted = (left.isNegated || condition.right.isNegated) != isNegated
    return isInverted ? .not(node) : node
  }

  private mutating func readOperation() throws(PredicateError) -> Operation {
    if isNamed("IS") { return try readNullTest() }
    let operation: Operation? =
      switch token.kind {
      case .sign(let sign): ComparisonOperator(sign).map { .comparison($0) }
      case .name: wordOperation()
      default: nil
      }
    guard let operation else { throw unexpected("an operator", hint: operatorHint()) }
    try advance()
    return operation
  }

  /// Whether the token is an operator that is a word.
  var isWordOperator: Bool { wordOperation() != nil }

  private func wordOperation() -> Operation? {
    switch token.keyword {
    case .between: .between
    case .in: .isIn
    case .geoWithin: .relation(.within)
    case .geoIntersects: .relation(.intersects)
    case .geoContains: .relation(.contains)
    case .geoDisjoint: .relation(.disjoint)
    case .geoTouches: .relation(.touches)
    case .geoCrosses: .relation(.crosses)
    case .geoOverlaps: .relation(.overlaps)
    case .geoEquals: .relation(.equals)
    case .beginsWith: .match(.beginsWith)
    case .endsWith: .match(.endsWith)
    case .contains: .match(.contains)
    case .like: .match(.like)
    case .matches: .match(.matches)
    default:
      isNamed(MatchOperator.search.rawValue)
        ? .match(.search) : isNamed("ILIKE") ? .match(.like) : nil
    }
  }

  /// Whether the token is a word in capitals, in any case. Words such as `TEXT` are not reserved,
  /// because properties have these names.
  func isNamed(_ word: String) -> Bool {
    guard case .name(let name, nil) = token.kind else { return false }
    return name.uppercased() == word
  }

  private func operatorHint() -> String {
    if case .name(let name, _) = token.kind, Parser.distanceNames.contains(name.lowercased()) {
      return " A distance is written GEODISTANCE(property, shape) < 5km."
    }
    if case .name(let name, _) = token.kind,
      let word = Parser.otherNames[name.uppercased()]
        ?? NearestName.of(name.uppercased(), among: Parser.operators)
    {
      return " Did you mean \(word)?"
    }
    return " There are == != < <= > >= \(Parser.operators.joined(separator: " "))."
  }

  /// The names of operators in other languages.
  private static let otherNames = [
    "STARTSWITH": "BEGINSWITH", "STARTS": "BEGINSWITH", "BEGINS": "BEGINSWITH",
    "ENDS": "ENDSWITH", "INCLUDES": "CONTAINS", "HAS": "CONTAINS",
    "REGEXP": "MATCHES", "REGEX": "MATCHES", "RLIKE": "MATCHES", "SIMILAR": "MATCHES",
    "WITHIN": "GEOWITHIN", "INSIDE": "GEOWITHIN", "ST_WITHIN": "GEOWITHIN",
    "COVEREDBY": "GEOWITHIN", "ST_COVEREDBY": "GEOWITHIN",
    "INTERSECTS": "GEOINTERSECTS", "ST_INTERSECTS": "GEOINTERSECTS",
    "ST_CONTAINS": "GEOCONTAINS", "COVERS": "GEOCONTAINS", "ST_COVERS": "GEOCONTAINS",
    "DISJOINT": "GEODISJOINT", "ST_DISJOINT": "GEODISJOINT",
    "TOUCHES": "GEOTOUCHES", "ST_TOUCHES": "GEOTOUCHES", "CROSSES": "GEOCROSSES",
    "ST_CROSSES": "GEOCROSSES", "OVERLAPS": "GEOOVERLAPS", "ST_OVERLAPS": "GEOOVERLAPS",
    "ST_EQUALS": "GEOEQUALS",
  ]

  private static let operators =
    ["BETWEEN", "IN", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES", "TEXT"]
    + SpatialRelation.allCases.map(\.rawValue)

  /// The names of functions for distances, here and in other languages, in lower case.
  static let distanceNames: Set = [
    "geodistance", "distance", "st_distance", "dwithin", "st_dwithin",
  ]

  /// Reads `[c]`, `[d]` or `[cd]` behind an operator.
  private mutating func readOptions(
    of operation: Operation, at position: Int
  ) throws(PredicateError) -> StringOptions {
    guard token.is(.openBracket) else { return [] }
    try advance()
    guard case .name(let letters, _) = token.kind, letters.utf8.count <= 2 else {
      throw expected("c, d or cd in the brackets of an operator")
    }
    var options: StringOptions = []
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      default: throw expected("c, d or cd in the brackets of an operator")
      }
    }
    try advance()
    try require(.closeBracket, context: "behind the options of an operator")
    try check(options, of: operation, at: position)
    return options
  }

  private func check(
    _ options: StringOptions, of operation: Operation, at position: Int
  ) throws(PredicateError) {
    switch operation {
    case .match(.search):
      throw error(
        "TEXT ignores case and diacritics without options.", kind: .unsupported, at: position)
    case .match, .isIn: return
    case .comparison(let operation) where !operation.isOrder: return
    case .comparison, .between:
      throw error(
        "Lexicographical comparisons must be case-sensitive.", kind: .unsupported, at: position)
    case .relation: return
    }
  }
}

extension ComparisonOperator {
  init?(_ sign: Token.Sign) {
    switch sign {
    case .equal: self = .equal
    case .notEqual: self = .notEqual
    case .less: self = .less
    case .lessOrEqual: self = .lessOrEqual
    case .greater: self = .greater
    case .greaterOrEqual: self = .greaterOrEqual
    default: return nil
    }
  }
}
