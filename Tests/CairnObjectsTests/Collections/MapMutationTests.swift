import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Random changes of maps, compared with dictionaries.
@Suite struct MapMutationTests {
  @Test(arguments: [false, true]) func texts(isManaged: Bool) throws {
    try check(\.wordMap, isManaged) { "\(Int.random(in: 0...30, using: &$0))" }
  }

  @Test(arguments: [false, true]) func optionalIntegers(isManaged: Bool) throws {
    try check(\.numberMap, isManaged) {
      Bool.random(using: &$0) ? .random(in: -20...20, using: &$0) : nil
    }
  }

  @Test(arguments: [false, true]) func mixedValues(isManaged: Bool) throws {
    try check(\.anyMap, isManaged) {
      Bool.random(using: &$0) ? .int(.random(in: 0...9, using: &$0)) : .none
    }
  }

  private func check<Value: Hashable>(
    _ property: KeyPath<ToyBox, Map<String, Value>>, _ isManaged: Bool,
    _ make: (inout SplitMix64) -> Value
  ) throws {
    let seed = Soak.seed(130, of: "MapMutationTests")
    var random = SplitMix64(seed: seed)
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    var expected: [String: Value] = [:]
    let loose = ToyBox()
    for _ in 0..<8 {
      let realm = isManaged ? try file.realm() : nil
      realm?.beginWrite()
      let box =
        realm.map { $0.object(ofType: ToyBox.self, forPrimaryKey: 0) ?? $0.create(ToyBox.self) }
        ?? loose
      for _ in 0..<40 { change(box[keyPath: property], &expected, &random, make) }
      try realm?.commitWrite()
      let map = box[keyPath: property]
      #expect(map.keys == expected.keys.sorted(), "seed \(seed)")
      #expect(map.values == expected.keys.sorted().compactMap { expected[$0] }, "seed \(seed)")
      #expect(map.map(\.key) == map.keys)
    }
  }

  private func change<Value: Hashable>(
    _ map: Map<String, Value>, _ expected: inout [String: Value], _ random: inout SplitMix64,
    _ make: (inout SplitMix64) -> Value
  ) {
    let key = String(UnicodeScalar(UInt8.random(in: 97...110, using: &random)))
    let value = make(&random)
    switch Int.random(in: 0...20, using: &random) {
    case 0:
      map.removeAll()
      expected.removeAll()
    case 1...5:
      map.removeObject(for: key)
      expected[key] = nil
    case 6:
      let other = [(key: key, value: value), (key: "z", value: value)]
      map.merge(other) { old, _ in old }
      expected.merge(other.map { ($0.key, $0.value) }) { old, _ in old }
    case 7...9:
      map[key] = value
      expected[key] = .some(value)
    default:
      map.updateValue(value, forKey: key)
      expected[key] = .some(value)
    }
    #expect(map[key] == expected[key])
    #expect(map.count == expected.count)
    #expect(map.contains { $1 == value } == expected.values.contains(value))
  }
}
