/// A type whose values `Realm.objects(_:)` fetches: a class of objects, or a projection of one.
public protocol RealmFetchable: RealmCollectionValue {
  /// The name of the class in the store.
  static func className() -> String
  /// The class that the objects are of.
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
