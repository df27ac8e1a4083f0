import CairnStorage
import CairnValues

/// The objects of a class that lead to this one through one of their properties:
/// `@Persisted(originProperty: "members") var clubs: LinkingObjects<DogClub>`.
///
/// An inverse property is computed and stores nothing. It contains an object once for each
/// occurrence of this one in that object's property.
public final class LinkingObjects<Element: ObjectBase & RealmCollectionValue> {
  /// The property of the other class that leads to this object.
  public let propertyName: String
  /// The reference to the inverse property; nil for an unmanaged object.
  let reference: InverseReference?

  /// Creates an unmanaged inverse of the named property of a class.
  public init(fromType: Element.Type, property: String) {
    propertyName = property
    reference = nil
  }

  init(at reference: InverseReference) {
    propertyName = reference.property
    self.reference = reference
  }
}

/// An inverse property of a stored object, with the objects that lead to it in the present
/// snapshot.
final class InverseReference {
  let row: Row
  let property: String
  let origin: ClassHandle
  private var cachedKeys: [Int]
  private var version: Int

  init(_ row: Row, property: String, origin: ClassHandle) {
    self.row = row
    self.property = property
    self.origin = origin
    version = row.handle.session.version
    cachedKeys = []
    cachedKeys = find()
  }

  /// The keys of the objects, in ascending order.
  var keys: [Int] {
    row.handle.session.checkQuickly()
    track()
    row.handle.session.packCollections()
    if version != row.handle.session.version {
      version = row.handle.session.version
      cachedKeys = find()
    }
    return cachedKeys
  }

  /// Makes the present tracking depend on the objects.
  func track() { row.handle.session.trackInverse(origin, property: property) }

  /// Whether the object with the inverse property was deleted.
  var isInvalidated: Bool {
    row.handle.session.checkQuickly()
    row.handle.session.trackLife(row.handle, key: row.key)
    return !row.handle.table.isLive(row.key)
  }

  private func find() -> [Int] {
    row.handle.checkLive(row.key)
    row.handle.session.packCollections()
    guard let column = origin.table.schema.column(named: property) else { return [] }
    return origin.table.sources(of: row.key, through: column.position)
  }
}

extension LinkingObjects {
  /// The number of objects.
  public var count: Int { reference?.keys.count ?? 0 }

  /// The object at an index; an index out of bounds is a programming error.
  public subscript(position: Int) -> Element {
    let keys = reference?.keys ?? []
    checkIndex(position, below: keys.count)
    return element(keys[position])
  }

  /// Returns an iterator over the present objects.
  public func makeIterator() -> AnyIterator<Element> {
    var keys = (reference?.keys ?? []).makeIterator()
    return AnyIterator { keys.next().map(self.element) }
  }

  private func element(_ key: Int) -> Element {
    guard let reference else { programmingError("The object is not in a realm.") }
    return Element._object(at: Row(handle: reference.origin, key: key))
  }
}

extension LinkingObjects: _Inverse, _QueryCollection {
  public typealias _QueryElement = Element

  public static var _kind: PropertyKind {
    PropertyKind(type: .link, collection: .list, target: Element.self, isInverse: true)
  }

  public static func _default() -> Self { _inverse(through: "") }

  public static func _inverse(through property: String) -> Self {
    Self(fromType: Element.self, property: property)
  }

  public var _originProperty: String { propertyName }

  /// Reads an inverse property; `column` is its position among the inverse properties of the class.
  public static func _read(_ row: Row, column: Int) -> Self {
    let inverse = row.handle.table.schema.inverses[column]
    let origin: ClassHandle = orFatal {
      try row.handle.session.handle(for: ObjectLayout.of(Element.self))
    }
    return Self(at: InverseReference(row, property: inverse.property, origin: origin))
  }

  /// Ends the program, because an inverse property stores nothing.
  public func _write(_ row: Row, column: Int) {
    programmingError(
      "An inverse property cannot be set; it follows from the objects that lead here.")
  }
}
