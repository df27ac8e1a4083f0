/// The elements of one key, in the order of the results.
public struct ResultsSection<Key: _Persistable & Hashable, Element: RealmCollectionValue>:
  Identifiable
{
  public typealias SectionElement = Element

  /// What all elements of the section have.
  public let key: Key
  /// The key: what tells sections apart.
  public var id: Key { key }
  let sections: Sections<Key, Element>

  init(_ sections: Sections<Key, Element>, _ key: Key) {
    self.key = key
    self.sections = sections
  }

  /// The realm that the section reads.
  public var realm: Realm? { sections.elements.realm }
  /// Whether no element has the key any more.
  public var isInvalidated: Bool { sections.section(of: key) == nil }

  private var places: [Int] { sections.section(of: key)?.places ?? [] }
}

extension ResultsSection: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { places.count }

  /// The element at a place of the section; a place beyond the last is a programming error.
  public subscript(position: Int) -> Element {
    let places = places
    checkIndex(position, below: places.count)
    return sections.elements[places[position]]
  }
}

extension ResultsSection: Equatable, CustomStringConvertible {
  /// Whether both are the section of the same key of the same sections.
  public static func == (a: ResultsSection, b: ResultsSection) -> Bool {
    a.sections === b.sections && a.key == b.key
  }

  /// The key and the elements, a hundred at most.
  public var description: String {
    let shown = prefix(100).enumerated().map { CollectionText.line("\($0)", $1, ObjectText.depth) }
    return CollectionText.text("ResultsSection<\(key)>", shown, count)
  }
}
