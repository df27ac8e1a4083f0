/// The elements of an observed collection as its changes told of them, one step after the other.
final class ObservedElements<Element: Equatable> {
  private let name: String
  /// What an element is, apart from what it holds; nil where it is its value.
  private let identity: ((Element) -> Int)?
  private var elements: [Element]?
  /// The first change that was not right.
  private(set) var failure: String?

  init(_ name: String, identity: ((Element) -> Int)?) {
    self.name = name
    self.identity = identity
  }

  func begin(_ new: [Element]) { elements = new }

  /// Takes a change over, and compares with the elements that are there now.
  func update(_ new: [Element], _ gone: [Int], _ come: [Int], _ changed: [Int]) {
    guard let old = elements else { return fail("an update before the beginning") }
    elements = new
    for places in [gone, come, changed] where !zip(places, places.dropFirst()).allSatisfy(<) {
      return fail("places do not rise: \(places)")
    }
    guard !gone.isEmpty || !come.isEmpty || !changed.isEmpty else { return fail("no change") }
    guard (gone + changed).allSatisfy(old.indices.contains), come.allSatisfy(new.indices.contains),
      Set(gone).isDisjoint(with: changed)
    else { return fail("\(gone) \(come) \(changed) of \(old.count) and \(new.count)") }
    // Who stayed, and whether it may hold something else.
    var stayed = old.indices.filter { !gone.contains($0) }.map { place in
      (element: old[place], isChanged: changed.contains(place))
    }
    for place in come {
      guard place <= stayed.count else { return fail("\(come) leave a gap") }
      stayed.insert((new[place], true), at: place)
    }
    guard stayed.count == new.count else {
      return fail("\(old.count) - \(gone) + \(come) are not \(new.count)")
    }
    for (place, (element, isChanged)) in stayed.enumerated() {
      if let identity, identity(element) != identity(new[place]) {
        return fail("at \(place) stands \(new[place]), not \(element)")
      }
      if !isChanged, element != new[place] {
        return fail("at \(place) \(element) became \(new[place]) without a word")
      }
    }
  }

  /// Whether all that happened was told of.
  func check(_ now: [Element]) {
    guard let elements, failure == nil else { return }
    if elements.count != now.count {
      return fail("\(now.count) elements, told of \(elements.count)")
    }
    for (old, new) in zip(elements, now) where old != new {
      return fail("\(old) is \(new) by now, without a word")
    }
  }

  private func fail(_ reason: String) { if failure == nil { failure = "\(name): \(reason)" } }
}
