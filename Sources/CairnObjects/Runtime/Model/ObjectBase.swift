import CairnValues

/// The common base class of objects and embedded objects. Its properties are stored in the instance
/// until the object is added to a realm, and in the store from then on.
open class ObjectBase {
  /// The row of the object; nil while the object is unmanaged.
  // Read with every property of a managed object, and set before any other code has the object, so
  // the exclusivity check would cost without protecting anything.
  @exclusivity(unchecked) @usableFromInline final var row: Row?

  /// Creates an unmanaged object.
  public required init() {}

  /// Returns the name of the class in the store.
  public final class func className() -> String { ObjectLayout.of(self).className }

  /// Returns the name of the class in the store; nil for that of the Swift class.
  ///
  /// A class that overrides it and that no part of the program has used yet is not found by its name in
  /// a migration.
  open class func _realmObjectName() -> String? { nil }

  /// Returns whether realms whose configuration lists no `objectTypes` have the class.
  open class func shouldIncludeInDefaultSchema() -> Bool { true }

  /// Returns the names in the store of properties that have another name in the program:
  /// `["name": "full_name"]`.
  open class func propertiesMapping() -> [String: String] { [:] }

  /// Returns the properties that are not stored even though they are marked with `@Persisted`.
  open class func ignoredProperties() -> [String] { [] }

  /// Returns whether the object equals another; `==` calls it. By default objects with a primary
  /// key and frozen objects are equal if they are the same row, and any other instance equals only
  /// itself.
  ///
  /// A class that overrides this method must also override `hash`.
  open func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ObjectBase else { return false }
    return self === other || isSameComparedRow(as: other)
  }

  /// The hash value, which equal objects share.
  open var hash: Int { identityHash }

  /// The primary key and the indexes that a class declares in functions instead of with
  /// `@Persisted`.
  class var namedProperties: (primaryKey: String?, indexed: [String]) { (nil, []) }

  /// The name of the class and a line for each property, with nested objects up to five levels
  /// deep. Subclasses may override it.
  open var description: String { ObjectText.text(of: self, depth: ObjectText.depth) }
}

extension ObjectBase {
  /// Returns the object of a row: an instance whose properties read from the store.
  ///
  /// Not a required initializer, so that subclasses are free to declare their own.
  static func managed(_ row: Row) -> Self { ready(row.handle, key: row.key) ?? managedAtFirst(row) }

  /// Returns the object to which a property of another object links.
  static func linked(from object: ObjectBase, _ column: Int) -> Self? {
    let cell = object.cell(column)
    guard !cell.isNull, let handle = object.row?.handle.targetHandle(column) else { return nil }
    let key = Int(truncatingIfNeeded: cell.int)
    guard handle.isLive(key) else { return nil }
    return ready(handle, key: key) ?? instance(at: Row(handle: handle, key: key))
  }

  /// Returns the object of a row whose class has already produced an instance, which is nearly
  /// always the case. Costs a single retain.
  @inline(__always)
  private static func ready(_ handle: ClassHandle, key: Int) -> Self? {
    guard let binders = handle.binders, binders.type == self else { return nil }
    let object = self.init()
    object.row = Row(handle: handle, key: key)
    binders.apply(to: object)
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

  /// Returns the object of a row, for classes of the program and for `DynamicObject`, which has no
  /// schema of its own.
  static func instance(at row: Row) -> Self {
    guard self is DynamicObject.Type else { return managed(row) }
    let object = self.init()
    object.row = row
    return object
  }

  /// Attaches the instance to a row; from now on its properties are those in the store.
  final func attach(to row: Row) {
    self.row = row
    row.handle.binding(of: type(of: self)).manage(self)
  }
}

/// The base class of stored objects. Declare a subclass and mark its stored properties with
/// `@Persisted`.
///
///     class Dog: Object {
///       @Persisted var name = ""
///       @Persisted var age = 0
///     }
open class Object: ObjectBase, RealmCollectionValue {
  /// Returns the name of the primary key; equivalent to `@Persisted(primaryKey: true)`.
  open class func primaryKey() -> String? { nil }

  /// Returns the names of the indexed properties; equivalent to `@Persisted(indexed: true)`.
  open class func indexedProperties() -> [String] { [] }

  override final class var namedProperties: (primaryKey: String?, indexed: [String]) {
    (primaryKey(), indexedProperties())
  }

  /// Returns the object of a row. Only Cairn calls it.
  public class func _object(at row: Row) -> Self { managed(row) }
}

/// An object that belongs to exactly one other object and is deleted with it.
open class EmbeddedObject: ObjectBase, RealmCollectionValue {
  /// Returns the object of a row. Only Cairn calls it.
  public static func _object(at row: Row) -> Self { managed(row) }
}

/// A property that links to an object is optional: `@Persisted var toy: DogToy?`.
///
/// A required link compiles too, so that the first use of the class can report the mistake with the
/// class, the property and the remedy. See `ObjectLayout.mistakes`.
extension ObjectBase: _Persistable, _PersistableInOptional {
  public static var _kind: PropertyKind {
    PropertyKind(
      type: self is EmbeddedObject.Type ? .embedded : .link, target: self)
  }

  /// The type that the store contains.
  /// The stored type: a link to an object.
  public typealias PersistedType = ObjectBase

  /// Written after the row exists, because objects may link to each other in cycles.
  public final var _initial: StoredValue? { nil }

  public static func _valueForNull() -> Self { self.init() }

  public static func _default() -> Self { self.init() }

  public static func _read(_ row: Row, column: Int) -> Self {
    _readOptional(row, column: column) ?? _default()
  }

  public static func _readOptional(_ row: Row, column: Int) -> Self? {
    row.handle.target(column, at: row.key).map { instance(at: $0) }
  }

  public static func _getOptional(_ object: ObjectBase, column: Int) -> Self? {
    linked(from: object, column)
  }

  public final func _write(_ row: Row, column: Int) {
    row.handle.setLink(self, column: column, at: row.key)
  }

  public static func _writeNull(_ row: Row, column: Int) {
    row.handle.setLink(nil, column: column, at: row.key)
  }

  public static func _traceOptional(_ tracer: KeyPathTracer) -> Self? {
    tracer.recordLink(self)
  }
}
