import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite(.tags(.untrusted)) struct PackedGeometryTests {
  private static func fault(_ bytes: [UInt8]) -> GeometryError? {
    bytes.withUnsafeBytes { buffer in
      do throws(GeometryError) {
        _ = try GeometryView(validating: buffer)
      } catch {
        return error
      }
      return nil
    }
  }

  @Test func builtGeometriesAreValid() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<800 {
      let geometry = Geometry.random(&random)
      #expect(Self.fault(geometry.bytes) == nil, "\(geometry)")
    }
  }

  /// A change is noticed, or the result is another geometry in the only form that it has.
  @Test func damagedBytesAreNoticedOrAnotherGeometry() {
    var random = SplitMix64(seed: 8)
    var accepted = 0
    for _ in 0..<2500 {
      let bytes = Geometry.random(&random).bytes
      var damaged = bytes
      for _ in 0..<1 + random.below(2) {
        let index =
          random.chance(0.5) ? random.below(min(32, bytes.count)) : random.below(bytes.count)
        damaged[index] ^= 1 << UInt8(random.below(8))
      }
      if random.chance(0.2) { damaged.removeLast(random.below(damaged.count)) }
      guard damaged != bytes, Self.fault(damaged) == nil else { continue }
      accepted += 1
      let geometry = Geometry(packed: damaged)
      #expect((try? Geometry(wkb: geometry.wkb)) == geometry)
      #expect((try? Geometry(wkt: geometry.wkt)) == geometry)
      _ = geometry.withView { $0.bounds }
      _ = geometry.members
    }
    #expect(accepted > 50)
  }

  @Test func eachFaultIsNamed() throws {
    let bytes = try Geometry(wkt: "POLYGON ((0 0, 1 0, 1 1, 0 0))").bytes
    func fault(_ offset: Int, _ value: UInt8) -> String? {
      var damaged = bytes
      damaged[offset] = value
      return Self.fault(damaged)?.message
    }
    let prefix = "the packed geometry is damaged: "
    #expect(
      Self.fault(Array(bytes.prefix(15)))?.message == prefix + "15 bytes are shorter than a header")
    #expect(fault(0, 9) == prefix + "kind 9")
    #expect(fault(0, 2) == prefix + "kinds 2 and 3")
    #expect(fault(1, 8 | 1) == prefix + "flags 9")
    #expect(fault(3, 1) == prefix + "reserved bytes are not zero")
    #expect(fault(4, 6) == prefix + "64 bytes for 3 words and 6 vertices, expected 80")
    #expect(fault(20, 2) == prefix + "a polygon of 2 rings")
    #expect(fault(24, 3) == prefix + "a geometry of 3 words and 3 vertices, expected 3 and 4")
    #expect(fault(24, 5) == prefix + "too few vertices")
    #expect(fault(28, 1) == prefix + "padding is not zero")
    #expect(fault(32, 1)?.contains("is not closed") == true)
  }
}
