import CairnQuery
import CairnStorage
import CairnValues

/// An expression in a `where` closure: the objects of a class, one of their properties, or a
/// condition.
///
///     realm.objects(Dog.self).where { $0.age < 2 && $0.favoriteToy.name == "Tennis ball" }
///
/// Properties are reached by name, through links, embedded objects and collections to any depth. A
/// condition on a path through a collection matches if any element meets it.
@dynamicMemberLookup
public struct Query<T> {
  let content: QueryContent
  /// The session of the queried realm, which identifies objects of other realms.
  let session: Session?

  init(_ content: QueryContent, in session: Session?) {
    self.content = content
    self.session = session
  }

  /// Creates the expression for the objects of a class.
  init(in session: Session?) {
    self.init(.subject(.path(QueryPath())), in: session)
  }
}

/// The content of a query.
enum QueryContent {
  case subject(QueryExpression)
  case condition(QueryCondition)
}

extension Query {
  /// The queried expression. A condition has none and is a programming error.
  var subject: QueryExpression {
    guard case .subject(let subject) = content else {
      programmingError("A condition can only be combined, negated or counted.")
    }
    return subject
  }

  /// The path to the property. An aggregate has none and is a programming error.
  var path: QueryPath {
    guard case .path(let path) = subject else {
      programmingError("An aggregate can only be compared.")
    }
    return path
  }

  /// Returns the query that extends this query's path.
  func extending<V>(_ change: (inout QueryPath) -> Void) -> Query<V> {
    var path = path
    change(&path)
    return Query<V>(.subject(.path(path)), in: session)
  }

  /// Creates a condition on this query's expression.
  func comparison(_ node: @escaping (Expression) -> PredicateNode) -> Query<Bool> {
    Query<Bool>(.condition(.comparison(subject, node)), in: session)
  }
}

// MARK: Properties

// The constraints name a protocol instead of the class, because the compiler (Swift 6.3) does not
// check a superclass constraint on a chained dynamic member, and would accept `$0.name.utf8` as the
// property of an object.

extension Query where T: _QueryObject {
  /// A property of the objects.
  public subscript<V: _Persistable>(dynamicMember member: KeyPath<T, V>) -> Query<V> {
    step(by: member)
  }
}

extension Query {
  /// A property of the linked object; null if the link is null.
  public subscript<Target: _QueryObject, V: _Persistable>(
    dynamicMember member: KeyPath<Target, V>
  ) -> Query<V> where T == Target? {
    step(by: member)
  }

  /// A property of the elements. A condition matches if any element meets it.
  public subscript<V: _Persistable>(dynamicMember member: KeyPath<T._QueryElement, V>) -> Query<V>
  where T: _QueryCollection, T._QueryElement: _QueryObject {
    step(by: member)
  }

  private func step<Root: _QueryObject, V: _Persistable>(by member: KeyPath<Root, V>) -> Query<V> {
    let name = KeyPathNames.name(of: member)
    return extending { path in
      if path.endsInMapKey {
        programmingError("Cannot apply key path to Map subscripts.")
      }
      path.append(.property(name), isToMany: V._kind.isMany)
    }
  }
}

extension Query where T == Bool {
  /// Combines two conditions; both must match.
  public static func && (a: Query<Bool>, b: Query<Bool>) -> Query<Bool> {
    Query(.condition(.all(a.condition, b.condition)), in: a.session)
  }

  /// Combines two conditions; at least one must match.
  public static func || (a: Query<Bool>, b: Query<Bool>) -> Query<Bool> {
    Query(.condition(.any(a.condition, b.condition)), in: a.session)
  }

  /// Negates a condition. Applied to a property, tests whether it is false.
  public static prefix func ! (query: Query<Bool>) -> Query<Bool> {
    switch query.content {
    case .condition(let condition): Query(.condition(.not(condition)), in: query.session)
    case .subject: query.compared(.equal, value: false)
    }
  }

  /// The number of elements of a collection that meet the condition. All properties in the
  /// condition must belong to the elements.
  ///
  ///     people.where { ($0.dogs.age > 5 && $0.dogs.color == "tan").count >= 2 }
  ///
  /// A nested count applies to the next collection on the path, for example to the toys of each
  /// dog:
  ///
  ///     people.where { (($0.dogs.toys.price > 3).count > 0 && $0.dogs.age > 5).count == 1 }
  public var count: Query<Int> {
    let condition = condition
    let paths = condition.subjects.map(\.path)
    if paths.contains(where: \.passesMapKey) {
      programmingError("Subqueries do not support map subscripts.")
    }
    // The collection is resolved later, because an outer subquery may turn out to have consumed the
    // first one.
    guard let first = paths.first, !first.toManySteps.isEmpty else {
      programmingError("Subqueries must contain a keypath starting with a collection.")
    }
    return Query<Int>(.subject(.matches(first, condition)), in: session)
  }

  /// The condition. For a property, the condition that it is true.
  var condition: QueryCondition {
    switch content {
    case .condition(let condition): condition
    case .subject(let subject):
      .comparison(subject) { .compare($0, .equal, .value(.bool(true)), []) }
    }
  }

  /// The condition as a predicate.
  var predicate: Predicate { Predicate(condition.lowered()) }
}

extension QueryPath {
  /// Returns the number of steps before the first to-many step after the dropped ones.
  func toManyStep(after dropped: Int) -> Int? { toManySteps.first { $0 > dropped } }

  /// Returns whether both paths begin with the same steps, up to a to-many step.
  func begins(with other: QueryPath, to count: Int, after dropped: Int) -> Bool {
    toManyStep(after: dropped) == count && steps.prefix(count) == other.steps.prefix(count)
  }
}
