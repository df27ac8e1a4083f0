import CairnStorage
import CairnValues

/// A condition on the number of elements of a collection: `dogs.@count == 3`.
final class CountFilter: Filter, @unchecked Sendable {
  private let column: Column
  /// Which objects of a list or set of links there are; nil: every element counts.
  private let live: LiveRows?
  private let test: CountTest
  private let words: () -> String

  /// - Parameter live: the objects that links lead to; nil for collections of values.
  init(
    _ column: Column, _ live: LiveRows?, _ test: ValueTest,
    words: @autoclosure @escaping () -> String
  ) {
    self.column = column
    // What was deleted is a null value of a map, and counts.
    self.live = column.schema.collection == .map ? nil : live
    self.test = CountTest(test)
    self.words = words
  }

  override var cost: Double { 5 }
  override var description: String { words() }

  override func verdict(_ chunk: Int) -> Verdict { test.verdict(column, chunk) }

  override func narrow(_ selection: inout Selection, _ index: Int, _ workspace: Workspace) {
    let chunk = column.chunk(index)
    let test = test
    let isMap = column.schema.collection == .map
    if let live {
      return selection.keep { word, selected in
        selected.keepingEach {
          test.holds(live.count(of: chunk.links(word << 6 | $0, isMap: false)))
        }
      }
    }
    let width = StoredCollection.width(of: column.schema.type)
    selection.keep { word, selected in
      selected.keepingEach {
        test.holds(PackedElements(chunk.rowBytes(word << 6 | $0), width: width, isMap: isMap).count)
      }
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
    live?.prepare()
  }
}

/// A condition on the number of a collection's objects that meet another: `SUBQUERY(dogs, $d, …).@count > 2`.
final class MatchCountFilter: Filter, @unchecked Sendable {
  private let column: Column
  private let keys: KeySet
  private let test: CountTest
  private let words: () -> String

  /// - Parameter keys: the objects that meet the condition; none that is dead.
  init(
    _ column: Column, _ keys: KeySet, _ test: ValueTest,
    words: @autoclosure @escaping () -> String
  ) {
    self.column = column
    self.keys = keys
    self.test = CountTest(test)
    self.words = words
  }

  override var cost: Double { 25 + keys.filter.cost }
  override var description: String { words() }

  override func verdict(_ chunk: Int) -> Verdict { test.verdict(column, chunk) }

  override func narrow(_ selection: inout Selection, _ index: Int, _ workspace: Workspace) {
    let chunk = column.chunk(index)
    let test = test
    let isMap = column.schema.collection == .map
    let keys = keys
    keys.settle(linksOf: selection, chunk, isMap: isMap, workspace)
    selection.keep { word, selected in
      selected.keepingEach { bit in
        let links = chunk.links(word << 6 | bit, isMap: isMap)
        var count = 0
        for place in 0..<links.count where !links.isNull(place) {
          count &+= keys.holds(Int(links.int(place))) ? 1 : 0
        }
        return test.holds(count)
      }
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
    keys.complete(Workspace())
  }
}

extension CountTest {
  /// What the bounds of a chunk say: where every collection is empty each has the same number.
  fileprivate func verdict(_ column: Column, _ chunk: Int) -> Verdict {
    guard column.isEmpty(chunk) else { return .some }
    return holds(0) ? .all : .none
  }
}

extension LiveRows {
  /// How many of the links lead to an object.
  @inline(__always)
  func count(of links: PackedElements) -> Int {
    hasDead || links.hasNulls ? countOneByOne(links) : links.count
  }

  private func countOneByOne(_ links: PackedElements) -> Int {
    var count = 0
    for place in 0..<links.count where !links.isNull(place) && holds(Int(links.int(place))) {
      count += 1
    }
    return count
  }
}

extension Column {
  /// Whether the bounds of a chunk say that every collection in it is empty.
  func isEmpty(_ chunk: Int) -> Bool {
    let zone = zone(chunk)
    // A row that has elements begins with their number.
    if zone.hasBounds { return zone.minimum == 0 && zone.maximum == 0 }
    return zone.isKnown && zone.nullCount > 0
  }
}
