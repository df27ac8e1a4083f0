import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnIO

/// Imports random files into one class and compares the result with a model of plain values.
struct WideningWorkloadTests {
  @Test(arguments: 1...Soak.count(3, long: 60))
  func consecutiveFilesAgreeWithTheModel(seed: Int) throws {
    var work = try WideningWorkload(seed: UInt64(seed))
    for turn in 0..<Soak.count(25, long: 60) { try work.turn(turn) }
    #expect(work.rejects > 0 && work.widenings > 0, "seed \(seed)")
  }
}

private struct WideningWorkload {
  let seed: UInt64
  private var random: SplitMix64
  private let folder: TemporaryFolder
  private var store: Store?
  private var model = WideningModel()
  private(set) var rejects = 0
  private(set) var widenings = 0

  init(seed: UInt64) throws {
    self.seed = seed
    random = SplitMix64(seed: seed)
    folder = try TemporaryFolder(inMemory: true)
    store = try folder.store()
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

  mutating func turn(_ turn: Int) throws {
    var file = file(turn)
    let policy = WideningModel.Policy.allCases[number(0...2)]
    let isCSV = chance(50)
    if !isCSV { file = file.spokenOf }
    if chance(15), let name = file.names.first(where: { model.types[$0] != nil }) {
      file.types = [name: .string]
    }
    let expected = model.adding(file, policy)
    let comment = "seed \(seed), turn \(turn)"
    do {
      let imported = try add(file, policy, isCSV: isCSV)
      guard let expected else {
        Issue.record("\(comment): this should have been rejected:\n\(file.csv)")
        return
      }
      #expect(Set(imported.summary.widened) == expected.changes, "\(comment)")
      model = expected
      if !model.changes.isEmpty { widenings += 1 }
    } catch let error as ImportError {
      #expect(expected == nil, "\(comment): \(error)\n\(file.csv)")
      rejects += 1
    }
    // A verification costs more than everything else, and what it finds remains in the file.
    try check(comment, verifies: Soak.isOn || turn % 3 == 0)
    if chance(20) { try compact(comment) }
  }

  private mutating func file(_ turn: Int) -> WideningModel.File {
    var file = WideningModel.File()
    var kinds: [String: [WideningModel.Kind]] = [:]
    for name in ["a", "b", "c", "d", "e", "f\(turn / 5)"] where chance(60) {
      file.names.append(name)
      var own = [WideningModel.Kind.allCases[number(0...5)]]
      // Mostly types that the class has or can get.
      if let type = model.types[name], chance(70) {
        own = type == .bool ? [.bool] : type == .date ? [.date] : chance(60) ? [.int] : [.double]
      }
      if chance(10) { own.append(WideningModel.Kind.allCases[number(0...5)]) }
      kinds[name] = own
    }
    var ids: Set<Int64> = []
    for _ in 0..<number(1...30) { ids.insert(Int64(number(1...(turn + 1) * 30))) }
    for id in ids.sorted() {
      var fields: [String: WideningModel.Field] = [:]
      for name in file.names where chance(80) {
        guard let kind = kinds[name]?.randomElement(using: &random) else { continue }
        fields[name] = WideningModel.Field(kind, &random)
      }
      file.rows.append((id, fields))
    }
    return file
  }

  private func add(
    _ file: WideningModel.File, _ policy: WideningModel.Policy, isCSV: Bool
  ) throws -> Imported {
    let path = try folder.write(
      Array((isCSV ? file.csv : file.features).utf8), as: isCSV ? "f.csv" : "f.geojsonl")
    let isFirst = model.rows.isEmpty
    return try Imported([path], into: try #require(store)) { options in
      options.primaryKey = "id"
      options.onConflict = [.error: .error, .replace: .replace, .skip: .skip][policy] ?? .error
      options.types = file.types.mapValues { _ in .text }
      if isFirst { options.indexed = file.names.filter { $0 < "d" } }
    }
  }

  private func check(_ comment: String, verifies: Bool) throws {
    let (columns, rows) = try Imported.read(try #require(store), "Thing")
    let names = columns.map(\.name)
    let types = Dictionary(uniqueKeysWithValues: columns.map { ($0.name, $0.type) })
      .filter { $0.key != "id" && $0.key != "location" }
    #expect(types == model.types, "\(comment)")
    var found: [Int64: [String: Value]] = [:]
    for row in rows {
      let values = Dictionary(uniqueKeysWithValues: zip(names, row))
      guard case .int(let id) = values["id"] else { continue }
      #expect(found[id] == nil && values["location"] != .null, "\(comment)")
      found[id] = values.filter { $0.value != .null && $0.key != "id" && $0.key != "location" }
    }
    #expect(found == model.rows, "\(comment)")
    guard verifies else { return }
    let report = try Store.verify(try #require(store).path)
    #expect(report.findings.isEmpty, "\(comment): \(report.findings)")
  }

  private mutating func compact(_ comment: String) throws {
    let path = try #require(store).path
    store = nil
    _ = try Store.compact(path)
    store = try Store.open(path, mode: .readWrite)
    try check("\(comment), compacted", verifies: true)
  }
}
