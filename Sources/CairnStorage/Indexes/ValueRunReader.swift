import CairnValues

/// Merges runs of a value index in batches.
struct ValueRunMerge {
  private let readers: [ValueRunReader]
  private var positions: [Int]
  private var heads: [ValueEntry?]

  init(_ readers: [ValueRunReader]) {
    self.readers = readers
    positions = Array(repeating: 0, count: readers.count)
    heads = readers.map { $0.run.count > 0 ? $0.entry(0) : nil }
  }

  /// Returns the next entries in order, at most `count`; an empty array at the end.
  mutating func next(_ count: Int) -> [ValueEntry] {
    var batch: [ValueEntry] = []
    while batch.count < count, let (index, entry) = smallest() {
      batch.append(entry)
      positions[index] += 1
      heads[index] =
        positions[index] < readers[index].run.count ? readers[index].entry(positions[index]) : nil
    }
    return batch
  }

  private func smallest() -> (Int, ValueEntry)? {
    var best: (Int, ValueEntry)?
    for index in heads.indices {
      guard let head = heads[index] else { continue }
      if let known = best, known.1 < head { continue }
      best = (index, head)
    }
    return best
  }
}

/// A reader of one run of a value index, over its stored segments.
final class ValueRunReader {
  let run: ValueRun
  private let table: UInt32
  private let source: any KeyValues
  private var segments: [Int: ValueSegment] = [:]
  /// The segment that was read last, because consecutive entries share one.
  private var last: (number: Int, segment: ValueSegment)?

  init(_ run: ValueRun, table: UInt32, source: any KeyValues) {
    self.run = run
    self.table = table
    self.source = source
  }

  private func segment(of position: Int) -> ValueSegment? {
    let number = position / ValueSegment.capacity
    if let last, last.number == number { return last.segment }
    guard let segment = segments[number] ?? load(number) else { return nil }
    last = (number, segment)
    return segment
  }

  private func load(_ number: Int) -> ValueSegment? {
    let key = StorageKey.runKeys(
      table, column: run.column, run: run.id, segment: run.firstSegment + number)
    let segment = ValueSegment(source.get(key))
    segments[number] = segment
    return segment
  }

  /// Returns the key of the entry at a position.
  func key(_ position: Int) -> Int {
    run.firstRow + (segment(of: position)?.key(position % ValueSegment.capacity) ?? 0)
  }

  /// Returns the entry at a position.
  func entry(_ position: Int) -> ValueEntry? {
    segment(of: position).map {
      ValueEntry(
        value: $0.value(position % ValueSegment.capacity),
        key: run.firstRow + $0.key(position % ValueSegment.capacity))
    }
  }

  /// Returns the positions of the values in `range`, by binary search.
  func positions(_ range: ValueRange) -> Range<Int> {
    let low =
      switch range.lower {
      case .none: 0
      case .including(let value): partition(value, orEqual: false, missing: 0)
      case .excluding(let value): partition(value, orEqual: true, missing: 0)
      }
    let high =
      switch range.upper {
      case .none: run.count
      case .including(let value): partition(value, orEqual: true, missing: 0)
      case .excluding(let value): partition(value, orEqual: false, missing: 0)
      }
    return low..<max(low, high)
  }

  /// Returns the number of entries before `value`, including equal ones if `orEqual`.
  private func partition(_ value: Value, orEqual: Bool, missing: Int) -> Int {
    guard let key = IndexKey(value) else { return missing }
    return partitionPoint(run.count) {
      segment(of: $0)?.isBefore($0 % ValueSegment.capacity, key: key, orEqual: orEqual) ?? false
    }
  }
}
