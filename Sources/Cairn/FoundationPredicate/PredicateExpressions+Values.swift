import CairnObjects
import CairnQuery
import CairnValues
import Foundation

// MARK: Constants and variables

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Value: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    if let range = value as? any BoundedRange {
      return .range(range.ends.0, range.ends.1, isClosed: range.isClosed)
    }
    return .constant(value)
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.NilLiteral: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    .constant(nil)
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Variable: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    try translator.term(of: key)
  }
}

// MARK: Optionals

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    try translator.term(inner)
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    guard case .path(let path) = try translator.term(wrapped) else {
      throw .noCounterpart(for: "optional chaining on what is not a property")
    }
    switch try translator.term(transform, where: variable.key, is: .path(path)) {
    // A property of null is null.
    case .path(let member): return .path(member)
    case .condition(let node, let paths): return .condition(node, unlessNull: [path] + paths)
    default: throw .noCounterpart(for: "this use of an optional property")
    }
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.NilCoalesce: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    guard case .constant(let fallback) = try translator.term(rhs) else {
      throw .noCounterpart(for: "'??' with what is not a constant")
    }
    let term = try translator.term(lhs)
    guard case .condition = term else { return .coalesced(term, fallback) }
    // A condition that is nil is neither true nor false.
    return .condition(
      fallback as? Bool == true
        ? .not(try term.compared(.equal, with: .constant(false))) : try term.condition())
  }
}

// MARK: Properties

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.KeyPath: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    let term = try translator.term(root)
    switch term {
    case .constant(let value as Root.Output): return .constant(value[keyPath: keyPath])
    case .path(let path) where !path.isCollection:
      if let name = storedName { return .path(path.appending(name, isCollection: isCollection)) }
      if keyPath == \String.isEmpty {
        return .condition(try term.compared(.equal, with: .constant("")))
      }
    case .path(let path):
      if let totals { return try totals(.count(path.propertyPath(), where: nil)) }
    case .filtered(let path, let condition):
      if let totals { return try totals(.count(path.propertyPath(), where: condition)) }
    default: break
    }
    throw .noCounterpart(for: "a computed property of '\(Root.Output.self)'")
  }

  /// The name of the stored property of a class.
  private var storedName: String? {
    (Root.Output.self as? ObjectBase.Type)?.storedName(of: keyPath)
  }

  private var isCollection: Bool { Output.self is any QueriedCollection.Type }

  /// The term for the number of elements of a collection, if the key path is `count` or `isEmpty`.
  private var totals: ((Expression) -> PredicateTerm)? {
    guard let type = Root.Output.self as? any QueriedCollection.Type else { return nil }
    if keyPath == type.countPath { return { .number($0) } }
    if keyPath == type.isEmptyPath {
      return { .condition(.compare($0, .equal, .value(.int(0)), [])) }
    }
    return nil
  }
}

extension ObjectBase {
  /// The name of the stored property that a key path of the class leads to.
  fileprivate static func storedName(of keyPath: AnyKeyPath) -> String? {
    (keyPath as? PartialKeyPath<Self>).flatMap { KeyPathNames.name(ofAny: $0, in: Self.self) }
  }
}

extension PredicateTerm.Path {
  /// The path to a property of the object at the end.
  fileprivate func appending(_ name: String, isCollection: Bool) -> Self {
    var path = self
    path.steps.append(.property(name))
    path.isCollection = isCollection
    return path
  }
}

/// A collection whose elements predicates can count.
private protocol QueriedCollection {
  static var countPath: AnyKeyPath { get }
  static var isEmptyPath: AnyKeyPath { get }
}

extension List: QueriedCollection {
  fileprivate static var countPath: AnyKeyPath { \List<Element>.count }
  fileprivate static var isEmptyPath: AnyKeyPath { \List<Element>.isEmpty }
}

extension MutableSet: QueriedCollection {
  fileprivate static var countPath: AnyKeyPath { \MutableSet<Element>.count }
  fileprivate static var isEmptyPath: AnyKeyPath { \MutableSet<Element>.isEmpty }
}

extension LinkingObjects: QueriedCollection {
  fileprivate static var countPath: AnyKeyPath { \LinkingObjects<Element>.count }
  fileprivate static var isEmptyPath: AnyKeyPath { \LinkingObjects<Element>.isEmpty }
}

extension Array: QueriedCollection {
  fileprivate static var countPath: AnyKeyPath { \[Element].count }
  fileprivate static var isEmptyPath: AnyKeyPath { \[Element].isEmpty }
}

// MARK: Collections

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.SequenceContains: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    .condition(try translator.term(sequence).contains(translator.term(element)))
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    let elements = try translator.term(sequence)
    let condition = try translator.elementCondition(test, variable: variable.key)
    return .condition(
      .compare(try elements.count(where: condition), .greater, .value(.int(0)), []))
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    let elements = try translator.term(sequence)
    let condition = try translator.elementCondition(test, variable: variable.key)
    return .condition(
      .compare(try elements.count(where: .not(condition)), .equal, .value(.int(0)), []))
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Filter: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    let elements = try translator.term(sequence)
    return try elements.filtered(by: translator.elementCondition(filter, variable: variable.key))
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.SequenceMaximum: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    .number(.aggregate(.max, try translator.term(elements).collection().propertyPath(), of: nil))
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.SequenceMinimum: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    .number(.aggregate(.min, try translator.term(elements).collection().propertyPath(), of: nil))
  }
}

extension PredicateTerm {
  /// The elements of the collection that also meet a condition.
  fileprivate func filtered(by condition: PredicateNode) throws(PredicateError) -> PredicateTerm {
    if case .filtered(let path, let other) = self {
      return .filtered(path, .all([other, condition]))
    }
    return .filtered(try collection(), condition)
  }

  /// The number of elements that meet a condition.
  fileprivate func count(where condition: PredicateNode) throws(PredicateError) -> Expression {
    guard case .filtered(let path, let all) = try filtered(by: condition) else {
      throw .noCounterpart(for: "this collection")
    }
    return .count(try path.propertyPath(), where: all)
  }

  /// The condition that a collection, an array or a range contains a value.
  func contains(_ element: PredicateTerm) throws(PredicateError) -> PredicateNode {
    switch self {
    case .range(let lower, let upper, let isClosed):
      return .all([
        try element.compared(.greaterOrEqual, with: .constant(lower)),
        try element.compared(isClosed ? .lessOrEqual : .less, with: .constant(upper)),
      ])
    case .constant(let list as any Sequence):
      var values: [Value] = []
      for member in list { values.append(try Self.value(member)) }
      return .isIn(try element.expression(), values, [])
    case .path(let path) where path.isCollection:
      guard case .constant(let value) = element else {
        throw .noCounterpart(for: "the search for what is not a constant")
      }
      return .compare(
        .path(try path.propertyPath(.any)), .equal, .value(try Self.value(value)), [])
    default: throw .noCounterpart(for: "'contains' of what is not a collection")
    }
  }
}
