import Cairn
import Foundation
import GRDB

/// What writing costs on both sides, in a store of a given size.
struct WriteJobs {
  private let cairn: CairnFleet
  private let grdb: GRDBFleet
  private let size: String

  /// New stores in a folder.
  init(_ folder: URL, _ count: Int) throws {
    size = count == 0 ? "in an empty store" : "among \(count)"
    cairn = try CairnFleet(folder.appendingPathComponent("fleet.\(count).cairn"), count)
    grdb = try GRDBFleet(folder.appendingPathComponent("fleet.\(count).sqlite"), count)
  }

  func lines(_ say: (String) -> Void) throws {
    say(try adding().text)
    say(try changing().text)
    say(try moving().text)
  }

  /// One object added in a transaction of its own.
  private func adding() throws -> Rate {
    try Rate("commits that add one object, \(size)", size: 50, rounds: 40) {
      for _ in 0..<50 { try cairn.realm.write { cairn.add() } }
    } grdb: {
      for _ in 0..<50 { try grdb.queue.write(grdb.add) }
    }
  }

  /// One property of one object changed in a transaction of its own.
  private func changing() throws -> Rate {
    try Rate("commits that change one property, \(size)", size: 50, rounds: 40) {
      for _ in 0..<50 { try cairn.realm.write { cairn.change() } }
    } grdb: {
      for _ in 0..<50 { try grdb.queue.write(grdb.change) }
    }
  }

  /// Locations that move, a hundred in a transaction, and a query behind each.
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
