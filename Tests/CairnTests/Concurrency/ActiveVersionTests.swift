import Cairn
import CairnTestSupport
import Dispatch
import Foundation
import Testing

class Beacon: Object {
  @Persisted(primaryKey: true) var number = 0
  @Persisted var blinks = 0
}

/// Realms, frozen objects and threads that retain old versions, and their effect on the file.
@Suite(.tags(.threads)) struct ActiveVersionTests {
  private let folder: TemporaryFolder
  private let file: URL
  private static let beacons = 200

  init() throws {
    folder = try TemporaryFolder()
    file = folder.url.appendingPathComponent("beacons.cairn")
  }

  private var size: Int {
    (try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int) ?? 0
  }

  @Test func aCommitBeyondTheLimitIsRejected() throws {
    var configuration = Realm.Configuration(fileURL: file)
    configuration.maximumNumberOfActiveVersions = 3
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Beacon()) }
    var frozen: Results<Beacon>? = realm.objects(Beacon.self).freeze()
    for _ in 0..<2 { try realm.write { realm.objects(Beacon.self).first?.blinks += 1 } }
    #expect(realm.numberOfActiveVersions == 3)
    let error = #expect(throws: Realm.Error.self) {
      try realm.write {
        realm.objects(Beacon.self).first?.blinks += 1
        realm.add(Beacon(value: ["number": 7]))
      }
    }
    #expect(error?.description.contains("(4) in the Realm exceeded the limit of 3") == true)
    #expect(realm.objects(Beacon.self).map(\.blinks) == [2])
    #expect(!realm.isInWriteTransaction)
    #expect(frozen?.first?.blinks == 0)
    frozen = nil
    try realm.write { realm.objects(Beacon.self).first?.blinks += 1 }
    #expect(realm.objects(Beacon.self).map(\.blinks) == [3])
    #expect(realm.numberOfActiveVersions <= 2)
  }

  @Test func aBackgroundCommitBeyondTheLimitIsRejected() async throws {
    let queue = DispatchQueue(label: "cairn.beacons")
    let file = file
    let outcome: String = await withCheckedContinuation { done in
      queue.async {
        do {
          var configuration = Realm.Configuration(fileURL: file)
          configuration.maximumNumberOfActiveVersions = 1
          let realm = try Realm(configuration: configuration, queue: queue)
          try realm.write { realm.add(Beacon()) }
          let frozen = realm.freeze()
          realm.writeAsync {
            realm.objects(Beacon.self).first?.blinks = 1
          } onComplete: { error in
            let blinks = realm.objects(Beacon.self).first?.blinks ?? -1
            let seen = frozen.objects(Beacon.self).first?.blinks ?? -1
            done.resume(returning: "\(error is Realm.Error) \(blinks) \(seen)")
          }
        } catch { Issue.record(error) }
      }
    }
    #expect(outcome == "true 0 0")
  }

  /// Commits repeatedly, and lets other tasks run in between.
  private func blink(_ times: Int) async throws {
    let file = file
    for _ in 0..<times / 25 {
      let queue = DispatchQueue(label: "cairn.blinking")
      try queue.sync {
        let realm = try Realm(configuration: Realm.Configuration(fileURL: file), queue: queue)
        for _ in 0..<25 {
          try realm.write {
            for beacon in realm.objects(Beacon.self) { beacon.blinks += 1 }
          }
        }
      }
      await Task.yield()
    }
  }

  private func prepare() throws {
    let realm = try Realm(fileURL: file)
    try realm.write {
      for number in 0..<Self.beacons { realm.add(Beacon(value: ["number": number])) }
    }
  }

  /// Freed pages are reused, so the file does not grow.
  @Test func anIdleRealmReleasesOldVersions() async throws {
    try prepare()
    let keeper = try await BeaconKeeper(file)
    let times = Soak.count(150, long: 10_000)
    try await blink(times)
    try await eventually("an idle realm advances automatically") {
      await keeper.versions
    } until: {
      $0 <= 2
    }
    #expect(await keeper.blinks == times)
    if Soak.isOn { print("idle realm of an actor, \(times) commits: \(size) bytes") }
  }

  @Test func aFrozenRealmRetainsItsVersion() async throws {
    try prepare()
    let frozen = try Realm(fileURL: file).freeze()
    let before = size
    let times = Soak.count(50, long: 10_000)
    try await blink(times)
    #expect(try Realm(fileURL: file).numberOfActiveVersions == UInt(times) + 1)
    #expect(frozen.objects(Beacon.self).sum(of: \.blinks) as Int == 0)
    if Soak.isOn { print("frozen realm, \(times) commits: \(before) to \(size) bytes") }
  }

  /// A thread that does not refresh its realm.
  @Test func aThreadWithoutARunLoopRetainsItsVersion() async throws {
    try prepare()
    let before = size
    let times = Soak.count(50, long: 10_000)
    let goesOn = DispatchSemaphore(value: 0)
    let file = file
    let seen: AsyncStream<Int> = AsyncStream { stream in
      Thread {
        do {
          let realm = try Realm(fileURL: file)
          stream.yield(realm.objects(Beacon.self).sum(of: \.blinks) as Int)
          goesOn.wait()
          stream.yield(realm.objects(Beacon.self).sum(of: \.blinks) as Int)
          realm.refresh()
          stream.yield(realm.objects(Beacon.self).sum(of: \.blinks) as Int)
        } catch { Issue.record(error) }
        stream.finish()
      }.start()
    }
    var sums = seen.makeAsyncIterator()
    #expect(await sums.next() == 0)
    try await blink(times)
    #expect(try Realm(fileURL: file).numberOfActiveVersions == UInt(times) + 1)
    if Soak.isOn { print("bare thread, \(times) commits: \(before) to \(size) bytes") }
    goesOn.signal()
    #expect(await sums.next() == 0)
    #expect(await sums.next() == times * Self.beacons)
  }
}

/// An actor with a realm that it does not use.
private actor BeaconKeeper {
  private var realm: Realm?

  init(_ file: URL) async throws {
    realm = try await Realm(configuration: Realm.Configuration(fileURL: file), actor: self)
    _ = realm?.objects(Beacon.self).count
  }

  var versions: UInt { realm?.numberOfActiveVersions ?? 0 }
  var blinks: Int { realm?.objects(Beacon.self).first?.blinks ?? -1 }
}
