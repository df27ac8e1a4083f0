import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct EnvelopeTests {
  @Test(arguments: [101] as [UInt64])
  func roundsOutward(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<2000 {
      let (west, east) = (random.double(-180...0), random.double(0...180))
      let (south, north) = (random.double(-90...0), random.double(0...90))
      let envelope = Envelope(west: west, south: south, east: east, north: north)
      #expect(envelope.west <= west && west - envelope.west < 1.1e-7)
      #expect(envelope.east >= east && envelope.east - east < 1.1e-7)
      #expect(envelope.south <= south && envelope.north >= north)
      let again = Envelope(
        west: envelope.west, south: envelope.south, east: envelope.east, north: envelope.north)
      #expect(again == envelope)
    }
  }

  @Test func joinsAndCompares() {
    let one = Envelope(west: 0, south: 0, east: 2, north: 2)
    let other = Envelope(west: 1, south: 1, east: 3, north: 4)
    #expect(one.union(other) == Envelope(west: 0, south: 0, east: 3, north: 4))
    #expect(Envelope.empty.union(one) == one)
    #expect(Envelope.empty.isEmpty && !one.isEmpty)
    #expect(one.intersects(other) && !one.contains(other))
    #expect(one.union(other).contains(one) && Envelope.world.contains(one))
    #expect(!one.intersects(Envelope(west: 2.1, south: 0, east: 3, north: 1)))
    #expect(!Envelope.empty.intersects(one))
  }
}
