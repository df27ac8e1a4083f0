import CairnStorage
import CairnValues

/// A property that holds values or objects in a chosen order: `@Persisted var dogs: List<Dog>`.
///
/// A list of an object in a realm reads and writes the store. Links to deleted objects disappear
/// from it.
public final class List<Element: RealmCollectionValue> {
  /// The row of the object that has the list as a property, and the column; nil for other lists.
  // Exclusivity checks are disabled because both are read with every element. They are set before
  // the list's object can be read from a store.
  @exclusivity(unchecked) @usableFromInline private(set) var row: Row?
  @exclusivity(unchecked) @usableFromInline private(set) var column: Int
  /// The cached reference to the list.
  @usableFromInline var cachedReference: CollectionReference?
  /// The elements of an unmanaged list.
  @usableFromInline var unmanaged: [Element] = []

  /// Creates an empty unmanaged list.
  @inlinable
  public init() {
    row = nil
    column = 0
  }

  init(at reference: CollectionReference) {
    row = nil
    column = 0
    cachedReference = reference
  }

  /// Creates the list of a property of a stored object.
  @usableFromInline
  init(_ row: Row, column: Int) {
    row.handle.session.checkQuickly()
    self.row = row
    self.column = column
    // Several threads read a frozen list, so its cache is filled here and never changed.
    if row.handle.isFrozen { cachedReference = CollectionReference(row, column: column) }
  }

  /// The reference to the list of a stored object; nil for an unmanaged list.
  var reference: CollectionReference? {
    if let cachedReference { return cachedReference }
    guard let row else { return nil }
    let reference = CollectionReference(row, column: column)
    cachedReference = reference
    return reference
  }

  /// Whether the list is unmanaged.
  @inlinable
  var isUnmanaged: Bool { row == nil && cachedReference == nil }
}

extension List {
  /// The number of elements.
  public var count: Int { reference?.elements.count ?? unmanaged.count }

  /// The element at an index; an index out of bounds is a programming error.
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
    guard let elements = reference?.elements else {
      checkIndex(position, below: unmanaged.count)
      return unmanaged[position]
    }
    checkIndex(position, below: elements.count)
    return Element._element(elements, at: position)
  }

  /// Returns an iterator over the present elements.
  public func makeIterator() -> RealmCollectionIterator<Element> {
    reference.map { RealmCollectionIterator($0.settledElements) }
      ?? RealmCollectionIterator(unmanaged)
  }
}

extension List: _StoredCollection {
  public typealias _QueryElement = Element
  public static var _kind: PropertyKind { kind(of: .list) }
  @inlinable
  public static func _default() -> List { List() }
  @inlinable
  public static func _read(_ row: Row, column: Int) -> List { List(row, column: column) }

  /// Returns a list with one recording object, for a key path that leads on through an element.
  public static func _trace(_ tracer: KeyPathTracer) -> List {
    let list = List()
    if let element = tracer.recordElement(Element.self) { list.unmanaged = [element] }
    return list
  }

  public static func _at(_ reference: CollectionReference) -> List { List(at: reference) }
  public var _reference: CollectionReference? { reference }

  public func _bind(at row: Row, _ column: Int) -> Bool {
    guard isUnmanaged else { return false }
    self.row = row
    self.column = column
    unmanaged = []
    return true
  }

  public func _newcomers(among present: StoredElements) -> [(object: ObjectBase, index: Int)] {
    prefix(present.count).enumerated().compactMap { index, element in
      (element as? ObjectBase).flatMap { $0.row == nil ? ($0, index) : nil }
    }
  }

  public func _packed(for owner: CollectionOwner) -> StoredValue {
    ListDraft(map { $0._element(in: owner) }).stored(Element._kind.type)
  }
}

extension Row {
  /// A number of a list of doubles, read directly from the store; nil if the index is out of
  /// bounds, the element is null, or a transaction edits collections.
  @usableFromInline
  func number(_ column: Int, at index: Int) -> Double? {
    guard handle.session.openCollections.isEmpty else { return nil }
    let cell = handle.cell(column, at: key)
    guard !cell.isNull else { return nil }
    let numbers = StoredCollection(cell.bytes, of: .double, isMap: false)
    guard index >= 0, index < numbers.count, !numbers.isNull(at: index) else { return nil }
    return numbers.double(at: index)
  }
}

extension List: _ListOfDoubles where Element == Double {}

extension PropertySource {
  /// Appends the encoded elements of an unmanaged list of doubles to a row; returns false for any
  /// other list.
  func appendDoubles(_ pointer: UnsafeMutableRawPointer, to row: _NewRow) -> Bool {
    guard case .value(let list) = state(pointer, type: List<Double>.self), list.reference == nil
    else { return false }
    StoredCollection.withEncoded(list.unmanaged) { row.writer.append(bytes: $0) }
    return true
  }
}
