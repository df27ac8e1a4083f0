internal import CairnGeometry

/// The simplified lines or rings of a tile in whole units, without repetitions.
final class TilePointLists {
  private let points = ReusedBuffer<TilePoint>()
  /// The index in `points` of the end of each line or ring.
  private let ends = ReusedBuffer<Int>()

  /// Replaces the content.
  func replaceAll(by chains: VertexChains) {
    points.removeAll()
    ends.removeAll()
    chains.forEachPoint { chain, vertex in
      if ends.count < chain { end(upTo: chain) }
      let point = vertex.unit
      if points.count == start(of: chain) || points.last != point { points.append(point) }
    }
    end(upTo: chains.count)
  }

  private func end(upTo count: Int) {
    while ends.count < count { ends.append(points.count) }
  }

  @inline(__always)
  private func start(of number: Int) -> Int { number == 0 ? 0 : ends[number - 1] }

  /// The points of a line; valid until the next change.
  func line(_ number: Int) -> UnsafeBufferPointer<TilePoint> {
    UnsafeBufferPointer(rebasing: points.contents[start(of: number)..<ends[number]])
  }

  /// The points of a ring, whose first one is not repeated; valid until the next change.
  func ring(_ number: Int) -> UnsafeBufferPointer<TilePoint> {
    let line = line(number)
    var count = line.count
    while count > 1, line[0] == line[count - 1] { count -= 1 }
    return UnsafeBufferPointer(rebasing: line[..<count])
  }
}
