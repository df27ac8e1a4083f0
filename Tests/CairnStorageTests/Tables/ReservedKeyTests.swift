import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// The keys of rows that were rolled back are reused only once.
@Suite struct ReservedKeyTests {
  private static let columns = [
    ColumnSchema(id: 0, name: "name", type: .string, isOptional: true, position: 0),
    ColumnSchema(id: 1, name: "place", type: .point, position: 1),
  ]

  private func row(_ number: Int) -> [Value] {
    [.string("row \(number)"), .point(Position(latitude: Double(number % 80), longitude: 1))]
  }

  /// Random transactions and rollbacks, compared with a dictionary.
  @Test func everyKeyIsAssignedOnce() throws {
    let seed = Soak.seed(140)
    var random = SplitMix64(seed: seed)
    let store = try Store.openInMemory(identifier: "spent keys \(seed)")
    var present: [Int: Int] = [:]
    var given: Set<Int> = []
    var number = 0
    for round in 0..<Soak.count(15, long: 30) {
      let transaction = try store.beginWrite()
      let table =
        try transaction.table("Row") ?? transaction.createTable("Row", columns: Self.columns)
      var edited = present
      for _ in 0..<[3, 500, 5000][Int.random(in: 0..<3, using: &random)] {
        let key = try table.insert(row(number))
        guard given.insert(key).inserted else {
          Issue.record("seed \(seed), round \(round): \(key) again")
          return
        }
        edited[key] = number
        number += 1
      }
      for key in edited.keys.filter({ $0 % 7 == round % 7 }).sorted().prefix(20) {
        try table.delete(key)
        edited[key] = nil
      }
      if Bool.random(using: &random) {
        try transaction.commit()
        present = edited
      } else {
        transaction.rollbackReservingKeys()
      }
      guard let read = try store.snapshot().table("Row") else {
        #expect(present.isEmpty)
        continue
      }
      #expect(read.liveCount == present.count, "seed \(seed), round \(round)")
      let wrong = given.first { read.isLive($0) != (present[$0] != nil) }
      #expect(wrong == nil, "seed \(seed), round \(round)")
      for (key, number) in present.prefix(50) { #expect(read.value(0, at: key) == row(number)[0]) }
    }
  }
}
