import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

@Suite(.tags(.untrusted)) struct StoredCollectionTests {
  /// A random element of a collection of the type.
  private static func element(
    _ type: ValueType, _ flavour: ValueSource.Flavour, _ source: inout ValueSource
  ) -> Value {
    guard type == .mixed else { return source.value(of: type, flavour) }
    let types = ValueSource.storedTypes
    return source.value(of: types[source.int(0...types.count - 1)], flavour)
  }

  private func read<R>(
    _ bytes: [UInt8], _ type: ValueType, isMap: Bool = false, _ body: (StoredCollection) -> R
  ) -> R {
    // Offset by one byte, so that nothing is aligned.
    let shifted = [0] + bytes
    return shifted.withUnsafeBytes { raw in
      body(
        StoredCollection(
          UnsafeRawBufferPointer(rebasing: raw[1...]), of: type, isMap: isMap))
    }
  }

  @Test(arguments: ValueSource.elementTypes)
  func listsAreReadBack(type: ValueType) {
    var source = ValueSource(seed: UInt64(type.rawValue))
    for turn in 0..<200 {
      let flavour = ValueSource.Flavour.allCases[turn % 3]
      let nulls = turn % 4 == 0 ? 40 : 0
      let values = (0..<source.int(0...20)).map { _ in
        source.chance(nulls) ? .null : Self.element(type, flavour, &source)
      }
      read(StoredCollection.encode(values, of: type), type) { stored in
        #expect(stored.count == values.count)
        for (place, value) in values.enumerated() {
          #expect(identical(stored.value(at: place), value), "turn \(turn), element \(place)")
          #expect(stored.isNull(at: place) == value.isNull)
        }
      }
    }
  }

  @Test(arguments: ValueSource.elementTypes)
  func setsAreSortedAndContainEachValueOnce(type: ValueType) {
    var source = ValueSource(seed: 30 + UInt64(type.rawValue))
    for turn in 0..<100 {
      let flavour = ValueSource.Flavour.allCases[turn % 3]
      let values = (0..<source.int(0...20)).map { _ in
        source.chance(10) ? .null : Self.element(type, flavour, &source)
      }
      read(StoredCollection.encode(set: values, of: type), type) { stored in
        let found = (0..<stored.count).map(stored.value)
        #expect(Set(found) == Set(values), "turn \(turn)")
        #expect(found.count == Set(values).count, "turn \(turn)")
        for (a, b) in zip(found, found.dropFirst()) { #expect(Value.setOrder(a, to: b) == .less) }
      }
    }
  }

  @Test(arguments: ValueSource.elementTypes)
  func mapsFindTheirKeys(type: ValueType) {
    var source = ValueSource(seed: 60 + UInt64(type.rawValue))
    for turn in 0..<100 {
      let flavour = ValueSource.Flavour.allCases[turn % 3]
      let entries = (0..<source.int(0...12)).map { _ in
        (
          key: source.text(flavour),
          value: source.chance(20) ? Value.null : Self.element(type, flavour, &source)
        )
      }
      var expected: [[UInt8]: Value] = [:]
      for entry in entries { expected[Array(entry.key.utf8)] = entry.value }
      read(StoredCollection.encode(map: entries, of: type), type, isMap: true) { stored in
        #expect(stored.count == expected.count)
        for (key, value) in expected {
          let place = key.withUnsafeBytes { stored.index(ofKey: $0) }
          #expect(place.map { identical(stored.value(at: $0), value) } == true, "turn \(turn)")
          #expect(place.map { Array(stored.key(at: $0)) } == key)
        }
        let keys = (0..<stored.count).map { Array(stored.key(at: $0)) }
        #expect(keys == keys.sorted { $0.lexicographicallyPrecedes($1) })
        #expect(stored.index(ofKey: "no such key") == nil)
      }
    }
  }

  @Test func mixedElementsNest() {
    let elements: [Element] = [
      .list([.value(.int(1)), .map([.init(key: "k", value: .value(.null))])]),
      .value(.link(Link(table: 3, key: 9))), .value(.null), .map([]),
    ]
    read(StoredCollection.encode(elements), .mixed) { stored in
      #expect((0..<stored.count).map(stored.element) == elements)
      #expect(stored.value(at: 1) == .link(Link(table: 3, key: 9)))
      #expect(stored.isNull(at: 2) && !stored.isNull(at: 3))
    }
    let entries = elements.enumerated().map { Element.Entry(key: "k\(9 - $0)", value: $1) }
    read(StoredCollection.encode(map: entries), .mixed, isMap: true) { stored in
      #expect((0..<4).map(stored.keyText) == ["k6", "k7", "k8", "k9"])
      #expect(stored.element(at: 3) == elements[0])
    }
    read(StoredCollection.encode(set: elements + elements), .mixed) { stored in
      #expect(
        (0..<stored.count).map(stored.element) == [
          elements[2], elements[1], elements[0], elements[3],
        ])
    }
  }

  @Test func fastEncodersWriteTheSameBytes() {
    let numbers = [1.5, -0.0, .nan, .infinity]
    #expect(
      StoredCollection.encode(doubles: numbers)
        == StoredCollection.encode(numbers.map { .double($0) }, of: .double))
    #expect(
      StoredCollection.encode(links: [3, 1, 3])
        == StoredCollection.encode([.int(3), .int(1), .int(3)], of: .link))
    #expect(StoredCollection.encode(doubles: []) == [])
    #expect(StoredCollection.encode([], of: .string) == [])
  }

  @Test func theBytesMatchTheFormat() {
    #expect(
      StoredCollection.encode([.bool(true), .null, .bool(false)], of: .bool)
        == [7, 0, 0, 0, 0b010, 1, 0, 0])
    #expect(
      StoredCollection.encode([.string("ab"), .string(""), .string("c")], of: .string)
        == [6, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 97, 98, 99])
    #expect(
      StoredCollection.encode(map: [("b", .bool(true)), ("a", .bool(false))], of: .bool)
        == [4, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 97, 98, 0, 1])
  }

  /// Every read remains within the bytes, whatever their content. A sanitizer would notice another.
  @Test(arguments: ValueSource.elementTypes)
  func damagedBytesAreReadWithinBounds(type: ValueType) {
    var source = ValueSource(seed: 90 + UInt64(type.rawValue))
    for _ in 0..<400 {
      let values = (0..<source.int(1...6)).map { _ in Self.element(type, .plain, &source) }
      let isMap = source.chance(50)
      var bytes =
        isMap
        ? StoredCollection.encode(map: values.map { ("\($0)", $0) }, of: type)
        : StoredCollection.encode(values, of: type)
      if source.chance(50) { bytes.removeLast(source.int(0...bytes.count)) }
      for _ in 0..<source.int(0...3) where !bytes.isEmpty {
        bytes[source.int(0...min(bytes.count - 1, 40))] = UInt8(source.int(0...255))
      }
      read(bytes, type, isMap: isMap) { stored in
        #expect(stored.count <= max(bytes.count, 4) * 8)
        for place in 0..<stored.count {
          _ = stored.value(at: place)
          _ = stored.element(at: place)
          #expect(stored.bytes(at: place).count <= bytes.count)
          if isMap { #expect(stored.key(at: place).count <= bytes.count) }
        }
        if isMap { _ = stored.index(ofKey: "x") }
      }
    }
  }
}
