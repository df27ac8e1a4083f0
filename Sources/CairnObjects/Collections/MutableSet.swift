import CairnStorage
import CairnValues

/// A property that holds values or objects, each once: `@Persisted var cities: MutableSet<String>`.
///
/// In a realm its elements stand in the order of their values, elsewhere in any.
public final class MutableSet<Element: RealmCollectionValue> {
  /// Where the set of a stored object stands; nil while it is in no realm.
  private(set) var place: CollectionPlace?
  /// The elements while it is in no realm.
  var loose = KeyedEntries<Element, Void>(by: nil)

  /// An empty set that is in no realm.
  public init() { place = nil }

  init(at place: CollectionPlace) { self.place = place }
}

extension MutableSet {
  /// How many elements there are.
  public var count: Int { place?.elements.count ?? loose.count }

  /// The element at a place; a place beyond the set is a programming error.
  public subscript(position: Int) -> Element {
    guard let elements = place?.elements else {
      checkIndex(position, below: loose.count)
      return loose.keys[position]
    }
    checkIndex(position, below: elements.count)
    return Element._element(elements, position)
  }

  /// The elements of this moment, one after the other.
  public func makeIterator() -> RealmCollectionIterator<Element> {
    place.map { RealmCollectionIterator($0.settledElements) } ?? RealmCollectionIterator(loose.keys)
  }
}

extension MutableSet: _StoredCollection {
  public typealias _QueryElement = Element
  public static var _kind: PropertyKind { kind(of: .set) }
  public static func _at(_ place: CollectionPlace) -> MutableSet { MutableSet(at: place) }
  public var _place: CollectionPlace? { place }

  public func _settle(at row: Row, _ column: Int) -> Bool {
    guard place == nil else { return false }
    place = CollectionPlace(row, column)
    loose.removeAll()
    return true
  }

  public func _packed(for owner: CollectionOwner) -> StoredValue {
    SetDraft(map { $0._element(in: owner) }).stored(Element._kind.type)
  }
}
