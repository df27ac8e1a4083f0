import Cairn
import Foundation
import GRDB

/// Measures writing on both sides, in a store of a given size.
struct WriteJobs {
  let cairn: CairnFleet
  let grdb: GRDBFleet
  let size: String
  private let folder: URL

  /// Creates new stores in a folder.
  init(_ folder: URL, _ count: Int) throws {
    self.folder = folder
    size = count == 0 ? "in an empty store" : "among \(count)"
    cairn = try CairnFleet(folder.appendingPathComponent("fleet.\(count).cairn"), count)
    grdb = try GRDBFleet(folder.appendingPathComponent("fleet.\(count).sqlite"), count)
  }

  func lines(_ say: (String) -> Void) throws {
    say(try syncing().text)
    say(try adding().text)
    say(try changing().text)
    say(try grouping().text)
    say(try crowding().text)
    say(try addingMany().text)
    say(try moving().text)
    say(try telling("moves into a circle, until its observer is called", circle, inCircle).text)
    say(try telling("changes, until an observer of half of all is called", half, inHalf).text)
  }

  /// The limit of the disk: only the writes and syncs of one commit.
  private func syncing() throws -> Rate {
    let floor = try DiskFloor(folder)
    return try Rate("the writes and syncs of a commit alone", size: 50, rounds: 40) {
      for _ in 0..<50 { floor.commitLikeLMDB() }
    } grdb: {
      for _ in 0..<50 { floor.commitLikeSQLite() }
    }
  }

  /// Adds objects, each in a transaction of its own.
  private func adding() throws -> Rate {
    try Rate("commits that add one object, \(size)", size: 50, rounds: 40) {
      for _ in 0..<50 { try cairn.realm.write { cairn.add() } }
    } grdb: {
      for _ in 0..<50 { try grdb.queue.write(grdb.add) }
    }
  }

  /// Changes one property of one object in each transaction.
  private func changing() throws -> Rate {
    try Rate("commits that change one property, \(size)", size: 50, rounds: 40) {
      for _ in 0..<50 { try cairn.realm.write { cairn.change() } }
    } grdb: {
      for _ in 0..<50 { try grdb.queue.write(grdb.change) }
    }
  }

  /// Grouped commits, which do not wait for each other. GRDB has no counterpart: each commit waits
  /// for the disk.
  private func grouping() throws -> Rate {
    try Rate("grouped commits of one object, \(size)", size: 500, rounds: 11) {
      for _ in 0..<500 {
        cairn.realm.beginWrite()
        cairn.add()
        cairn.realm.commitAsyncWrite(allowGrouping: true)
      }
      cairn.realm.refresh()
    } grdb: {
      for _ in 0..<500 { try grdb.queue.write(grdb.add) }
    }
  }

  /// Commits of eight threads, each of which waits for its own commits.
  private func crowding() throws -> Rate {
    let configuration = cairn.realm.configuration
    let (first, queue) = (cairn.count, grdb.queue)
    return try Rate("commits of 8 threads at a time, \(size)", size: 400, rounds: 11) {
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        guard let realm = try? Realm(configuration: configuration, _isolation: nil) else { return }
        for turn in 0..<50 { try? CairnFleet.change(turn * 8 + thread, of: first, in: realm) }
      }
    } grdb: {
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        for turn in 0..<50 {
          try? queue.write { try GRDBFleet.change($0, turn * 8 + thread, of: first) }
        }
      }
    }
  }

  private func addingMany() throws -> Rate {
    try Rate("adds, 10000 a commit, \(size)", size: 10_000, rounds: 5) {
      try cairn.realm.write { for _ in 0..<10_000 { cairn.add() } }
    } grdb: {
      try grdb.queue.write { for _ in 0..<10_000 { try grdb.add($0) } }
    }
  }

  /// Moves a hundred locations in each transaction, followed by a query.
  private func moving() throws -> Rate {
    try Rate("moves, 100 a commit, a query each, \(size)", size: 1000, rounds: 11) {
      for _ in 0..<10 {
        try cairn.realm.write { for _ in 0..<100 { cairn.move() } }
        _ = cairn.look()
      }
    } grdb: {
      for _ in 0..<10 {
        try grdb.queue.write { for _ in 0..<100 { try grdb.move($0) } }
        _ = try grdb.look()
      }
    }
  }
}
