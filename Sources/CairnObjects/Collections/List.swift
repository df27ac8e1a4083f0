import CairnStorage
import CairnValues

/// A property that holds many values or objects in an order of its own: `@Persisted var dogs: List<Dog>`.
///
/// Of an object in a realm it reads and writes the store; links to objects that are deleted vanish from it.
public final class List<Element: RealmCollectionValue> {
  /// Where the list of a stored object stands; nil while it is in no realm.
  let place: CollectionPlace?
  /// The elements while it is in no realm.
  var loose: [Element] = []

  /// An empty list that is in no realm.
  public init() { place = nil }

  init(at place: CollectionPlace) { self.place = place }
}

extension List {
  /// How many elements there are.
  public var count: Int { place?.elements.count ?? loose.count }

  /// The element at a place; a place beyond the list is a programming error.
  public subscript(position: Int) -> Element {
    get {
      guard let elements = place?.elements else {
        checkIndex(position, below: loose.count)
        return loose[position]
      }
      checkIndex(position, below: elements.count)
      return Element._element(elements, position)
    }
    set { replace(index: position, object: newValue) }
  }

  /// The elements of this moment, one after the other.
  public func makeIterator() -> RealmCollectionIterator<Element> {
    place.map { RealmCollectionIterator($0.settledElements) } ?? RealmCollectionIterator(loose)
  }
}

extension List: _StoredCollection {
  public typealias _QueryElement = Element
  public static var _kind: PropertyKind { kind(of: .list) }
  public static func _at(_ place: CollectionPlace) -> List { List(at: place) }
  public var _place: CollectionPlace? { place }

  public func _packed(for owner: CollectionOwner) -> StoredValue {
    ListDraft(map { $0._element(in: owner) }).stored(Element._kind.type)
  }
}
