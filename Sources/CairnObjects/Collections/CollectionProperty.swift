import CairnStorage
import CairnValues

/// What lists, sets and maps have in common as properties: a row holds all elements, packed.
public protocol _StoredCollection: _QueryCollection where _QueryElement: RealmCollectionValue {
  /// An empty collection that is in no realm.
  init()
  /// The collection of a stored object.
  static func _at(_ place: CollectionPlace) -> Self
  /// Where the collection of a stored object stands; nil while it is in no realm.
  var _place: CollectionPlace? { get }
  /// The objects in it that are in no store, with the places that they are to take in a stored collection.
  func _newcomers(among present: StoredElements) -> [(object: ObjectBase, place: Int)]
  /// The elements as a row of that owner holds them.
  func _packed(for owner: CollectionOwner) -> StoredValue
}

extension _StoredCollection {
  public static func _default() -> Self { Self() }

  @inlinable
  public static var _keepsIdentity: Bool { true }

  public var _settledColumn: Int? {
    guard case .property(_, let column)? = _place?.site else { return nil }
    return column.position
  }

  public static func _read(_ row: Row, _ column: Int) -> Self {
    row.handle.checkLive(row.key)
    return _at(CollectionPlace(row, column))
  }

  public func _write(_ row: Row, _ column: Int) {
    let place = CollectionPlace(row, column)
    if let _place, _place.isSame(as: place) { return }
    place.checkWriting()
    overwriteElements(of: place)
    var owner = place.owner
    owner.keepsItsOwn = true
    let packed = _packed(for: owner)
    row.handle.session.openCollections.forget(row, row.handle.table.schema.columns[column])
    row.handle.set(packed.value, column, at: row.key)
  }

  /// None: elements of a set have no place of their own.
  public func _newcomers(among present: StoredElements) -> [(object: ObjectBase, place: Int)] { [] }

  public var _initial: StoredValue? {
    let kind = _QueryElement._kind
    return kind.target == nil && kind.type != .mixed ? _packed(for: .none) : nil
  }

  /// Under `.modified`: lets objects without a primary key, which are in no store yet, become those that stand in their
  /// places; those are written only where they differ.
  private func overwriteElements(of place: CollectionPlace) {
    let session = place.session
    guard session.updatePolicy == .modified, _QueryElement._kind.target != nil else { return }
    let present = place.elements
    // All rows before the first change, which may move the memory that they are read from.
    let pairs = _newcomers(among: present).map { ($0.object, present.row(at: $0.place)) }
    for case (let object, let row?) in pairs { session.overwrite(row, with: object) }
  }

  /// How a collection of such elements is stored.
  static func kind(of collection: CollectionKind) -> PropertyKind {
    var kind = _QueryElement._kind
    kind.collection = collection
    // A link in a map may be null; one in a list or a set is there or not.
    if kind.target != nil { kind.isOptional = collection == .map }
    return kind
  }
}

extension CollectionDraft {
  /// What a row holds.
  func stored(_ type: ValueType) -> StoredValue {
    StoredValue(.data(count == 0 ? [] : packed(type)))
  }
}
