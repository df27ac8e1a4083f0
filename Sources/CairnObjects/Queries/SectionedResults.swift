import CairnStorage
import CairnSystem

/// Results divided into sections; each section holds the elements with one key.
///
///     let byLetter = realm.objects(Dog.self).sectioned(by: \.firstLetter)
///     for section in byLetter { print(section.key, section.count) }
///
/// Sections are live, as results are.
public struct SectionedResults<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue> {
  let sections: Sections<Key, SectionElement>

  init(_ elements: Results<SectionElement>, key: @escaping (SectionElement) -> Key) {
    self.init(Sections(elements, key: key))
  }

  init(_ sections: Sections<Key, SectionElement>) { self.sections = sections }

  /// The keys of the sections, in order.
  public var allKeys: [Key] { sections.all.map(\.key) }
  /// The realm of the sections.
  public var realm: Realm? { sections.elements.realm }
  /// Whether the sections divide a collection of an object that was deleted.
  public var isInvalidated: Bool { sections.elements.isInvalidated }
}

extension SectionedResults: RandomAccessCollection {
  /// The first index, which is always 0.
  public var startIndex: Int { 0 }
  /// The number of sections.
  public var endIndex: Int { sections.all.count }

  /// The section at an index. An index out of bounds is a programming error.
  public subscript(position: Int) -> ResultsSection<Key, SectionElement> {
    let all = sections.all
    checkIndex(position, below: all.count)
    return ResultsSection(sections, key: all[position].key)
  }
}

extension SectionedResults: Equatable, CustomStringConvertible {
  /// Returns whether both are the same instance of sectioned results.
  public static func == (a: SectionedResults, b: SectionedResults) -> Bool {
    a.sections === b.sections
  }

  /// The sections with their elements.
  public var description: String {
    let lines = map { "\t" + "\($0)".split(separator: "\n").joined(separator: "\n\t") }
    return "SectionedResults<\(Key.self), \(SectionElement.self)> "
      + "(\n\(lines.joined(separator: ",\n"))\n)"
  }
}

/// The elements with one key, in the order of the results.
public struct ResultsSection<Key: _Persistable & Hashable, Element: RealmCollectionValue>:
  Identifiable
{
  /// The type of the elements.
  public typealias SectionElement = Element

  /// The key that all elements of the section share.
  public let key: Key
  /// The key, which identifies the section.
  public var id: Key { key }
  let sections: Sections<Key, Element>

  init(_ sections: Sections<Key, Element>, key: Key) {
    self.key = key
    self.sections = sections
  }

  /// The realm of the section.
  public var realm: Realm? { sections.elements.realm }
  /// Whether no element has the key any longer.
  public var isInvalidated: Bool { sections.section(of: key) == nil }

  private var indexes: [Int] { sections.section(of: key)?.indexes ?? [] }
}

extension ResultsSection: RandomAccessCollection {
  /// The first index, which is always 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { indexes.count }

  /// The element at an index of the section. An index out of bounds is a programming error.
  public subscript(position: Int) -> Element {
    let indexes = indexes
    checkIndex(position, below: indexes.count)
    return sections.elements[indexes[position]]
  }
}

extension ResultsSection: Equatable, CustomStringConvertible {
  /// Returns whether both are the section for the same key of the same sectioned results.
  public static func == (a: ResultsSection, b: ResultsSection) -> Bool {
    a.sections === b.sections && a.key == b.key
  }

  /// The key and the first hundred elements.
  public var description: String {
    let shown = prefix(100).enumerated().map {
      CollectionText.line("\($0)", element: $1, depth: ObjectText.depth)
    }
    return CollectionText.text("ResultsSection<\(key)>", shown: shown, count: count)
  }
}

/// The division of elements into sections, computed for the current snapshot on demand.
///
/// The elements are already sorted. A section takes the position of its first element and also
/// contains later elements with the same key.
final class Sections<Key: _Persistable & Hashable, Element: RealmCollectionValue> {
  /// The indexes of the elements with one key.
  struct Section {
    let key: Key
    var indexes: [Int]
  }

  let elements: Results<Element>
  private let key: (Element) -> Key
  private var cachedSections: [Section] = []
  private var sectionOfKey: [Key: Int] = [:]
  private var version = -1
  /// The parts of classes that the present division has read; nil if it was not tracked.
  private var readParts: Set<TrackedSites.ClassPart>?
  /// Held while the sections of frozen results are computed, because any thread may read them.
  private let lock: RecursiveLock?

  init(_ elements: Results<Element>, key: @escaping (Element) -> Key) {
    self.elements = elements
    self.key = key
    lock = elements.isFrozen ? RecursiveLock() : nil
  }

  /// Returns the same division of the results in another session.
  func following(_ elements: Results<Element>) -> Sections { Sections(elements, key: key) }

  /// The current sections.
  var all: [Section] { lock.map { $0.withLock { present } } ?? present }

  private var present: [Section] {
    let session = elements.session
    session.checkThread()
    if session.isTracked { trackDivision(in: session) }
    if version != session.version { divide() }
    return cachedSections
  }

  /// Makes the present tracking depend on what the division reads. The elements are divided again
  /// only if that is not known, so a loop over all sections takes linear time.
  private func trackDivision(in session: Session) {
    if version != session.version || readParts == nil {
      readParts = session.recordingReads { divide() }
    }
    session.track(readParts ?? [])
  }

  /// Returns the section of a key, or nil if no element has it now.
  func section(of key: Key) -> Section? {
    guard let lock else { return presentSection(of: key) }
    return lock.withLock { presentSection(of: key) }
  }

  private func presentSection(of key: Key) -> Section? {
    let all = present
    return sectionOfKey[key].map { all[$0] }
  }

  private func divide() {
    var sections: [Section] = []
    var sectionOfKey: [Key: Int] = [:]
    for (index, element) in elements.enumerated() {
      let key = key(element)
      if let section = sectionOfKey[key] {
        sections[section].indexes.append(index)
      } else {
        sectionOfKey[key] = sections.count
        sections.append(Section(key: key, indexes: [index]))
      }
    }
    cachedSections = sections
    self.sectionOfKey = sectionOfKey
    readParts = nil
    version = elements.session.version
  }
}
