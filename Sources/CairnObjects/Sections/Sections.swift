import CairnStorage

/// How elements fall into sections, worked out for the present state when it is asked for.
///
/// The elements are in their order already; a section stands where the first of its elements does, and holds
/// those that come later too.
final class Sections<Key: _Persistable & Hashable, Element: RealmCollectionValue> {
  /// The places of the elements of one key.
  struct Section {
    let key: Key
    var places: [Int]
  }

  let elements: Results<Element>
  private let key: (Element) -> Key
  private var known: [Section] = []
  private var placeOfKey: [Key: Int] = [:]
  private var version = -1
  /// Held while sections of what is frozen are worked out: any thread reads them.
  private let lock: RecursiveLock?

  init(_ elements: Results<Element>, _ key: @escaping (Element) -> Key) {
    self.elements = elements
    self.key = key
    lock = elements.isFrozen ? RecursiveLock() : nil
  }

  /// The same division of the same results of another session.
  func following(_ elements: Results<Element>) -> Sections { Sections(elements, key) }

  /// The sections now.
  var all: [Section] { lock.map { $0.withLock { present } } ?? present }

  private var present: [Section] {
    elements.session.checkThread()
    if version != elements.session.version { divide() }
    return known
  }

  /// The section of a key; nil when no element has it now.
  func section(of key: Key) -> Section? {
    guard let lock else { return presentSection(of: key) }
    return lock.withLock { presentSection(of: key) }
  }

  private func presentSection(of key: Key) -> Section? {
    let all = present
    return placeOfKey[key].map { all[$0] }
  }

  private func divide() {
    var sections: [Section] = []
    var placeOfKey: [Key: Int] = [:]
    for (place, element) in elements.enumerated() {
      let key = key(element)
      if let section = placeOfKey[key] {
        sections[section].places.append(place)
      } else {
        placeOfKey[key] = sections.count
        sections.append(Section(key: key, places: [place]))
      }
    }
    known = sections
    self.placeOfKey = placeOfKey
    version = elements.session.version
  }
}
