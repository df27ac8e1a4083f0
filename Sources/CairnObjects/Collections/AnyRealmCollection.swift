/// Any collection of such elements, whatever its type.
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
  let base: any RealmCollection<Element>

  /// Stands for a collection.
  public init<C: RealmCollection>(_ base: C) where C.Element == Element {
    self.base = (base as? AnyRealmCollection)?.base ?? base
  }

  public var realm: Realm? { base.realm }
  public var isInvalidated: Bool { base.isInvalidated }
  public var _results: Results<Element>? { base._results }

  /// How many elements there are.
  public var count: Int { base.count }
  /// The element at a place; a place beyond the last is a programming error.
  public subscript(position: Int) -> Element { base[position] }
  /// The first element.
  public var first: Element? { base.first }
  /// The last element.
  public var last: Element? { base.last }
  /// The elements of this moment, one after the other, as the collection itself gives them.
  public func makeIterator() -> AnyIterator<Element> {
    func erased<C: RealmCollection<Element>>(_ base: C) -> AnyIterator<Element> {
      AnyIterator(base.makeIterator())
    }
    return erased(base)
  }
  /// What the collection itself shows.
  public var description: String { base.description }

  /// Whether both stand for equal collections of one type.
  public static func == (a: AnyRealmCollection, b: AnyRealmCollection) -> Bool {
    func isEqual<C: RealmCollection>(_ base: C) -> Bool { (b.base as? C) == base }
    return isEqual(a.base)
  }
}
