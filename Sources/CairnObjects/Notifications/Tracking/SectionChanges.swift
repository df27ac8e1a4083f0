import CairnQuery

/// How sections came about from older ones. Exact: the old sections without those at `sectionsToDelete` and, in the others,
/// without the elements at `deletions`, with new sections at `sectionsToInsert` and the elements at `insertions`, are
/// the new sections.
package struct SectionChanges: Equatable {
  /// A place of an element: that of its section, and that in the section.
  package struct Place: Hashable, Comparable {
    package let section: Int
    package let element: Int

    package static func < (a: Place, b: Place) -> Bool {
      (a.section, a.element) < (b.section, b.element)
    }
  }

  /// Old places, but for those in sections that are deleted.
  package var deletions: [Place] = []
  /// New places, in sections that are inserted too.
  package var insertions: [Place] = []
  /// Old places.
  package var modifications: [Place] = []
  /// New places of sections.
  package var sectionsToInsert: [Int] = []
  /// Old places of sections.
  package var sectionsToDelete: [Int] = []

  package var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && sectionsToInsert.isEmpty
      && sectionsToDelete.isEmpty
  }

  /// Those of one section, by its old and its new place.
  func of(_ old: Int?, _ new: Int?) -> SectionChanges {
    var part = SectionChanges()
    part.deletions = deletions.filter { $0.section == old }
    part.insertions = insertions.filter { $0.section == new }
    part.modifications = modifications.filter { $0.section == old }
    part.sectionsToInsert = sectionsToInsert.filter { $0 == new }
    part.sectionsToDelete = sectionsToDelete.filter { $0 == old }
    return part
  }
}

/// What becomes of sections, or of one.
package enum SectionedChange<Collection>: ObservedChange {
  case initial(Collection)
  case update(Collection, SectionChanges)
}

/// How the elements of results lie in sections.
struct SectionLayout<Key: Hashable> {
  /// The keys of the sections.
  let keys: [Key]
  /// The place in the sections of each element, by its place among the results.
  let places: [SectionChanges.Place]

  init() {
    keys = []
    places = []
  }

  init(_ sections: [(key: Key, places: [Int])]) {
    keys = sections.map(\.key)
    let blank = SectionChanges.Place(section: 0, element: 0)
    var places = Array(repeating: blank, count: sections.reduce(0) { $0 + $1.places.count })
    for (number, section) in sections.enumerated() {
      for (element, place) in section.places.enumerated() {
        places[place] = SectionChanges.Place(section: number, element: element)
      }
    }
    self.places = places
  }

  /// What became of the sections, where `changes` became of the elements.
  func changes(to new: SectionLayout, _ changes: Changes) -> SectionChanges {
    var found = SectionChanges()
    let successors = sectionSuccessors(new, &found)
    let deleted = Set(changes.deletions)
    let modified = Set(changes.modifications)
    var stayed = Set<Int>()
    for place in places.indices where !deleted.contains(place) {
      let now = changes.newPlace(ofOld: place)
      // An element whose section is another one now leaves that, and comes to this.
      guard successors[places[place].section] == new.places[now].section else { continue }
      stayed.insert(now)
      if modified.contains(place) { found.modifications.append(places[place]) }
    }
    let gone = changes.goneOrMoved(places.count, stayed)
    found.deletions = gone.map { places[$0] }
      .filter { successors[$0.section] != nil }.sorted()
    found.insertions = new.places.indices.filter { !stayed.contains($0) }.map { new.places[$0] }
      .sorted()
    found.modifications.sort()
    return found
  }

  /// The new place of each section that stays, by its old one; the others are deleted, and inserted where they come again.
  private func sectionSuccessors(
    _ new: SectionLayout, _ found: inout SectionChanges
  ) -> [Int: Int] {
    let changes = Changes(from: keys, to: new.keys, pairs: false)
    found.sectionsToDelete = changes.deletions
    found.sectionsToInsert = changes.insertions
    let deleted = Set(changes.deletions)
    var successors: [Int: Int] = [:]
    for place in keys.indices where !deleted.contains(place) {
      successors[place] = changes.newPlace(ofOld: place)
    }
    return successors
  }
}

extension Changes {
  /// The old places of elements that are not at their new places among those that stayed.
  fileprivate func goneOrMoved(_ count: Int, _ stayed: Set<Int>) -> [Int] {
    let deleted = Set(deletions)
    return (0..<count).filter { deleted.contains($0) || !stayed.contains(newPlace(ofOld: $0)) }
  }
}
