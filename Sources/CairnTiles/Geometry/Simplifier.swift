/// Removes vertices of lines and rings that are hardly visible, by Douglas and Peucker.
final class Simplifier {
  /// The distance from the simplified line, in units of a tile, up to which a vertex is removed.
  private let tolerance: Double
  private let isKept = ReusedBuffer<Bool>()
  private let pending = ReusedBuffer<Part>()

  /// The vertices between two that stay.
  private struct Part: BitwiseCopyable {
    let first: Int
    let last: Int
  }

  init(tolerance: Double) { self.tolerance = tolerance }

  /// Removes vertices of a line. Its ends stay.
  func simplify(line: VertexBuffer) {
    guard line.count > 2 else { return }
    start(line.count)
    keep(line, first: 0, last: line.count - 1)
    removeOthers(line)
  }

  /// Removes vertices of a ring, whose first vertex is not repeated. The first vertex and the one
  /// farthest from it stay.
  func simplify(ring: VertexBuffer) {
    guard ring.count > 3 else { return }
    let opposite = ring.farthest(from: ring[0])
    guard opposite > 0 else { return }
    // The first vertex closes the ring for the second half.
    ring.append(ring[0])
    start(ring.count)
    keep(ring, first: 0, last: opposite)
    keep(ring, first: opposite, last: ring.count - 1)
    removeOthers(ring)
    ring.removeAll(from: ring.count - 1)
  }

  private func start(_ count: Int) {
    isKept.removeAll()
    for _ in 0..<count { isKept.append(false) }
  }

  private func keep(_ line: VertexBuffer, first: Int, last: Int) {
    isKept[first] = true
    isKept[last] = true
    pending.append(Part(first: first, last: last))
    while let part = pending.popLast() {
      guard part.last - part.first > 1, let middle = farthest(line, in: part) else { continue }
      isKept[middle] = true
      pending.append(Part(first: part.first, last: middle))
      pending.append(Part(first: middle, last: part.last))
    }
  }

  /// The vertex between two others that is farthest from their segment; nil if none is farther than
  /// the tolerance.
  private func farthest(_ line: VertexBuffer, in part: Part) -> Int? {
    let start = line[part.first]
    let step = line[part.last] - start
    let length = (step * step).sum()
    var (greatest, found) = (tolerance * tolerance, -1)
    for index in part.first + 1..<part.last {
      let way = line[index] - start
      let t = length > 0 ? min(1, max(0, (way * step).sum() / length)) : 0
      let offset = way - step * t
      let distance = (offset * offset).sum()
      if distance > greatest { (greatest, found) = (distance, index) }
    }
    return found < 0 ? nil : found
  }

  private func removeOthers(_ line: VertexBuffer) {
    var end = 0
    for index in 0..<line.count where isKept[index] {
      line[end] = line[index]
      end += 1
    }
    line.removeAll(from: end)
  }
}

extension ReusedBuffer<SIMD2<Double>> {
  /// The index of the vertex farthest from a location.
  fileprivate func farthest(from origin: SIMD2<Double>) -> Int {
    var (greatest, found) = (0.0, 0)
    for index in 0..<count {
      let offset = self[index] - origin
      let distance = (offset * offset).sum()
      if distance > greatest { (greatest, found) = (distance, index) }
    }
    return found
  }
}
