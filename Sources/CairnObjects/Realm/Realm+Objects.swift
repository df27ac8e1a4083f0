extension Realm {
  /// All objects of a class, or all of them shown by a projection.
  public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
    Results(handle: handle(for: type._fetchedClass))
  }

  /// The object with that primary key; nil when there is none.
  ///
  /// A class without a primary key is a programming error.
  public func object<Element: Object>(
    ofType type: Element.Type, forPrimaryKey key: some Any
  ) -> Element? {
    handle(for: type).row(primaryKey: key).map { type.managed($0) }
  }

  func handle(for type: ObjectBase.Type) -> ClassHandle {
    let session = checked
    return trapping { try session.handle(for: ObjectLayout.of(type)) }
  }
}
