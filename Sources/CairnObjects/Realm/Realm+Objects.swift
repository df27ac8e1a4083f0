import CairnStorage
import CairnValues

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
    let handle = handle(for: type)
    guard handle.table.schema.primaryKey != nil else {
      programmingError("'\(handle.name)' does not have a primary key.")
    }
    guard let value = Bridge.value(key), let found = handle.table.find(primaryKey: value) else {
      return nil
    }
    return Element.managed(Row(handle: handle, key: found))
  }

  private func handle(for type: ObjectBase.Type) -> ClassHandle {
    trapping { try session.handle(for: ObjectLayout.of(type)) }
  }
}
