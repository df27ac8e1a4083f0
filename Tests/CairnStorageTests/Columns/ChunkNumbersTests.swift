import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

@Suite(.tags(.untrusted)) struct ChunkNumbersTests {
  @Test(arguments: 0...15)
  func decimalsOfEveryLength(places: Int) {
    var source = ValueSource(seed: UInt64(places))
    let values = (0..<500).map { _ -> Value in
      .double(Double(source.int(-1_000_000_000...1_000_000_000)) / Decimals.powers[places])
    }
    let column = EncodedColumn(.double, values)
    #expect(column.differences.prefix(3) == [])
    #expect(column.read { $0.encoding } == .decimals)
    #expect(column.read { $0.exponent } == places)
  }

  @Test func oneLongNumberTurnsAllIntoDoubles() {
    let column = EncodedColumn(.double, [.double(1.5), .double(0.1 + 0.2), .double(2)])
    #expect(column.differences == [])
    #expect(column.read { $0.encoding } == .doubles)
  }

  @Test func aWideRangeOfDecimalsIsStoredAsDoubles() {
    let column = EncodedColumn(.double, [.double(0.01), .double(1e8)])
    #expect(column.differences == [])
    #expect(column.read { $0.encoding } == .doubles)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, -0.0])
  func aNonDecimalAmongDecimals(odd: Double) {
    let column = EncodedColumn(.double, [.double(1.5), .double(odd), .null, .double(-2.25)])
    #expect(column.differences == [])
    #expect(column.read { $0.encoding } == .doubles)
    #expect(column.zone.hasNaN == odd.isNaN)
  }

  @Test func equalNumbersTakeNoSpace() {
    let column = EncodedColumn(.double, [Value](repeating: .double(12.25), count: 4096))
    #expect(column.differences.prefix(3) == [])
    #expect(column.bytes.count == ChunkShape.minimumSize)
  }

  @Test func pointsInFixedPointTakeFourBytesPerCoordinate() {
    var source = ValueSource(seed: 3)
    let steps = (0..<4096).map { _ in Value.point(source.position(.plain)) }
    let column = EncodedColumn(.point, steps)
    #expect(column.differences.prefix(3) == [])
    #expect(column.read { $0.width } == 4)
    #expect(column.bytes.count == ChunkShape.headerSize + 4096 * 8)
  }

  @Test func otherPointsAreStoredAsDoubles() {
    let point = Position(latitude: 1.000_000_01, longitude: .pi)
    let column = EncodedColumn(.point, [.point(point), .null])
    #expect(column.differences == [])
    #expect(column.read { $0.width } == 8)
  }

  @Test func negativeZeroIsNotFixedPoint() {
    let column = EncodedColumn(.point, [.point(Position(latitude: -0.0, longitude: 5))])
    #expect(column.differences == [])
  }

  @Test func theCornersOfTheWorldAreFixedPoint() {
    let corners = [(-90.0, -180.0), (90, 180), (-90, 180), (90, -180), (0, 0)]
    let column = EncodedColumn(
      .point, corners.map { .point(Position(latitude: $0.0, longitude: $0.1)) })
    #expect(column.differences == [])
    #expect(column.read { $0.width } == 4)
  }

  @Test func altitudesAreReadBack() {
    let points = (0..<70).map {
      Value.point(Position(latitude: Double($0), longitude: 1, altitude: $0 == 69 ? -12.5 : 0))
    }
    let column = EncodedColumn(.point, points)
    #expect(column.differences == [])
    #expect(column.read { $0.altitude(at: 69) } == -12.5)
    #expect(column.read { $0.altitude(at: 3) } == 0)
  }

  /// A reused buffer must not keep anything of the previous chunk.
  @Test func aReusedBufferIsEmpty() {
    let buffer = ChunkBuffer(layout: .points)
    buffer.count = 2
    buffer.set(.point(Position(latitude: 1, longitude: 2, altitude: 3)), at: 0)
    buffer.set(.null, at: 1)
    buffer.removeAll()
    buffer.count = 2
    buffer.set(.point(Position(latitude: 1, longitude: 2)), at: 0)
    buffer.set(.point(Position(latitude: 3, longitude: 4)), at: 1)
    let (bytes, zone) = ChunkEncoder.encode(buffer)
    #expect(zone.nullCount == 0)
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return }
      let chunk = Chunk(encoded: base, size: buffer.count)
      #expect(chunk?.position(at: 0) == Position(latitude: 1, longitude: 2))
      #expect(chunk?.isNull(1) == false)
    }
  }
}
