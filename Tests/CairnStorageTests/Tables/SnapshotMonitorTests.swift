import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// The warnings of snapshots that are old and costly.
@Suite(.tags(.threads)) struct SnapshotMonitorTests {
  private func snapshot(
    _ bytes: Int, process: Int32 = 5, version: UInt64 = 10
  ) -> OldestSnapshot {
    OldestSnapshot(process: process, version: version, commits: 3, heldBytes: bytes)
  }

  @Test func aSnapshotIsReportedOnceItIsOldAndCostly() {
    var monitor = SnapshotMonitor(minSeconds: 60, minBytes: 1000)
    func isDue(_ snapshot: OldestSnapshot?, at time: Double) -> Bool? {
      monitor.note(snapshot, at: time)?.isWarningDue
    }
    #expect(isDue(nil, at: 0) == nil)
    #expect(isDue(snapshot(5000), at: 100) == false)
    #expect(isDue(snapshot(5000), at: 159) == false)
    #expect(isDue(snapshot(900), at: 160) == false)
    #expect(isDue(snapshot(1000), at: 161) == true)
    #expect(isDue(snapshot(1999), at: 200) == false)
    #expect(isDue(snapshot(2000), at: 300) == true)
    #expect(isDue(snapshot(3000), at: 400) == false)
    #expect(isDue(snapshot(9000), at: 500) == true)
  }

  @Test func theAgeCountsFromTheFirstLookThatSawTheSnapshot() {
    var monitor = SnapshotMonitor()
    func age(_ snapshot: OldestSnapshot?, at time: Double) -> Double? {
      monitor.note(snapshot, at: time)?.seconds
    }
    #expect(age(snapshot(1), at: 10) == 0)
    #expect(age(snapshot(2), at: 15) == 5)
    #expect(age(snapshot(2, process: 6), at: 20) == 0)
    #expect(age(snapshot(2, process: 6, version: 11), at: 25) == 0)
    #expect(age(snapshot(2, process: 6, version: 11), at: 40) == 15)
    #expect(age(nil, at: 41) == nil)
    #expect(age(snapshot(2, process: 6, version: 11), at: 50) == 0)
  }

  @Test func aWarningNamesTheHolder() throws {
    var monitor = SnapshotMonitor()
    _ = monitor.note(snapshot(70_000_000), at: 0)
    let noted = monitor.note(snapshot(70_000_000), at: 61)
    let sighting = try #require(noted)
    #expect(sighting.isWarningDue)
    #expect(
      sighting.warning
        == "process 5 has read the same state for 61 s, so 70 MB that 3 commits have freed "
        + "cannot be reused; the file grows until that read ends")
  }

  @Test func aStoreWithAReaderOfAnEarlierCommitIsSeen() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    var monitor = SnapshotMonitor()
    func look() throws -> SnapshotMonitor.Sighting? { try monitor.look(at: store) }
    #expect(try look() == nil)
    let snapshot = try store.snapshot()
    #expect(try look() == nil)
    try store.write { transaction in
      _ = try transaction.createTable(
        "Row", columns: [ColumnSchema(id: 0, name: "number", type: .int, position: 0)])
    }
    let sighting = try #require(try look())
    #expect(sighting.snapshot.version == snapshot.version && sighting.snapshot.commits == 1)
    #expect(!sighting.isWarningDue)
  }
}
