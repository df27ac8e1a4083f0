extension Realm {
  /// All objects of a class, or all of them shown by a projection.
  public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
    Results(handle: handle(for: type._fetchedClass))
  }

  /// The object with that primary key, nil where there is no such object. An optional key may be nil.
  ///
  /// A class without a primary key is a programming error.
  public func object<Element: Object>(
    ofType type: Element.Type, forPrimaryKey key: Any?
  ) -> Element? {
    handle(for: type).row(primaryKey: key as Any).map { type.managed($0) }
  }

  func handle(for type: ObjectBase.Type) -> ClassHandle {
    let session = checked
    return trapping { try session.handle(for: ObjectLayout.of(type)) }
  }
}
