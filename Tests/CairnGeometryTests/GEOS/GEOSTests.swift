import CairnSystem
import Testing

@testable import CairnGeometry

@Suite struct GEOSTests {
  @Test func errorsContainTheMessageOfGEOS() throws {
    let open = PlaneRing(xs: [0, 1, 1, 0], ys: [0, 0, 1, 1])
    let error = try #require(throws: GeometryError.self) {
      try GEOSPolygon([open], in: GEOSContext())
    }
    #expect(error.kind == .library)
    #expect(error.message.contains("closed"))
  }

  @Test func aMissingLibrarySaysWhatToInstall() throws {
    let error = try #require(throws: LibraryError.self) {
      try DynamicLibrary(name: "Nothing", files: ["libnothing.so.9"], advice: "look elsewhere")
    }
    #expect(error.message == "the library Nothing is not installed: look elsewhere")
    #expect(GeometryError(error).kind == .missingLibrary)
  }

  @Test func aLibraryThatIsTooOldIsReported() throws {
    let geos = try DynamicLibrary.geos()
    let error = try #require(throws: LibraryError.self) {
      let _: @convention(c) () -> Void = try geos.function("GEOS_no_such_function")
    }
    #expect(error.message.contains("GEOS_no_such_function"))
  }

  @Test func manyThreadsShareARegion() async throws {
    let square: [(Double, Double)] = [(0, 0), (0, 10), (10, 10), (10, 0), (0, 0)]
    let region = try #require(GeoPolygon(outerRing: square, edges: .planar)).region
    await withTaskGroup(of: Bool.self) { group in
      for worker in 0..<8 {
        group.addTask {
          (0..<500).allSatisfy {
            region.contains(longitude: Double($0 % 11), latitude: worker % 2 == 0 ? 0 : 10)
          }
        }
      }
      for await isInside in group { #expect(isInside) }
    }
  }
}
