/// Orders that the tests compute without comparing through closures, which is slow where they are
/// not specialised.
enum Ordering {
  /// The positions of keys in ascending order; equal keys stay in order. Sorts byte by byte.
  static func positions(of keys: [UInt64]) -> [Int] {
    let count = keys.count
    let words = keys.map { Int(truncatingIfNeeded: $0) }
    var order = Array(0..<count)
    var next = order
    var starts = [Int](repeating: 0, count: 257)
    words.withUnsafeBufferPointer { words in
      for shift in stride(from: 0, to: 64, by: 8) {
        order.withUnsafeMutableBufferPointer { order in
          next.withUnsafeMutableBufferPointer { next in
            starts.withUnsafeMutableBufferPointer { starts in
              var index = 0
              while index < 257 {
                starts[index] = 0
                index += 1
              }
              index = 0
              while index < count {
                starts[(words[index] &>> shift & 0xFF) + 1] += 1
                index += 1
              }
              index = 0
              while index < 256 {
                starts[index + 1] += starts[index]
                index += 1
              }
              index = 0
              while index < count {
                let byte = words[order[index]] &>> shift & 0xFF
                next[starts[byte]] = order[index]
                starts[byte] += 1
                index += 1
              }
            }
          }
        }
        swap(&order, &next)
      }
    }
    return order
  }

  /// The positions of the least keys in ascending order, at most `wanted`; of equal keys, the first
  /// ones. Infinite keys are left out.
  static func least(_ keys: [Double], _ wanted: Int) -> [Int] {
    guard wanted < keys.count / 16 else {
      return Array(
        keys.indices.filter { keys[$0] < .infinity }.sorted { (keys[$0], $0) < (keys[$1], $1) }
          .prefix(wanted))
    }
    var found: [Int] = []
    var worst = Double.infinity
    guard wanted > 0 else { return found }
    for (position, key) in keys.enumerated() where key < worst {
      var place = found.count
      while place > 0, keys[found[place - 1]] > key { place -= 1 }
      found.insert(position, at: place)
      if found.count > wanted { found.removeLast() }
      if found.count == wanted { worst = keys[found[wanted - 1]] }
    }
    return found
  }
}
