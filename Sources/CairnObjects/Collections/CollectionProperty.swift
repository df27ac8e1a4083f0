import CairnStorage
import CairnValues

/// The common behaviour of lists, sets and maps as properties. A row holds all elements of a
/// collection, encoded in one value.
public protocol _StoredCollection: _QueryCollection where _QueryElement: RealmCollectionValue {
  /// Creates an empty unmanaged collection.
  init()
  /// Returns the collection of a stored object.
  static func _at(_ reference: CollectionReference) -> Self
  /// The reference to the collection of a stored object; nil for an unmanaged collection.
  var _reference: CollectionReference? { get }
  /// The unmanaged objects in the collection, with their future positions in a stored collection.
  func _newcomers(among present: StoredElements) -> [(object: ObjectBase, index: Int)]
  /// The encoded elements for a row of the owner.
  func _packed(for owner: CollectionOwner) -> StoredValue
}

extension _StoredCollection {
  public static func _default() -> Self { Self() }

  @inlinable
  public static var _keepsIdentity: Bool { true }

  public var _boundColumn: Int? {
    guard case .property(_, let column)? = _reference?.site else { return nil }
    return column.position
  }

  public static func _read(_ row: Row, column: Int) -> Self {
    row.handle.session.checkQuickly()
    return _at(CollectionReference(row, column: column))
  }

  public func _write(_ row: Row, column: Int) {
    let reference = CollectionReference(row, column: column)
    if let _reference, _reference.isSame(as: reference) { return }
    reference.checkWriting()
    overwriteElements(of: reference)
    var owner = reference.owner
    owner.keepsItsOwn = true
    let packed = _packed(for: owner)
    row.handle.session.openCollections.discard(row, column: row.handle.table.schema.columns[column])
    row.handle.set(packed.value, column: column, at: row.key)
  }

  /// Empty, because elements of a set have no position of their own.
  public func _newcomers(among present: StoredElements) -> [(object: ObjectBase, index: Int)] { [] }

  public var _initial: StoredValue? {
    let kind = _QueryElement._kind
    return kind.target == nil && kind.type != .mixed ? _packed(for: .none) : nil
  }

  /// Under `.modified`: binds unmanaged objects without a primary key to the objects at the same
  /// positions of the stored collection, and writes only the values that differ.
  private func overwriteElements(of reference: CollectionReference) {
    let session = reference.session
    guard session.updatePolicy == .modified, _QueryElement._kind.target != nil else { return }
    let present = reference.elements
    // Read all rows before the first change, which may move the memory that they are read from.
    let pairs = _newcomers(among: present).map { ($0.object, present.row(at: $0.index)) }
    for case (let object, let row?) in pairs { session.overwrite(row, with: object) }
  }

  /// The storage type of a collection of such elements.
  static func kind(of collection: CollectionKind) -> PropertyKind {
    var kind = _QueryElement._kind
    kind.collection = collection
    // A link in a map may be null; lists and sets simply drop it.
    if kind.target != nil { kind.isOptional = collection == .map }
    return kind
  }
}

extension CollectionDraft {
  /// The value that a row stores.
  func stored(_ type: ValueType) -> StoredValue {
    StoredValue(.data(count == 0 ? [] : packed(type)))
  }
}
