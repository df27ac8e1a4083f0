import CairnQuery
import CairnStorage

/// What a `where` closure asks about: the objects of a class, a property of theirs, or a condition.
///
///     realm.objects(Dog.self).where { $0.age < 2 && $0.favoriteToy.name == "Tennis ball" }
///
/// Properties are reached by their names, through links, embedded objects and collections to any depth; a way
/// through a collection asks whether any of its elements fits.
@dynamicMemberLookup
public struct Query<T> {
  let form: QueryForm
  /// The realm that is asked, so that objects of another one are noticed.
  let session: Session?

  init(_ form: QueryForm, in session: Session?) {
    self.form = form
    self.session = session
  }

  /// The objects of a class themselves.
  init(in session: Session?) {
    self.init(.subject(.path(QueryPath())), in: session)
  }
}

/// What a query stands for.
enum QueryForm {
  case subject(QuerySubject)
  case condition(QueryCondition)
}

extension Query {
  /// What the query speaks of; a condition is no such thing.
  var subject: QuerySubject {
    guard case .subject(let subject) = form else {
      programmingError("A condition can only be joined to others, negated or counted.")
    }
    return subject
  }

  /// The way to the property; numbers made of collections have none.
  var path: QueryPath {
    guard case .path(let path) = subject else {
      programmingError("A number made of a collection can only be compared.")
    }
    return path
  }

  /// The query that goes on from this one's path.
  func going<V>(_ change: (inout QueryPath) -> Void) -> Query<V> {
    var path = path
    change(&path)
    return Query<V>(.subject(.path(path)), in: session)
  }

  /// A condition on this query's subject.
  func leaf(_ node: @escaping (Subject) -> Node) -> Query<Bool> {
    Query<Bool>(.condition(.leaf(subject, node)), in: session)
  }
}

// MARK: Properties

// The constraints name a protocol, not the class: the compiler (Swift 6.3) does not check a superclass on a chained dynamic
// member, and would take `$0.name.utf8` for the property of an object.

extension Query where T: _QueryObject {
  /// A property of the objects.
  public subscript<V: _Persistable>(dynamicMember member: KeyPath<T, V>) -> Query<V> {
    step(by: member)
  }
}

extension Query {
  /// A property of the object that a link leads to; of a null link it is null.
  public subscript<Target: _QueryObject, V: _Persistable>(
    dynamicMember member: KeyPath<Target, V>
  ) -> Query<V> where T == Target? {
    step(by: member)
  }

  /// A property of the elements, of which any may fit.
  public subscript<V: _Persistable>(dynamicMember member: KeyPath<T._QueryElement, V>) -> Query<V>
  where T: _QueryCollection, T._QueryElement: _QueryObject {
    step(by: member)
  }

  private func step<Root: _QueryObject, V: _Persistable>(by member: KeyPath<Root, V>) -> Query<V> {
    let name = KeyPathNames.name(of: member)
    return going { path in
      if path.endsInMapKey {
        programmingError("Cannot apply key path to Map subscripts.")
      }
      path.append(.property(name), isFork: V._kind.isMany)
    }
  }
}
