import CairnStorage
import CairnValues

/// A property that holds many values or objects in an order of its own: `@Persisted var dogs: List<Dog>`.
///
/// Of an object in a realm it reads and writes the store; links to objects that are deleted vanish from it.
public final class List<Element: RealmCollectionValue> {
  /// The row of the object whose property it is, and the column; nil for other lists.
  // Read with every element, and set before the object that it is of can be read from a store.
  @exclusivity(unchecked) @usableFromInline private(set) var row: Row?
  @exclusivity(unchecked) @usableFromInline private(set) var column: Int
  /// Where the list stands, once somebody has asked for that.
  @usableFromInline var knownPlace: CollectionPlace?
  /// The elements while it is in no realm.
  @usableFromInline var loose: [Element] = []

  /// An empty list that is in no realm.
  @inlinable
  public init() {
    row = nil
    column = 0
  }

  init(at place: CollectionPlace) {
    row = nil
    column = 0
    knownPlace = place
  }

  /// The list that a property of a stored object is.
  @usableFromInline
  init(_ row: Row, _ column: Int) {
    row.handle.checkLive(row.key)
    self.row = row
    self.column = column
    // What is frozen is read by several threads, and not changed then.
    if row.handle.isFrozen { knownPlace = CollectionPlace(row, column) }
  }

  /// Where the list of a stored object stands; nil while it is in no realm.
  var place: CollectionPlace? {
    if let knownPlace { return knownPlace }
    guard let row else { return nil }
    let place = CollectionPlace(row, column)
    knownPlace = place
    return place
  }

  /// Whether it is in no realm.
  @inlinable
  var isLoose: Bool { row == nil && knownPlace == nil }
}

extension List {
  /// How many elements there are.
  public var count: Int { place?.elements.count ?? loose.count }

  /// The element at a place; a place beyond the list is a programming error.
  public subscript(position: Int) -> Element {
    @inlinable
    get {
      if Element.self == Double.self, let number = row?.number(column, at: position) {
        return unsafeBitCast(number, to: Element.self)
      }
      return element(at: position)
    }
    set { replace(index: position, object: newValue) }
  }

  @usableFromInline
  func element(at position: Int) -> Element {
    guard let elements = place?.elements else {
      checkIndex(position, below: loose.count)
      return loose[position]
    }
    checkIndex(position, below: elements.count)
    return Element._element(elements, position)
  }

  /// The elements of this moment, one after the other.
  public func makeIterator() -> RealmCollectionIterator<Element> {
    place.map { RealmCollectionIterator($0.settledElements) } ?? RealmCollectionIterator(loose)
  }
}

extension List: _StoredCollection {
  public typealias _QueryElement = Element
  public static var _kind: PropertyKind { kind(of: .list) }
  @inlinable
  public static func _default() -> List { List() }
  @inlinable
  public static func _read(_ row: Row, _ column: Int) -> List { List(row, column) }
  public static func _at(_ place: CollectionPlace) -> List { List(at: place) }
  public var _place: CollectionPlace? { place }

  public func _settle(at row: Row, _ column: Int) -> Bool {
    guard isLoose else { return false }
    self.row = row
    self.column = column
    loose = []
    return true
  }

  public func _newcomers(among present: StoredElements) -> [(object: ObjectBase, place: Int)] {
    prefix(present.count).enumerated().compactMap { place, element in
      (element as? ObjectBase).flatMap { $0.row == nil ? ($0, place) : nil }
    }
  }

  public func _packed(for owner: CollectionOwner) -> StoredValue {
    ListDraft(map { $0._element(in: owner) }).stored(Element._kind.type)
  }
}

extension Row {
  /// A number of a list of doubles, where it stands; nil where the list has none there, and while a transaction edits
  /// collections.
  @usableFromInline
  func number(_ column: Int, at place: Int) -> Double? {
    guard handle.session.openCollections.isEmpty else { return nil }
    let cell = handle.cell(column, at: key)
    guard !cell.isNull else { return nil }
    let numbers = StoredCollection(cell.bytes, of: .double, isMap: false)
    guard place >= 0, place < numbers.count, !numbers.isNull(at: place) else { return nil }
    return numbers.double(at: place)
  }
}
