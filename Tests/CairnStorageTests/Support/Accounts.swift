import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// Accounts that money is transferred between: their sum is the same in every snapshot.
struct Accounts {
  let store: Store

  static let count = 200
  static let total: Int64 = 200 * 100

  /// Creates the accounts, and a row that counts the transfers.
  static func prepare(_ store: Store) throws {
    try store.write { transaction in
      let accounts = try transaction.createTable(
        "Account",
        columns: [
          ColumnSchema(id: 0, name: "number", type: .int, isPrimaryKey: true, position: 0),
          ColumnSchema(id: 1, name: "money", type: .int, position: 1),
          ColumnSchema(id: 2, name: "at", type: .point, position: 2),
        ])
      for number in 0..<count {
        try accounts.insert([.int(Int64(number)), .int(100), .point(place(100))])
      }
      let tally = try transaction.createTable(
        "Tally", columns: [ColumnSchema(id: 0, name: "transfers", type: .int, position: 0)])
      try tally.insert([.int(0)])
    }
  }

  /// The location of an account, which depends on its money.
  private static func place(_ money: Int64) -> Position {
    Position(latitude: Double(money % 90), longitude: Double(money % 180))
  }

  /// Makes one transfer, in a transaction of its own.
  func transfer(_ random: inout SplitMix64, grouping: Bool) throws {
    let transaction = try store.beginWrite()
    let accounts = try #require(transaction.table("Account"))
    let tally = try #require(transaction.table("Tally"))
    let sum = Int64.random(in: 1...50, using: &random)
    for (money, sign) in [(sum, 1), (sum, -1)] as [(Int64, Int64)] {
      let number = Int.random(in: 0..<Self.count, using: &random)
      let key = try #require(accounts.table.find(primaryKey: .int(Int64(number))))
      let new = integer(accounts.table.value(1, at: key)) + sign * money
      try accounts.set(.int(new), position: 1, at: key)
      try accounts.set(.point(Self.place(abs(new))), position: 2, at: key)
    }
    try tally.set(.int(integer(tally.table.value(0, at: 0)) + 1), position: 0, at: 0)
    guard grouping, let changes = try transaction.seal() else { return try transaction.commit() }
    changes.commit(allowGrouping: true)
    try changes.wait()
    transaction.release()
  }

  /// The faults of a snapshot, whether it is read row by row or through the index.
  func objections(_ snapshot: Snapshot) -> [String] {
    guard let accounts = snapshot.table("Account") else { return ["no accounts"] }
    var sum: Int64 = 0
    var misplaced = 0
    for key in 0..<accounts.endKey where accounts.isLive(key) {
      let money = integer(accounts.value(1, at: key))
      sum += money
      if accounts.value(2, at: key) != .point(Self.place(abs(money))) { misplaced += 1 }
    }
    var found: [String] = []
    if accounts.liveCount != Self.count { found.append("\(accounts.liveCount) accounts") }
    if sum != Self.total { found.append("the sum is \(sum)") }
    if misplaced > 0 { found.append("\(misplaced) accounts are elsewhere") }
    if let answers = try? SpatialAnswers(accounts, 2),
      answers.keys(in: SpatialAnswers.world).count != Self.count
    {
      found.append("the R-tree has \(answers.keys(in: SpatialAnswers.world).count)")
    }
    return found
  }

  /// The number of transfers in a snapshot.
  func transfers(_ snapshot: Snapshot) -> Int64 {
    snapshot.table("Tally").map { integer($0.value(0, at: 0)) } ?? -1
  }

  private func integer(_ value: Value) -> Int64 {
    if case .int(let number) = value { number } else { 0 }
  }
}
