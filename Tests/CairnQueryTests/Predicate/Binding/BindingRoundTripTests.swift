import CairnQuery
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

/// Random predicates on classes with links and collections: each binds or throws an error.
@Suite struct BindingRoundTripTests {
  private static func bound(_ predicate: Predicate) throws(PredicateError) -> BoundPredicate {
    try predicate.bound(to: KennelSchema.person, in: KennelSchema.schema)
  }

  @Test func boundTreesAreFixedPoints() throws {
    let seed = Soak.seed(136)
    var generator = ClassNodeGenerator(seed: seed)
    var taken = 0
    let rounds = Soak.count(3_000, long: 10_000)
    for round in 0..<rounds {
      let built = Predicate(generator.node(KennelSchema.person, depth: round % 4))
      let text = built.description
      let read = try Predicate(parsing: text)
      #expect(read == built, "seed \(seed), round \(round): \(text)")
      do throws(PredicateError) {
        let once = try Self.bound(read)
        #expect(try Self.bound(built) == once, "seed \(seed), round \(round): \(text)")
        #expect(
          try Self.bound(Predicate(once.root.written)) == once,
          "seed \(seed), round \(round): \(text)")
        let again = try Predicate(parsing: once.description)
        #expect(try Self.bound(again) == once, "seed \(seed), round \(round): \(once)")
        #expect(Self.isNormal(once.root.written), "seed \(seed), round \(round): \(once)")
        taken += 1
      } catch {
        #expect(error.offset.map { 0..<text.utf8.count ~= $0 } ?? false, "\(seed): \(error)")
        #expect(error.message.last.map { ".?".contains($0) } ?? false, "\(error)")
        #expect(throws: PredicateError.self) { try Self.bound(built) }
      }
    }
    #expect(taken > rounds * 3 / 10, "seed \(seed)")
  }

  /// Whether a tree has the normal form that `bound(to:in:)` promises: no constant parts,
  /// quantifiers only on the left.
  private static func isNormal(_ node: PredicateNode) -> Bool {
    switch node {
    case .constant: true
    case .and(let parts), .or(let parts):
      parts.count > 1 && parts.allSatisfy { isInner($0) }
    case .not(let part): isInner(part)
    default: isInner(node)
    }
  }

  private static func isInner(_ node: PredicateNode) -> Bool {
    switch node {
    case .constant: false
    case .and, .or, .not: isNormal(node)
    case .compare(let expression, _, let operand, _), .match(let expression, _, let operand, _):
      isNormal(expression) && isNormal(operand)
    case .between(let expression, let low, let high):
      isNormal(expression) && !low.isNull && !high.isNull && !low.isNaN && !high.isNaN
    case .isIn(let expression, let values, _):
      isNormal(expression) && (!values.isEmpty || expression.quantifier == .all)
        && !values.contains(where: \.isNaN)
    case .relation, .distance: true
    }
  }

  private static func isNormal(_ operand: Operand) -> Bool {
    switch operand {
    case .value(let value): !value.isNaN && value != .link(.nowhere)
    case .collection: true
    case .expression(let expression): expression.quantifier == .one && isNormal(expression)
    }
  }

  private static func isNormal(_ expression: Expression) -> Bool {
    guard case .count(_, let condition?) = expression else { return true }
    return condition != .constant(true) && isNormal(condition)
  }
}
