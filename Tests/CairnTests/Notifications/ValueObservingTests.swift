import Cairn
import CairnTestSupport
import Testing

/// Observers of lists, sets and maps of values and of objects.
@Suite(.tags(.threads)) struct ValueObservingTests {
  let onQueue = QueueRealm()

  private func text<M>(_ change: RealmMapChange<M>) -> String where M.Key == String {
    switch change {
    case .initial(let map): "initial \(Array(map).count)"
    case .update(_, let deletions, let insertions, let modifications):
      "-\(deletions) +\(insertions) ~\(modifications)"
    case .error(let error): "\(error)"
    }
  }

  @Test func mapsReportTheirKeys() throws {
    try onQueue { realm in
      let den = Den(value: ["weights": ["a": 1.0, "b": 2.0, "c": 3.0]])
      let otter = Otter(value: ["id": 1])
      try realm.write {
        realm.add(den)
        den.byName["x"] = otter
        den.byName["y"] = Otter(value: ["id": 2])
      }
      var weights: [String] = []
      var names: [String] = []
      var filtered: [String] = []
      let tokens = [
        den.weights.observe { weights.append(text($0)) },
        den.byName.observe { names.append(text($0)) },
        den.byName.observe(keyPaths: [\.name]) { filtered.append(text($0)) },
      ]
      realm.refresh()
      try realm.write {
        den.weights["a"] = nil
        den.weights["b"] = 2.5
        den.weights["d"] = 4
        den.weights["c"] = 3
        otter.age = 6
      }
      realm.refresh()
      #expect(weights == ["initial 3", #"-["a"] +["d"] ~["b"]"#])
      #expect(names == ["initial 2", #"-[] +[] ~["x"]"#])
      #expect(filtered == ["initial 2"])
      try realm.write { realm.delete(otter) }
      realm.refresh()
      #expect(names.last == #"-[] +[] ~["x"]"#)
      #expect(names.count == 3)
      try realm.write { realm.delete(den) }
      realm.refresh()
      #expect(weights.last == #"-["b", "c", "d"] +[] ~[]"#)
      #expect(names.last == #"-["x", "y"] +[] ~[]"#)
      _ = tokens
    }
  }

  @Test func setsAndListsOfValues() throws {
    try onQueue { realm in
      let den = Den(value: ["numbers": [1, 2, 3, 4], "colours": ["blue", "red"]])
      try realm.write { realm.add(den) }
      var seen: [String] = []
      let tokens = [
        den.numbers.observe { seen.append("list \($0.text)") },
        den.numbers.sorted(ascending: false).observe { seen.append("sorted \($0.text)") },
        den.colours.observe { seen.append("set \($0.text)") },
      ]
      realm.refresh()
      seen = []
      try realm.write {
        den.numbers[1] = 20
        den.numbers.removeLast()
        den.colours.insert("green")
        den.colours.remove("red")
      }
      realm.refresh()
      #expect(
        seen == ["list -[3] +[] ~[1]", "sorted -[0, 2] +[0] ~[]", "set -[1] +[1] ~[]"])
      seen = []
      try realm.write { den.name = "other" }
      realm.refresh()
      #expect(seen.isEmpty)
      _ = tokens
    }
  }

  @Test func collectionsInMixedValues() throws {
    try onQueue { realm in
      let den = Den()
      try realm.write {
        realm.add(den)
        den.anything = AnyRealmValue.fromArray([.int(1), .string("two")])
      }
      var seen: [String] = []
      let list = try #require(den.anything.listValue)
      let token = list.observe { seen.append($0.text) }
      realm.refresh()
      try realm.write { list.append(.double(3)) }
      realm.refresh()
      try realm.write { den.anything = .fromDictionary(["a": .int(1)]) }
      realm.refresh()
      #expect(seen == ["initial 2", "-[] +[2] ~[]", "-[0, 1, 2] +[] ~[]"])
      let map = try #require(den.anything.dictionaryValue)
      var keys: [String] = []
      let second = map.observe { keys.append(text($0)) }
      realm.refresh()
      try realm.write {
        map["b"] = .int(2)
        map["a"] = .int(7)
      }
      realm.refresh()
      #expect(keys == ["initial 1", #"-[] +["b"] ~["a"]"#])
      withExtendedLifetime((token, second)) {}
    }
  }

  /// Random edits, compared with plain arrays, sets and dictionaries.
  @Test(arguments: 0..<Soak.count(8, long: 200))
  func changeSetsYieldTheNewState(_ number: Int) throws {
    let seed = UInt64(4200 + number)
    var random = SplitMix64(seed: seed)
    try onQueue { realm in
      let den = Den(value: ["numbers": Array(0..<12)])
      try realm.write { realm.add(den) }
      var numbers: [Int] = []
      var colours: [String] = []
      var weights: [String: Double] = [:]
      let tokens = [
        den.numbers.observe { numbers.follow($0, "seed \(seed)") },
        den.colours.observe { colours.follow($0, "seed \(seed)") },
        den.weights.observe { change in
          guard case .update(let map, let deletions, let insertions, let modifications) = change
          else { return }
          for key in deletions { #expect(weights.removeValue(forKey: key) != nil) }
          for key in insertions { #expect(weights.updateValue(map[key]!, forKey: key) == nil) }
          for key in modifications {
            #expect(weights.updateValue(map[key]!, forKey: key) != map[key])
          }
        },
      ]
      realm.refresh()
      for _ in 0..<40 {
        try realm.write {
          for _ in 0..<Int.random(in: 1...5, using: &random) { edit(den, &random) }
        }
        realm.refresh()
        #expect(numbers == Array(den.numbers), "seed \(seed)")
        #expect(colours == Array(den.colours), "seed \(seed)")
        #expect(weights == Dictionary(uniqueKeysWithValues: den.weights.map { ($0.key, $0.value) }))
      }
      _ = tokens
    }
  }

  private func edit(_ den: Den, _ random: inout SplitMix64) {
    let number = Int.random(in: 0..<8, using: &random)
    let index = Int.random(in: 0...den.numbers.count, using: &random)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: den.numbers.insert(number, at: index)
    case 1 where index < den.numbers.count: den.numbers.remove(at: index)
    case 2 where index < den.numbers.count: den.numbers[index] = number
    case 3 where index < den.numbers.count: den.numbers.swapAt(index, 0)
    case 4 where index < den.numbers.count: den.numbers.move(from: index, to: 0)
    case 5: den.colours.insert("colour \(number)")
    case 6: den.colours.remove("colour \(number)")
    case 7: den.weights["key \(number)"] = Double(index)
    default: den.weights.removeObject(for: "key \(number)")
    }
  }
}

extension Array where Element: RealmCollectionValue {
  /// Applies a change set as a user interface does.
  mutating func follow<C: RealmCollection>(
    _ change: RealmCollectionChange<C>, _ comment: String
  ) where C.Element == Element {
    switch change {
    case .initial(let elements): self = Array(elements)
    case .update(let elements, let deletions, let insertions, let modifications):
      #expect(deletions == deletions.sorted() && insertions == insertions.sorted(), "\(comment)")
      #expect(Set(deletions).isDisjoint(with: modifications), "\(comment)")
      let changed = Set(modifications)
      var kept = enumerated().filter { !deletions.contains($0.offset) }
        .map { (element: $0.element, isChanged: changed.contains($0.offset)) }
      for index in insertions { kept.insert((elements[index], false), at: index) }
      self = kept.enumerated().map { $1.isChanged ? elements[$0] : $1.element }
    case .error(let error): Issue.record(error)
    }
  }
}
