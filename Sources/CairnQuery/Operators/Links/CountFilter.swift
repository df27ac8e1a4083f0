import CairnStorage
import CairnValues

/// A condition on the number of elements of a collection: `dogs.@count == 3`.
final class CountFilter: Filter {
  private let column: Column
  /// The live rows among the target objects of a list or set of links; nil if every element counts.
  private let live: LiveRows?
  private let test: CountTest
  private let makeDescription: () -> String

  /// Creates a filter.
  ///
  /// - Parameter live: The live target objects of links; nil for collections of values.
  init(
    _ column: Column, live: LiveRows?, test: ValueTest,
    description: @autoclosure @escaping () -> String
  ) {
    self.column = column
    // In a map, a deleted object becomes a null value, which counts.
    self.live = column.schema.collection == .map ? nil : live
    self.test = CountTest(test)
    makeDescription = description
  }

  override var cost: Double { 5 }
  override var description: String { makeDescription() }

  override func zoneMapResult(_ chunk: Int) -> ZoneMapResult {
    test.zoneMapResult(column, chunk: chunk)
  }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
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

/// A condition on the number of a collection's objects that meet another condition:
/// `SUBQUERY(dogs, $d, …).@count > 2`.
final class MatchCountFilter: Filter {
  private let column: Column
  private let keys: SemiJoinSet
  private let test: CountTest
  private let makeDescription: () -> String

  /// Creates a filter.
  ///
  /// - Parameter keys: The live objects that meet the condition.
  init(
    _ column: Column, keys: SemiJoinSet, test: ValueTest,
    description: @autoclosure @escaping () -> String
  ) {
    self.column = column
    self.keys = keys
    self.test = CountTest(test)
    makeDescription = description
  }

  override var cost: Double { 25 + keys.filter.cost }
  override var description: String { makeDescription() }

  override func zoneMapResult(_ chunk: Int) -> ZoneMapResult {
    test.zoneMapResult(column, chunk: chunk)
  }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let chunk = column.chunk(index)
    let test = test
    let isMap = column.schema.collection == .map
    let keys = keys
    keys.evaluateRequested(linksOf: selection, chunk, isMap: isMap, scratch: scratch)
    selection.keep { word, selected in
      selected.keepingEach { bit in
        let links = chunk.links(word << 6 | bit, isMap: isMap)
        var count = 0
        for position in 0..<links.count where !links.isNull(position) {
          count &+= keys.holds(Int(links.int(position))) ? 1 : 0
        }
        return test.holds(count)
      }
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
    keys.complete(ScratchBuffers())
  }
}

extension CountTest {
  /// The zone-map result. If every collection of the chunk is empty, all have the same count.
  fileprivate func zoneMapResult(_ column: Column, chunk: Int) -> ZoneMapResult {
    guard column.isEmpty(chunk) else { return .some }
    return holds(0) ? .all : .none
  }
}

extension LiveRows {
  /// The number of links to live objects.
  @inline(__always)
  func count(of links: PackedElements) -> Int {
    hasDeletedRows || links.hasNulls ? countIndividually(links) : links.count
  }

  private func countIndividually(_ links: PackedElements) -> Int {
    var count = 0
    for position in 0..<links.count where !links.isNull(position) && holds(Int(links.int(position)))
    {
      count += 1
    }
    return count
  }
}

extension Column {
  /// Whether every collection in the chunk is empty, by its zone map.
  func isEmpty(_ chunk: Int) -> Bool {
    let zone = zone(chunk)
    // A row with elements begins with their number.
    if zone.hasBounds { return zone.minimum == 0 && zone.maximum == 0 }
    return zone.isKnown && zone.nullCount > 0
  }
}
