extension Realm {
  /// All objects of a class.
  public func objects<Element: Object>(_ type: Element.Type) -> Results<Element> {
    Results(handle: handle(for: type))
  }

  /// The object with that primary key; nil when there is none.
  ///
  /// A class without a primary key is a programming error.
  public func object<Element: Object>(
    ofType type: Element.Type, forPrimaryKey key: some Any
  ) -> Element? {
    handle(for: type).row(primaryKey: key).map { Element.managed($0) }
  }

  func handle(for type: ObjectBase.Type) -> ClassHandle {
    let session = checked
    return trapping { try session.handle(for: ObjectLayout.of(type)) }
  }
}
