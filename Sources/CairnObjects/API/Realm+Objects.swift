import CairnStorage
import CairnValues

extension Realm {
  /// The classes of the store, or those that the configuration lists in `objectTypes`.
  public var schema: Schema {
    let listed = checked.configuration.objectTypes?.map { ObjectLayout.of($0).className }
    return Schema(checked, names: listed.map { Set($0) })
  }

  /// All objects of a class, or all of them as a projection.
  public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
    Results(handle: handle(for: type._fetchedClass))
  }

  /// The object with the primary key; nil if no object has it. An optional key may be nil.
  ///
  /// A class without a primary key is a programming error.
  public func object<Element: Object>(
    ofType type: Element.Type, forPrimaryKey key: Any?
  ) -> Element? {
    handle(for: type).row(primaryKey: key as Any).map { type.managed($0) }
  }
}

/// A type whose values `Realm.objects(_:)` fetches: a class of objects, or a projection of one.
public protocol RealmFetchable: RealmCollectionValue {
  /// The name of the class in the store.
  static func className() -> String
  /// The class of the fetched objects.
  static var _fetchedClass: Object.Type { get }
}

extension Object: RealmFetchable {
  public static var _fetchedClass: Object.Type { self }
}

extension Projection: RealmFetchable where Root: Object {
  /// The name of the projected class in the store.
  public static func className() -> String { Root.className() }
  public static var _fetchedClass: Object.Type { Root.self }
}

extension Realm {
  /// All objects of a class; a class that the store does not have is a programming error.
  public func dynamicObjects(_ className: String) -> Results<DynamicObject> {
    Results(handle: handle(named: className))
  }

  /// The object with the primary key; nil if no object has it. An optional key may be nil.
  ///
  /// A class that the store does not have, or that has no primary key, is a programming error.
  public func dynamicObject(ofType className: String, forPrimaryKey key: Any?) -> DynamicObject? {
    let handle = handle(named: className)
    return handle.row(primaryKey: key as Any).map { DynamicObject._object(at: $0) }
  }
}

extension ClassHandle {
  /// The row with the primary key; nil if no row has it, or the value is of another type. A class
  /// without a primary key is a programming error.
  func row(primaryKey any: Any) -> Row? {
    guard let position = table.schema.primaryKey else {
      programmingError("'\(name)' does not have a primary key.")
    }
    guard let value = primaryKey(any, column: table.schema.columns[position]) else { return nil }
    guard let key = table.find(primaryKey: value) else {
      session.trackInsertions(self)
      return nil
    }
    session.trackLife(self, key: key)
    return Row(handle: self, key: key)
  }

  private func primaryKey(_ any: Any, column: ColumnSchema) -> Value? {
    let any = (any as? any _DynamicValue).map { $0._dynamic as Any } ?? any
    guard let any = Bridge.unwrapped(any) else { return column.isOptional ? .null : nil }
    return AnyScalar.value(any, as: column.type)
  }
}

extension Realm {
  /// Creates an object of the named class, for which the program may have no Swift class, and adds
  /// it.
  ///
  /// A class that the store does not have, or a value that does not fit, is a programming error.
  ///
  /// - Parameters:
  ///   - typeName: the name of the class in the store.
  ///   - value: a dictionary by name, an array in the order of the properties, or another object.
  ///   - update: the treatment of an object whose primary key is already in the store.
  @discardableResult
  public func dynamicCreate(
    _ typeName: String, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> DynamicObject {
    let session = writing
    let handle = handle(named: typeName)
    if update != .error, !handle.hasPrimaryKey {
      programmingError("'\(typeName)' does not have a primary key and can not be updated")
    }
    let row = orFatal {
      try session.adopting(update) { try session.create(in: handle, value) }
    }
    return DynamicObject._object(at: row)
  }
}
