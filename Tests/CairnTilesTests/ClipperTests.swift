import Testing

@testable import CairnTiles

/// Lines clipped to the square from 0 to 10.
@Suite struct ClipperTests {
  private func pieces(_ line: [(Double, Double)]) -> [[SIMD2<Double>]] {
    let (whole, piece) = (VertexBuffer(), VertexBuffer())
    for vertex in line { whole.append(SIMD2(vertex.0, vertex.1)) }
    var found: [[SIMD2<Double>]] = []
    Clipper(lower: 0, upper: 10).clip(line: whole, into: piece) { part in
      found.append((0..<part.count).map { part[$0] })
    }
    return found
  }

  /// A line that leaves the square and comes back with its next segment is two pieces.
  @Test func aLineThatComesBackHasTwoPieces() {
    #expect(
      pieces([(5, 5), (15, 5), (5, 9)]) == [
        [SIMD2(5, 5), SIMD2(10, 5)], [SIMD2(10, 7), SIMD2(5, 9)],
      ])
  }

  @Test func aLineWithinIsOnePiece() {
    #expect(pieces([(1, 1), (10, 5), (2, 9)]) == [[SIMD2(1, 1), SIMD2(10, 5), SIMD2(2, 9)]])
    #expect(pieces([(11, 1), (12, 5), (11, 9)]) == [])
  }
}
