import CairnQuery

/// A collection and the property that its elements show, whatever the collection is.
class ProjectedBase<Value> {
  var count: Int { 0 }
  var realm: Realm? { nil }
  var isInvalidated: Bool { false }
  /// The columns that lead from an element to what it shows; empty for elements that are not objects.
  var elementPath: [String] { [] }

  func value(at index: Int) -> Value { programmingError("The projection shows nothing.") }
  func setValue(_ value: Value, at index: Int) {}
  func frozen() -> ProjectedBase { self }
  func counterpart(in realm: Realm) -> ProjectedBase? { nil }

  /// A tracker of the elements; with key paths only changes of these count as modifications.
  func tracker(_ keyPaths: [String]?) -> Tracker<RealmCollectionChange<ProjectedCollection<Value>>>
  {
    Tracker()
  }
}

final class ProjectedElements<Base: RealmCollection, Value>: ProjectedBase<Value> {
  private let base: Base
  private let keyPath: KeyPath<Base.Element, Value>

  init(_ base: Base, _ keyPath: KeyPath<Base.Element, Value>) {
    self.base = base
    self.keyPath = keyPath
  }

  override var count: Int { base.count }
  override var realm: Realm? { base.realm }
  override var isInvalidated: Bool { base.isInvalidated }

  override func value(at index: Int) -> Value { base[index][keyPath: keyPath] }

  override func setValue(_ value: Value, at index: Int) {
    guard let writable = keyPath as? ReferenceWritableKeyPath<Base.Element, Value> else {
      programmingError("The projected property is read-only: so is what it shows.")
    }
    base[index][keyPath: writable] = value
  }

  override func frozen() -> ProjectedBase<Value> { ProjectedElements(base.freeze(), keyPath) }

  override func counterpart(in realm: Realm) -> ProjectedBase<Value>? {
    base._counterpart(in: realm).map { ProjectedElements($0, keyPath) }
  }

  override var elementPath: [String] {
    let trail = KeyPathTracer.Trail()
    guard let type = Base.Element.self as? ObjectBase.Type,
      let recorder = KeyPathTracer.recorder(type, trail) as? Base.Element
    else { return [] }
    _ = recorder[keyPath: keyPath]
    return trail.names
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
        ProjectedCollection(ProjectedElements(base, keyPath))
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

/// A tracker whose changes are told in other words.
private final class MappedTracker<Found: ObservedChange, Change: ObservedChange>: Tracker<Change> {
  private let inner: Tracker<Found>
  private let told: (Found) -> Change

  init(_ inner: Tracker<Found>, _ told: @escaping (Found) -> Change) {
    self.inner = inner
    self.told = told
  }

  override var hasBeginning: Bool { inner.hasBeginning }

  override func begin() throws -> Change? {
    defer { isOver = inner.isOver }
    return try inner.begin().map(told)
  }

  override func change(_ step: ObjectChanges) throws -> Change? {
    defer { isOver = inner.isOver }
    return try inner.change(step).map(told)
  }
}
