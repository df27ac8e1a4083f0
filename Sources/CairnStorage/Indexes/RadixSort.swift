/// A stable sort of positions by 64-bit keys, in a few passes over memory.
package enum RadixSort {
  private static let digitBits = 11
  private static let buckets = 1 << digitBits
  /// The maximum number of passes. Rows that are still equal are then sorted by comparison.
  private static let maxPasses = 4

  private struct Item {
    var key: UInt64
    var position: UInt32
  }

  /// Returns the order of `keys`: `result[i]` is the position of the i-th smallest. Equal keys keep
  /// their order.
  package static func order(_ keys: UnsafeBufferPointer<UInt64>) -> [UInt32] {
    guard let first = keys.first else { return [] }
    var spread: UInt64 = 0
    for key in keys { spread |= key ^ first }
    let significant = 64 - spread.leadingZeroBitCount
    let passes = min((significant + digitBits - 1) / digitBits, maxPasses)
    let shift = max(0, significant - passes * digitBits)
    assert(keys.count <= Int(UInt32.max), "a position takes more than 32 bits")

    let items = UnsafeMutablePointer<Item>.allocate(capacity: keys.count)
    let other = UnsafeMutablePointer<Item>.allocate(capacity: keys.count)
    defer {
      items.deallocate()
      other.deallocate()
    }
    for position in 0..<keys.count {
      items[position] = Item(key: keys[position], position: UInt32(position))
    }
    var (from, to) = (items, other)
    for pass in 0..<passes {
      distribute(from, to: to, count: keys.count, shift: shift + pass * digitBits)
      swap(&from, &to)
    }
    if shift > 0 { sortTies(from, count: keys.count, shift: shift) }
    return [UInt32](unsafeUninitializedCapacity: keys.count) { order, count in
      for index in 0..<keys.count { order[index] = from[index].position }
      count = keys.count
    }
  }

  private static func distribute(
    _ from: UnsafeMutablePointer<Item>, to: UnsafeMutablePointer<Item>, count: Int, shift: Int
  ) {
    assert(from + count <= to || to + count <= from, "the items overlap")
    assert(shift >= 0 && shift < 64, "the keys do not have the digit")
    withUnsafeTemporaryAllocation(of: Int.self, capacity: buckets) { starts in
      starts.initialize(repeating: 0)
      let mask = UInt64(buckets - 1)
      for index in 0..<count { starts[Int(from[index].key >> UInt64(shift) & mask)] += 1 }
      var sum = 0
      for bucket in 0..<buckets {
        let size = starts[bucket]
        starts[bucket] = sum
        sum += size
      }
      for index in 0..<count {
        let bucket = Int(from[index].key >> UInt64(shift) & mask)
        assert(starts[bucket] < count, "more keys have the digit than were counted")
        to[starts[bucket]] = from[index]
        starts[bucket] += 1
      }
    }
  }

  private static func precedes(_ a: Item, b: Item) -> Bool {
    a.key == b.key ? a.position < b.position : a.key < b.key
  }

  /// Sorts ranges that are equal above `shift` by their whole keys.
  private static func sortTies(_ items: UnsafeMutablePointer<Item>, count: Int, shift: Int) {
    var start = 0
    while start < count {
      var end = start + 1
      while end < count, items[end].key >> UInt64(shift) == items[start].key >> UInt64(shift) {
        end += 1
      }
      if end - start > 1 {
        var equals = UnsafeMutableBufferPointer(start: items + start, count: end - start)
        equals.sort(by: precedes)
      }
      start = end
    }
  }
}
