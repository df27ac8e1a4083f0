import CairnQuery
import CairnStorage

extension Results {
  /// Those objects that also meet a condition, asked by the names of the projection.
  public func `where`<Root: Object>(
    _ isIncluded: (Query<Element>) -> Query<Bool>
  ) -> Results where Element: Projection<Root> {
    meeting(isIncluded(Query(in: handle.session)).predicate)
  }
}

extension Query {
  /// What a property of the projection shows.
  public subscript<V: _Persistable>(
    dynamicMember member: KeyPath<T, V>
  ) -> Query<V> where T: ProjectionObservable {
    let names = KeyPathNames.stored(member, in: T.self) { trail in
      T(projecting: KeyPathTracer.recorder(T.Root.self, trail))
    }
    return going { $0.follow(names, from: ObjectLayout.of(T.Root.self)) }
  }
}

extension QueryPath {
  /// Goes on along properties, the first of which is one of the class.
  mutating func follow(_ names: [String], from layout: ObjectLayout) {
    var layout: ObjectLayout? = layout
    for name in names {
      let property = layout?.property(named: name)
      append(.property(name), isFork: property.map { $0.kind.isMany } ?? false)
      layout = property?.kind.target.map(ObjectLayout.of)
    }
  }
}

extension PropertyKind {
  /// Whether the property holds many.
  var isMany: Bool { collection != .none || isInverse }
}
