/// What objects and embedded objects have in common: properties that live in the instance until the object is
/// added to a realm, and in the store from then on.
open class ObjectBase {
  /// Where the object stands in its store; nil while it is in none.
  // Read with every property of a stored object, and set before anybody else has the object.
  @exclusivity(unchecked) @usableFromInline final var row: Row?

  /// An object that is in no store yet.
  public required init() {}

  /// The name of the class in the store.
  public final class func className() -> String { ObjectLayout.of(self).className }

  /// Names in the store for properties that are called otherwise in the program, by property:
  /// `["name": "full_name"]`.
  open class func propertiesMapping() -> [String: String] { [:] }

  /// Properties that are not stored, `@Persisted` though they may be.
  open class func ignoredProperties() -> [String] { [] }

  /// Whether the object is equal to another: what `==` says. By default each instance is equal to itself; objects
  /// with a primary key, and frozen ones, are equal where they are the same row.
  ///
  /// A class that overrides it overrides `hash` too.
  open func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ObjectBase else { return false }
    return self === other || isSameComparedRow(as: other)
  }

  /// The number that equal objects share.
  open var hash: Int { identityHash }

  /// The primary key and the indexes that a class names by functions instead of by `@Persisted`.
  class var namedProperties: (primaryKey: String?, indexed: [String]) { (nil, []) }

  /// The class, and a line for every property; objects are shown with theirs, five levels deep. Override it for a text of
  /// one's own.
  open var description: String { ObjectText.text(of: self, depth: ObjectText.depth) }
}

extension ObjectBase {
  /// The object of a row: an instance whose properties are read from the store.
  ///
  /// Not a required initialiser, so that subclasses are free to have initialisers of their own.
  static func managed(_ row: Row) -> Self { ready(row.handle, row.key) ?? managedAtFirst(row) }

  /// The object that a property of another leads to.
  static func linked(from object: ObjectBase, _ column: Int) -> Self? {
    let cell = object.cell(column)
    guard !cell.isNull, let handle = object.row?.handle.targetHandle(column) else { return nil }
    let key = Int(truncatingIfNeeded: cell.int)
    guard handle.isLive(key) else { return nil }
    return ready(handle, key) ?? standing(at: Row(handle: handle, key: key))
  }

  /// The object of a row of a class that others were made of before: nearly every one. Counts one reference.
  @inline(__always)
  private static func ready(_ handle: ClassHandle, _ key: Int) -> Self? {
    guard let stamps = handle.stamps, stamps.type == self else { return nil }
    let object = self.init()
    object.row = Row(handle: handle, key: key)
    stamps.apply(to: object)
    return object
  }

  @inline(never)
  private static func managedAtFirst(_ row: Row) -> Self {
    let binding = row.handle.binding(of: self)
    let object =
      binding.layout.hasFreshDefaults ? FreshDefault.without { self.init() } : self.init()
    object.row = row
    binding.manage(object)
    return object
  }

  /// The object of a row, of classes of the program and of `DynamicObject`, which has none of its own.
  static func standing(at row: Row) -> Self {
    guard self is DynamicObject.Type else { return managed(row) }
    let object = self.init()
    object.row = row
    return object
  }

  /// Makes the instance the one of a row: from now on its properties are those in the store.
  final func attach(to row: Row) {
    self.row = row
    row.handle.binding(of: type(of: self)).manage(self)
  }
}

/// An object of a class of one's own: subclass it, and mark what is stored with `@Persisted`.
///
///     class Dog: Object {
///       @Persisted var name = ""
///       @Persisted var age = 0
///     }
open class Object: ObjectBase, RealmCollectionValue {
  /// The property that tells objects apart; `@Persisted(primaryKey: true)` says the same.
  open class func primaryKey() -> String? { nil }

  /// Properties with an index of their values; `@Persisted(indexed: true)` says the same.
  open class func indexedProperties() -> [String] { [] }

  override final class var namedProperties: (primaryKey: String?, indexed: [String]) {
    (primaryKey(), indexedProperties())
  }

  /// The object of a row; Cairn alone calls it.
  public class func _object(at row: Row) -> Self { managed(row) }
}

/// An object that lives inside one other object, and goes with it.
open class EmbeddedObject: ObjectBase, RealmCollectionValue {
  /// The object of a row; Cairn alone calls it.
  public static func _object(at row: Row) -> Self { managed(row) }
}
