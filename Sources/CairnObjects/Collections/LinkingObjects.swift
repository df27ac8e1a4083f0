import CairnStorage
import CairnValues

/// The objects of a class that lead to this one through a property of theirs:
/// `@Persisted(originProperty: "members") var clubs: LinkingObjects<DogClub>`.
///
/// Nothing is stored for it. An object is in it once for each time its property holds this one.
public final class LinkingObjects<Element: ObjectBase & RealmCollectionValue> {
  /// The property of the other class that leads here.
  public let propertyName: String
  /// The object that is led to; nil while it is in no realm.
  let place: InversePlace?

  /// The objects of a class whose property of that name leads here.
  public init(fromType: Element.Type, property: String) {
    propertyName = property
    place = nil
  }

  init(at place: InversePlace) {
    propertyName = place.property
    self.place = place
  }
}

/// An inverse property of a stored object, and the objects that lead to it in the present state.
final class InversePlace {
  let row: Row
  let property: String
  let origin: ClassHandle
  private var known: [Int]
  private var version: Int

  init(_ row: Row, property: String, origin: ClassHandle) {
    self.row = row
    self.property = property
    self.origin = origin
    version = row.handle.session.version
    known = []
    known = find()
  }

  /// The keys of the objects, rising.
  var keys: [Int] {
    row.handle.session.checkQuickly()
    row.handle.session.packCollections()
    if version != row.handle.session.version {
      version = row.handle.session.version
      known = find()
    }
    return known
  }

  /// Whether the object that they lead to was deleted.
  var isInvalidated: Bool {
    row.handle.session.checkQuickly()
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
  /// How many objects there are.
  public var count: Int { place?.keys.count ?? 0 }

  /// The object at a place; a place beyond the last is a programming error.
  public subscript(position: Int) -> Element {
    let keys = place?.keys ?? []
    checkIndex(position, below: keys.count)
    return element(keys[position])
  }

  /// The objects of this moment, one after the other.
  public func makeIterator() -> AnyIterator<Element> {
    var keys = (place?.keys ?? []).makeIterator()
    return AnyIterator { keys.next().map(self.element) }
  }

  private func element(_ key: Int) -> Element {
    guard let place else { programmingError("The object is in no realm.") }
    return Element._object(at: Row(handle: place.origin, key: key))
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

  /// The column is the position among the inverse properties of the class.
  public static func _read(_ row: Row, _ column: Int) -> Self {
    let inverse = row.handle.table.schema.inverses[column]
    let origin: ClassHandle = trapping {
      try row.handle.session.handle(for: ObjectLayout.of(Element.self))
    }
    return Self(at: InversePlace(row, property: inverse.property, origin: origin))
  }

  /// Nothing is stored for it.
  public func _write(_ row: Row, _ column: Int) {
    programmingError(
      "An inverse property cannot be set; it follows from the objects that lead here.")
  }
}
