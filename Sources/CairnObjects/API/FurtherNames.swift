import CairnQuery
import CairnStorage
import CairnValues

// Names of Realm's API that have a shorter equivalent here. Programs that were written for Realm use
// them.

extension Realm {
  /// Adds an object, as `add(_:update:)` does with the policy `.all` or `.error`.
  @available(*, deprecated, message: "Use add(_:update: .all) or .error")
  public func add(_ object: Object, update: Bool) {
    add(object, update: update ? UpdatePolicy.all : .error)
  }

  /// Adds objects, as `add(_:update:)` does with the policy `.all` or `.error`.
  @available(*, deprecated, message: "Use add(_:update: .all) or .error")
  public func add<S: Sequence>(_ objects: S, update: Bool) where S.Element: Object {
    add(objects, update: update ? UpdatePolicy.all : .error)
  }

  /// Returns an immutable copy of an object, as its own `freeze()` does.
  public func freeze<Element: ObjectBase>(_ object: Element) -> Element { object.freeze() }

  /// Returns an immutable copy of a collection, as its own `freeze()` does.
  public func freeze<Collection: RealmCollection>(_ collection: Collection) -> Collection {
    collection.freeze()
  }

  /// Returns the live counterpart of an object in this realm; nil if it was deleted.
  public func thaw<Element: ObjectBase>(_ object: Element) -> Element? { live(object) }

  /// Returns the live counterpart of a collection in this realm; nil if its object was deleted.
  public func thaw<Collection: RealmCollection>(_ collection: Collection) -> Collection? {
    live(collection)
  }

  private func live<Confined: ThreadConfined>(_ value: Confined) -> Confined? {
    value.isFrozen ? value._counterpart(in: self) : value
  }
}

extension Realm.Error {
  /// Creates an error of a kind, for programs that throw or compare it.
  public init(_ code: Code) {
    self.init(code, description: "A realm failed with the error '\(code)'.")
  }
}

extension ObjectBase {
  /// Returns the schema of the class as the program declares it.
  public final class func sharedSchema() -> ObjectSchema? {
    let layout = ObjectLayout.of(self)
    return ObjectSchema(TableSchema(layout.draft, id: 0), layout: layout)
  }
}

extension RealmCollection {
  /// Returns whether the other value is an equal collection, as `==` does.
  public func isEqual(_ object: Any?) -> Bool {
    (object as? Self).map { $0 == self } ?? false
  }
}

extension RealmProperty: Equatable where Value: Equatable {
  /// Returns whether both properties have the same value.
  public static func == (a: RealmProperty, b: RealmProperty) -> Bool { a.value == b.value }
}

extension RealmOptional: Equatable where Wrapped: Equatable {
  /// Returns whether both properties have the same value.
  public static func == (a: RealmOptional, b: RealmOptional) -> Bool { a.value == b.value }
}

extension Map {
  /// Returns the value of a key; nil without one.
  public func object(forKey key: Key) -> Value? { self[key] }
}

/// Returns the path of stored properties that a key path reads: `"home.city"`.
public func _name<Root: ObjectBase>(for keyPath: PartialKeyPath<Root>) -> String {
  PropertyNames.path(of: keyPath)
}

/// A change of a property of a projection.
public typealias ProjectedPropertyChange = PropertyChange

/// The protocol of collections of a realm.
public typealias RealmCollectionBase = RealmCollection
