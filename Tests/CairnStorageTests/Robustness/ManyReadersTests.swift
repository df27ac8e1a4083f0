import CairnSystem
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnStorage

/// Many readers and one writer: nobody sees half of a transaction, and no commit is lost.
@Suite(.tags(.threads)) struct ManyReadersTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  @Test func sixtyFourReadersAndAWriter() async throws {
    let store = try folder.store()
    try Accounts.prepare(store)
    let accounts = Accounts(store: store)
    let isOver = Locked(false)
    let threads = (0..<64).map { _ in Reading(accounts, isOver) }
    var random = SplitMix64(seed: 64)
    let rounds = Soak.count(100, long: 3000)
    for round in 0..<rounds { try accounts.transfer(&random, grouping: round % 3 == 0) }
    isOver.withLock { $0 = true }
    for thread in threads { thread.join() }
    #expect(threads.flatMap(\.objections).prefix(5) == [])
    #expect(threads.allSatisfy { $0.statesRead > 0 })
    #expect(accounts.transfers(try store.snapshot()) == Int64(rounds))
    #expect(store.heldVersions() == [], "every reader's slot is free again")
  }

  /// Processes that read and write the same store.
  @Test func processesThatReadAndWrite() async throws {
    let path = folder.file()
    let rounds = Soak.count(60, long: 3000)
    do { try Accounts.prepare(try folder.store()) }
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [path = path as String, rounds = rounds as Int, writer = writer as Int] in
            let accounts = Accounts(store: try Store.open(path, mode: .readWrite))
            var random = SplitMix64(seed: UInt64(writer))
            for round in 0..<rounds {
              try accounts.transfer(&random, grouping: round % 2 == writer % 2)
            }
          }
        }
      }
      for _ in 0..<2 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [path = path as String, goal = Int64(3 * rounds) as Int64] in
            let accounts = Accounts(store: try Store.open(path, mode: .readOnly))
            var last: Int64 = 0
            try await eventually("all transfers are there") {
              let snapshot = try accounts.store.snapshot()
              let found = accounts.objections(snapshot)
              let transfers = accounts.transfers(snapshot)
              guard found.isEmpty, transfers >= last else { exit(1) }
              last = transfers
              return last
            } until: {
              $0 >= goal
            }
          }
        }
      }
    }
    let accounts = Accounts(store: try folder.store(.readWrite))
    let snapshot = try accounts.store.snapshot()
    #expect(accounts.transfers(snapshot) == Int64(3 * rounds))
    #expect(accounts.objections(snapshot) == [])
  }

  /// Writing threads of this process while another process writes.
  @Test func groupsAndAnotherProcess() async throws {
    let path = folder.file()
    let rounds = Soak.count(40, long: 2000)
    let store = try folder.store()
    try Accounts.prepare(store)
    let accounts = Accounts(store: store)
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await #expect(processExitsWith: .success) {
          [path = path as String, rounds = rounds as Int] in
          let accounts = Accounts(store: try Store.open(path, mode: .readWrite))
          var random = SplitMix64(seed: 99)
          for _ in 0..<rounds { try accounts.transfer(&random, grouping: false) }
        }
      }
      for writer in 0..<4 {
        group.addTask {
          var random = SplitMix64(seed: UInt64(writer))
          for round in 0..<rounds {
            #expect(throws: Never.self) {
              try accounts.transfer(&random, grouping: round % 2 == 0)
            }
          }
        }
      }
    }
    let snapshot = try store.snapshot()
    #expect(accounts.transfers(snapshot) == Int64(5 * rounds))
    #expect(accounts.objections(snapshot) == [])
  }
}

/// A thread that reads one snapshot after the other.
private final class Reading: @unchecked Sendable {
  // Sendable: the results of the thread are read after it has ended.
  private(set) var objections: [String] = []
  private(set) var statesRead = 0
  private let ended = DispatchSemaphore(value: 0)

  init(_ accounts: Accounts, _ isOver: Locked<Bool>) {
    let thread = Thread { [self] in
      run(accounts, isOver)
      ended.signal()
    }
    thread.start()
  }

  private func run(_ accounts: Accounts, _ isOver: Locked<Bool>) {
    var last: Int64 = 0
    repeat {
      guard let snapshot = try? accounts.store.snapshot() else {
        objections.append("a snapshot could not be read")
        return
      }
      let transfers = accounts.transfers(snapshot)
      if transfers < last { objections.append("\(transfers) transfers after \(last)") }
      last = transfers
      objections += accounts.objections(snapshot)
      statesRead += 1
    } while !isOver.value && objections.isEmpty
  }

  func join() { ended.wait() }
}
