/// Results in sections, each of which holds the elements of one key.
///
///     let byLetter = realm.objects(Dog.self).sectioned(by: \.firstLetter)
///     for section in byLetter { print(section.key, section.count) }
///
/// Sections are live, as results are.
public struct SectionedResults<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue> {
  let sections: Sections<Key, SectionElement>

  init(_ elements: Results<SectionElement>, _ key: @escaping (SectionElement) -> Key) {
    self.init(Sections(elements, key))
  }

  init(_ sections: Sections<Key, SectionElement>) { self.sections = sections }

  /// The keys of the sections, in their order.
  public var allKeys: [Key] { sections.all.map(\.key) }
  /// The realm that the sections read.
  public var realm: Realm? { sections.elements.realm }
  /// Whether the object was deleted whose collection is divided.
  public var isInvalidated: Bool { sections.elements.isInvalidated }
}

extension SectionedResults: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of sections.
  public var endIndex: Int { sections.all.count }

  /// The section at a place; a place beyond the last is a programming error.
  public subscript(position: Int) -> ResultsSection<Key, SectionElement> {
    let all = sections.all
    checkIndex(position, below: all.count)
    return ResultsSection(sections, all[position].key)
  }
}

extension SectionedResults: Equatable, CustomStringConvertible {
  /// Whether both are the same sections.
  public static func == (a: SectionedResults, b: SectionedResults) -> Bool {
    a.sections === b.sections
  }

  /// The sections with their elements.
  public var description: String {
    let lines = map { "\t" + "\($0)".split(separator: "\n").joined(separator: "\n\t") }
    return
      "SectionedResults<\(Key.self), \(SectionElement.self)> (\n\(lines.joined(separator: ",\n"))\n)"
  }
}
