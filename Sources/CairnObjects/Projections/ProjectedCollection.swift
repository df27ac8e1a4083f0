/// What the elements of a collection show of themselves, read when it is asked for.
///
///     for name in owner.dogs.projectTo.name { print(name) }
///
/// It is live, as the collection is. An element is set through the collection's object, in a write transaction.
public struct ProjectedCollection<Element>: RandomAccessCollection, CustomStringConvertible {
  let base: ProjectedBase<Element>

  init(_ base: ProjectedBase<Element>) { self.base = base }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { base.count }

  /// The value that the element at an index shows. One that a key path cannot write is a programming error to set.
  public subscript(position: Int) -> Element {
    get { base.value(at: position) }
    nonmutating set { base.setValue(newValue, at: position) }
  }

  /// The elements, a hundred at most.
  public var description: String {
    let shown = prefix(100).map { "\t\($0)" }
    let rest = count > 100 ? ["\t... \(count - 100) elements skipped."] : []
    return "ProjectedCollection<\(Element.self)> (\n\((shown + rest).joined(separator: ",\n"))\n)"
  }
}

extension ProjectedCollection where Element: Equatable {
  /// The first index of a value; nil when no element shows it.
  ///
  /// - Complexity: O(n) in the number of elements.
  public func index(of object: Element) -> Int? { indices.first { self[$0] == object } }
}

extension ProjectedCollection: ThreadConfined {
  /// The realm of the collection; nil for one that is in none.
  public var realm: Realm? { base.realm }
  /// Whether the object that the collection belongs to was deleted.
  public var isInvalidated: Bool { base.isInvalidated }
  /// Whether the collection stays as it is, and any thread may read it.
  public var isFrozen: Bool { base.realm?.isFrozen ?? false }

  /// The collection as it is now, for good: any thread may read it. One in no realm is a programming error.
  public func freeze() -> ProjectedCollection { ProjectedCollection(base.frozen()) }

  /// The live collection for the caller's thread or actor; nil when its object was deleted since. A live one itself.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> ProjectedCollection? {
    guard isFrozen, let realm else { return self }
    return _counterpart(in: realm.thaw(_isolation: _isolation))
  }

  public func _forAnyThread() -> ProjectedCollection { freeze() }

  public func _counterpart(in realm: Realm) -> ProjectedCollection? {
    base.counterpart(in: realm).map { ProjectedCollection($0) }
  }
}

/// A projected collection, whatever its elements show.
protocol AnyProjectedCollection {
  /// The columns that lead from an element to what it shows.
  var elementPath: [String] { get }
}

extension ProjectedCollection: AnyProjectedCollection {
  var elementPath: [String] { base.elementPath }
}

/// Takes the property that a collection is projected to: `friends.projectTo.name`.
@dynamicMemberLookup
public struct ElementMapper<Base: RealmCollection> {
  let base: Base

  /// The property of every element.
  public subscript<Value>(
    dynamicMember keyPath: KeyPath<Base.Element, Value>
  ) -> ProjectedCollection<Value> {
    ProjectedCollection(ProjectedElements(base, keyPath))
  }
}
