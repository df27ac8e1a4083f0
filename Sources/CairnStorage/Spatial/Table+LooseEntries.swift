import CairnIndex
import CairnValues

extension Table {
  /// The locations of the live rows among `keys` that have one.
  func looseEntries(_ position: Int, _ keys: Range<Int>) -> [LooseEntry] {
    var entries: [LooseEntry] = []
    entries.reserveCapacity(keys.count)
    var start = keys.lowerBound
    while start < keys.upperBound {
      let index = start >> ChunkShape.shift
      let end = min(keys.upperBound, (index + 1) << ChunkShape.shift)
      let chunk = column(position).chunk(index)
      let live = liveness(ofChunk: index)
      for key in start..<end {
        let row = key & (ChunkShape.rows - 1)
        if chunk.isNull(row) { continue }
        if let live, live[row >> 6] >> UInt64(row & 63) & 1 == 0 { continue }
        let here = chunk.position(at: row)
        entries.append(LooseEntry(longitude: here.longitude, latitude: here.latitude, key: key))
      }
      start = end
    }
    return entries
  }

  /// The location of a live row that has one.
  func looseEntry(_ position: Int, _ key: Int) -> LooseEntry? {
    guard isLive(key), case .point(let here) = value(position, at: key) else { return nil }
    return LooseEntry(longitude: here.longitude, latitude: here.latitude, key: key)
  }
}
