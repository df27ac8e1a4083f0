/// Finds keys in a sorted run: by samples in memory, then in one window of the spill file, which it
/// keeps, because the searches of a bisection end up in the same.
final class KeySearch {
  private let run: SortedRun
  private let spill: SpillFile
  private var window: [UInt64] = []
  private var windowNumber = -1

  /// Keys of a window; the first of each is a sample.
  static let windowSize = 1024

  init(_ run: SortedRun, _ spill: SpillFile) {
    self.run = run
    self.spill = spill
  }

  /// How many rows have a smaller key, or an equal one when `orEqual`.
  func rowsBelow(_ key: UInt64, orEqual: Bool) throws(StoreError) -> Int {
    let windows = Self.countBelow(key, orEqual: orEqual, in: run.samples)
    guard windows > 0 else { return 0 }
    try load(windows - 1)
    return (windows - 1) * Self.windowSize
      + Self.countBelow(key, orEqual: orEqual, in: window)
  }

  private func load(_ number: Int) throws(StoreError) {
    guard number != windowNumber else { return }
    let start = number * Self.windowSize
    window = try run.keys.values(at: start..<min(run.rowCount, start + Self.windowSize), spill)
    windowNumber = number
  }

  private static func countBelow(_ key: UInt64, orEqual: Bool, in keys: [UInt64]) -> Int {
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key || (orEqual && keys[middle] == key) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
