import CairnTestSupport
import Testing

/// The numbers of descriptors in processes that are started without standard streams.
@Suite(.tags(.threads)) struct DescriptorTests {
  @Test(arguments: 0..<8)
  func noFileGetsTheNumberOfAStream(streams: Int) async throws {
    let folder = try TemporaryFolder(inMemory: true)
    let outcome = try await Command.work("close-streams", folder.file(), "\(streams)")
    #expect(outcome.end == .exit(0), "\(outcome.errors)")
  }

  @Test func reservationsOverlap() async throws {
    #expect(try await Command.work("reserve-streams").end == .exit(0))
  }

  @Test func closedStreamsAreOpenedSoThatUsingThemFails() async throws {
    #expect(try await Command.work("reopen-streams").end == .exit(0))
  }
}
