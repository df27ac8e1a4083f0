import CairnStorage
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnServer

/// The states of a store that the service and other readers hold.
@Suite(.tags(.threads)) struct HeldStateTests {
  /// Waits until nobody holds a state of an earlier commit than the last, looking again and again: the
  /// end of a reader is not reported.
  private func waitUntilCurrent(_ store: Store) async throws {
    try await eventually("nobody holds an earlier state") {
      try store.oldestSnapshot()
    } until: {
      $0 == nil
    }
  }

  /// The streams have sent events before, and receive none of the last commits.
  @Test(arguments: [
    "/collections/notes/live", "/collections/notes/live?filter=text%3D'four'",
    "/collections/places/live?initial=true", "/collections/places/live?fences=parcels&initial=true",
  ])
  func idleStreamsHoldNoEarlierState(target: String) async throws {
    let world = try World(rows: 50)
    guard case .stream(let stream) = await world.service.respond(to: Request(target: target)).body
    else {
      Issue.record("not a stream")
      return
    }
    let reading = Task { while try await stream.next() != nil {} }
    try world.editNotes { notes in _ = try notes.insert([.string("four")]) }
    try world.insert(20)
    try await waitUntilCurrent(world.store)
    for _ in 0..<3 { try world.editNotes { notes in _ = try notes.insert([.string("no")]) } }
    try await waitUntilCurrent(world.store)
    reading.cancel()
    try await reading.value
  }

  @Test func eventsDoNotWaitForASlowClientForLong() async throws {
    var options = ServiceOptions()
    options.maxStreamSeconds = -1
    let world = try World(rows: 50, options: options)
    let client = try await LiveTests.Client(
      world.service, "/collections/places/live?initial=true")
    #expect(try await client.next()?.name == "ready")
    await #expect(throws: StreamTimeout.self) { _ = try await client.next() }
  }

  @Test func aReaderThatStaysBehindIsSeen() async throws {
    let world = try World(rows: 50)
    #expect(await world.service.oldestHeldState() == nil)
    let snapshot = try world.store.snapshot()
    try world.insert(1)
    try world.insert(1)
    let held = try #require(await world.service.oldestHeldState())
    #expect(held.process == getpid() && held.commits == 2 && held.bytes > 0)
    // Ages count from the first look that finds the reader.
    #expect(held.seconds == 0 && held.warning == nil)
    withExtendedLifetime(snapshot) {}
  }
}
