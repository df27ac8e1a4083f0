import CairnStorage
import CairnSystem
import CairnTestSupport
import Foundation
import Testing

@testable import CairnServer

/// The threads that do the work of requests.
@Suite(.tags(.threads)) struct RequestThreadTests {
  /// Jobs that run until they are released, as slow queries do.
  private final class SlowJobs: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let states = Mutex((begun: 0, ended: 0))
    let count: Int

    init(_ count: Int) { self.count = count }

    var begun: Int { states.withLock { $0.begun } }
    var ended: Int { states.withLock { $0.ended } }

    func begin(on threads: RequestThreads) -> [Task<Void, any Error>] {
      (0..<count).map { _ in
        Task {
          try await threads.run {
            self.states.withLock { $0.begun += 1 }
            self.gate.wait()
            self.states.withLock { $0.ended += 1 }
          }
        }
      }
    }

    /// Waits until all jobs have begun.
    func waitUntilBegun() async throws {
      try await eventually("\(count) jobs have begun") {
        begun
      } until: {
        $0 == count
      }
    }

    func release() { for _ in 0..<count { gate.signal() } }
  }

  @Test(arguments: [1, 2, 7, 40]) func slowJobsDoNotHoldUpQuickOnes(count: Int) async throws {
    let threads = RequestThreads(maxThreads: 64, quickJobs: 2)
    let slow = SlowJobs(count)
    let tasks = slow.begin(on: threads)
    for number in 0..<100 { #expect(try await threads.run { number } == number) }
    try await slow.waitUntilBegun()
    #expect(try await threads.run { 7 } == 7)
    #expect(slow.ended == 0)
    slow.release()
    for task in tasks { try await task.value }
    #expect(slow.ended == count && threads.threadCount <= 64)
  }

  @Test(arguments: [1, 2, 5]) func jobsWaitIfAllThreadsAreTaken(maxThreads: Int) async throws {
    let threads = RequestThreads(maxThreads: maxThreads, quickJobs: 2)
    let slow = SlowJobs(maxThreads)
    var tasks = slow.begin(on: threads)
    try await slow.waitUntilBegun()
    let done = Mutex<[Int]>([])
    for number in 0..<3 {
      tasks.append(Task { try await threads.run { done.withLock { $0.append(number) } } })
      try await eventually("the job waits") {
        threads.waitingCount
      } until: {
        $0 == number + 1
      }
    }
    #expect(threads.threadCount == maxThreads)
    #expect(done.withLock { $0.isEmpty })
    slow.release()
    for task in tasks { try await task.value }
    #expect(done.withLock { $0.sorted() } == [0, 1, 2])
  }

  /// Random jobs from many tasks all run once, and give back their results and errors.
  @Test(arguments: 1...3 as ClosedRange<UInt64>) func manyJobsRunOnce(seed: UInt64) async throws {
    let threads = RequestThreads(maxThreads: 8, quickJobs: 2)
    let runs = Mutex([Int](repeating: 0, count: 4000))
    struct Odd: Error {}
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<16 {
        group.addTask {
          var random = SplitMix64(seed: seed &* 31 &+ UInt64(worker))
          for number in stride(from: worker, to: 4000, by: 16) {
            // Some jobs last longer than a quick one; nothing that is expected depends on that.
            let pause = random.chance(0.01) ? random.below(30) : 0
            do {
              let result = try await threads.run { () -> Int in
                runs.withLock { $0[number] += 1 }
                if pause > 0 { usleep(UInt32(pause) * 1000) }
                if number % 2 == 1 { throw Odd() }
                return number
              }
              #expect(result == number && number % 2 == 0)
            } catch is Odd { #expect(number % 2 == 1) }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(runs.withLock { $0.allSatisfy { $0 == 1 } }, "seed \(seed)")
  }

  @Test func threadsEndWithTheirOwner() async throws {
    final class Owner: Sendable {
      let threads = RequestThreads(maxThreads: 4)
      let ended: Mutex<Bool>
      init(_ ended: Mutex<Bool>) { self.ended = ended }
      deinit { ended.withLock { $0 = true } }
      func work() async throws -> Int { try await threads.run { self.ended.withLock { _ in 1 } } }
    }
    let ended = Mutex(false)
    for _ in 0..<50 { #expect(try await Owner(ended).work() == 1) }
    try await eventually("an owner is released") { ended.withLock { $0 } }
  }

  // MARK: The service

  @Test func slowQueriesDoNotHoldUpOtherRequests() async throws {
    let world = try World(rows: 300)
    let slow = SlowJobs(50)
    let tasks = slow.begin(on: world.service.threads)
    try await slow.waitUntilBegun()
    for target in [
      "/collections/places/tiles/0/0/0.mvt", "/collections/places/items?limit=5",
      "/collections/places/items/7", "/collections/places/statistics", "/collections", "/",
    ] {
      #expect(try await world.service.get(target).status == 200, "\(target)")
    }
    let client = try await LiveTests.Client(world.service, "/collections/notes/live")
    #expect(try await client.next()?.name == "ready")
    try world.editNotes { notes in try notes.delete(1) }
    #expect(try await client.next()?.name == "leave")
    #expect(slow.ended == 0)
    slow.release()
    for task in tasks { try await task.value }
  }

  /// Queries, streams and changes run on these threads, and not on Swift's.
  @Test func requestsUseTheThreads() async throws {
    var options = ServiceOptions()
    options.maxThreads = 1
    options.writeToken = "correct-horse-battery"
    let world = try World(rows: 3000, options: options)
    let service = world.service
    let page = await service.respond(
      to: Request(
        target: "/collections/places/items?limit=3000", headers: ["Accept-Encoding": "gzip"]))
    guard case .stream(let stream) = page.body else { throw ServiceError(description: "") }
    _ = try await stream.next()
    let slow = SlowJobs(1)
    let first = slow.begin(on: service.threads)
    try await slow.waitUntilBegun()
    let headers: Headers = ["Authorization": "Bearer correct-horse-battery"]
    let waiting = [
      Task { try await service.get("/collections/places/items").status },
      Task { try await service.get("/collections/places/tiles/0/0/0.mvt").status },
      Task {
        try await service.get("/collections/notes/items/1", headers: headers, method: "DELETE")
          .status
      },
      Task { try await stream.next() == nil ? 0 : 200 },
    ]
    try await eventually("all requests wait for the thread") {
      service.threads.waitingCount
    } until: {
      $0 == waiting.count
    }
    slow.release()
    for task in waiting { #expect([200, 204].contains(try await task.value)) }
    for task in first { try await task.value }
  }
}
