import CairnQuery
import CairnSystem
import Dispatch

/// The values of one property of a collection's elements, read on access.
///
///     for name in owner.dogs.projectTo.name { print(name) }
///
/// The collection is live. Setting an element writes to the underlying object, which requires a
/// write transaction.
public struct ProjectedCollection<Element>: RandomAccessCollection, CustomStringConvertible {
  let base: ProjectedBase<Element>

  init(_ base: ProjectedBase<Element>) { self.base = base }

  /// The first index, which is always 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { base.count }

  /// The value that the element at an index projects. Setting it is a programming error if the key
  /// path is read only.
  public subscript(position: Int) -> Element {
    get { base.value(at: position) }
    nonmutating set { base.setValue(newValue, at: position) }
  }

  /// The first hundred elements.
  public var description: String {
    let shown = prefix(100).map { "\t\($0)" }
    let rest = count > 100 ? ["\t... \(count - 100) elements skipped."] : []
    return "ProjectedCollection<\(Element.self)> (\n\((shown + rest).joined(separator: ",\n"))\n)"
  }
}

extension ProjectedCollection where Element: Equatable {
  /// Returns the first index of a value, or nil if no element projects it.
  ///
  /// - Complexity: O(n) in the number of elements.
  public func index(of object: Element) -> Int? { indices.first { self[$0] == object } }
}

extension ProjectedCollection: ThreadConfined {
  /// The realm of the collection, or nil if the collection is unmanaged.
  public var realm: Realm? { base.realm }
  /// Whether the object that owns the collection was deleted.
  public var isInvalidated: Bool { base.isInvalidated }
  /// Whether the collection is immutable, so that any thread may read it.
  public var isFrozen: Bool { base.realm?.isFrozen ?? false }

  /// Returns an immutable copy of the collection, which any thread may read. Freezing an unmanaged
  /// collection is a programming error.
  public func freeze() -> ProjectedCollection { ProjectedCollection(base.frozen()) }

  /// Returns the live collection for the caller's thread or actor, or nil if its object was deleted
  /// since. A live collection returns itself.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> ProjectedCollection? {
    guard isFrozen, let realm else { return self }
    return _counterpart(in: realm.thaw(_isolation: _isolation))
  }

  public func _forAnyThread() -> ProjectedCollection { freeze() }

  public func _counterpart(in realm: Realm) -> ProjectedCollection? {
    base.counterpart(in: realm).map { ProjectedCollection($0) }
  }
}

extension ProjectedCollection: AnyProjectedCollection {
  var elementPath: [String] { base.elementPath }
}

/// Selects the property to which the elements of a collection are projected:
/// `friends.projectTo.name`.
@dynamicMemberLookup
public struct ElementMapper<Base: RealmCollection> {
  let base: Base

  /// The property of every element.
  public subscript<Value>(
    dynamicMember keyPath: KeyPath<Base.Element, Value>
  ) -> ProjectedCollection<Value> {
    ProjectedCollection(ProjectedElements(base, keyPath: keyPath))
  }
}

/// A collection and the property to which its elements are projected, with the collection's type
/// erased.
class ProjectedBase<Value> {
  var count: Int { requireOverride() }
  var realm: Realm? { requireOverride() }
  var isInvalidated: Bool { requireOverride() }
  /// The columns on the path from an element to the projected value; empty for elements that are
  /// not objects.
  var elementPath: [String] { requireOverride() }

  func value(at index: Int) -> Value { requireOverride() }
  func setValue(_ value: Value, at index: Int) { requireOverride() }
  func frozen() -> ProjectedBase { requireOverride() }
  func counterpart(in realm: Realm) -> ProjectedBase? { requireOverride() }

  /// Returns a tracker of the elements. With key paths, only changes of those properties count as
  /// modifications.
  func tracker(_ keyPaths: [String]?) -> Tracker<RealmCollectionChange<ProjectedCollection<Value>>>
  {
    requireOverride()
  }
}

final class ProjectedElements<Base: RealmCollection, Value>: ProjectedBase<Value> {
  private let base: Base
  private let keyPath: KeyPath<Base.Element, Value>

  init(_ base: Base, keyPath: KeyPath<Base.Element, Value>) {
    self.base = base
    self.keyPath = keyPath
  }

  override var count: Int { base.count }
  override var realm: Realm? { base.realm }
  override var isInvalidated: Bool { base.isInvalidated }

  override func value(at index: Int) -> Value { base[index][keyPath: keyPath] }

  override func setValue(_ value: Value, at index: Int) {
    guard let writable = keyPath as? ReferenceWritableKeyPath<Base.Element, Value> else {
      programmingError("The projected property is read-only, because its source is.")
    }
    base[index][keyPath: writable] = value
  }

  override func frozen() -> ProjectedBase<Value> {
    ProjectedElements(base.freeze(), keyPath: keyPath)
  }

  override func counterpart(in realm: Realm) -> ProjectedBase<Value>? {
    base._counterpart(in: realm).map { ProjectedElements($0, keyPath: keyPath) }
  }

  override var elementPath: [String] {
    let trace = KeyPathTracer.Trace()
    guard let type = Base.Element.self as? ObjectBase.Type,
      let recorder = KeyPathTracer.recorder(type, trace: trace) as? Base.Element
    else { return [] }
    _ = recorder[keyPath: keyPath]
    return trace.names
  }

  override func tracker(
    _ keyPaths: [String]?
  ) -> Tracker<RealmCollectionChange<ProjectedCollection<Value>>> {
    let path = elementPath.joined(separator: ".")
    let shown = path.isEmpty ? nil : [path]
    let keyPaths = keyPaths?.isEmpty == false ? keyPaths : shown
    let keyPath = keyPath
    return MappedTracker(base.tracker(keyPaths)) { change in
      func projected(_ base: Base) -> ProjectedCollection<Value> {
        ProjectedCollection(ProjectedElements(base, keyPath: keyPath))
      }
      return switch change {
      case .initial(let base): .initial(projected(base))
      case .update(let base, let deletions, let insertions, let modifications):
        .update(
          projected(base), deletions: deletions, insertions: insertions,
          modifications: modifications)
      case .error(let error): .error(error)
      }
    }
  }
}

/// A tracker that converts the changes of another tracker.
private final class MappedTracker<Found: ObservedChange, Change: ObservedChange>: Tracker<Change> {
  private let inner: Tracker<Found>
  private let transform: (Found) -> Change

  init(_ inner: Tracker<Found>, transform: @escaping (Found) -> Change) {
    self.inner = inner
    self.transform = transform
  }

  override var hasBeginning: Bool { inner.hasBeginning }

  override func begin() throws -> Change? {
    defer { isOver = inner.isOver }
    return try inner.begin().map(transform)
  }

  override func change(_ step: ObjectChanges) throws -> Change? {
    defer { isOver = inner.isOver }
    return try inner.change(step).map(transform)
  }
}

extension List {
  /// A mapper that projects the elements to one of their properties: `friends.projectTo.name`.
  public var projectTo: ElementMapper<List> { ElementMapper(base: self) }
}

extension MutableSet {
  /// A mapper that projects the elements to one of their properties: `friends.projectTo.name`.
  public var projectTo: ElementMapper<MutableSet> { ElementMapper(base: self) }
}

extension ProjectedCollection {
  /// Calls the block with the collection's present content, and then with each change.
  ///
  /// An element counts as modified when its projected value changes. The block is called at the
  /// same times as those of other collections.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties of the underlying objects whose changes count as modifications
  ///     instead; nil or empty for the projected property.
  ///   - queue: a serial queue to call the block on, with the collection in a realm of that queue;
  ///     nil for the realm of the collection.
  /// - Returns: a token. The block is called as long as the token is held.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<ProjectedCollection>) -> Void
  ) -> NotificationToken {
    subscribe(on: queue, { $0.base.tracker(keyPaths) }, block: block)
  }

  /// Calls the block on an actor with the collection's present content, and then with each change.
  ///
  /// - Returns: a token. The block is called as long as the token is held.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, RealmCollectionChange<ProjectedCollection>) -> Void
  ) async -> NotificationToken {
    await subscribe(
      on: actor, _isolation: _isolation, { $0.base.tracker(keyPaths) }, as: { $0 }, block: block)
  }
}
