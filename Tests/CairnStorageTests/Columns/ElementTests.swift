import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

@Suite(.tags(.untrusted)) struct ElementTests {
  @Test(arguments: ValueSource.storedTypes)
  func everyValueIsReadBack(type: ValueType) throws {
    var source = ValueSource(seed: UInt64(type.rawValue))
    for flavour in ValueSource.Flavour.allCases {
      for _ in 0..<50 {
        let value = source.value(of: type, flavour)
        let decoded = try decode(Element.value(value).encoded())
        guard case .value(let found) = decoded else {
          Issue.record("\(decoded)")
          continue
        }
        #expect(identical(found, value))
      }
    }
  }

  @Test func nestedCollectionsAreReadBack() throws {
    for seed in 0..<40 as Range<UInt64> {
      var source = ValueSource(seed: seed)
      let element = random(&source, depth: 4)
      #expect(try decode(element.encoded()) == element, "seed \(seed)")
    }
  }

  @Test func everyShortenedElementIsAnError() throws {
    var source = ValueSource(seed: 2)
    let bytes = Element.list([
      .value(.string("text")), .value(.link(Link(table: 3, key: 77))),
      .map([.init(key: "k", value: .value(.int(1)))]),
      random(&source, depth: 2),
    ]).encoded()
    for length in 0..<bytes.count {
      #expect(throws: StoreError.self) { try decode(Array(bytes[..<length])) }
    }
  }

  @Test func endlessNestingIsAnError() {
    let bytes = (0..<1000).flatMap { _ in [32, 1, 0, 0, 0] as [UInt8] }
    #expect(throws: StoreError.self) { try decode(bytes) }
  }

  @Test(arguments: [12, 14, 15, 31, 34, 255] as [UInt8])
  func unknownTagsAreErrors(tag: UInt8) {
    #expect(throws: StoreError.self) { try decode([tag] + [UInt8](repeating: 0, count: 64)) }
  }

  private func decode(_ bytes: [UInt8]) throws -> Element {
    try bytes.withUnsafeBytes { try Element(decoding: $0) }
  }

  private func random(_ source: inout ValueSource, depth: Int) -> Element {
    let count = source.int(0...4)
    switch depth > 0 ? source.int(0...5) : source.int(2...5) {
    case 0:
      var elements: [Element] = []
      for _ in 0..<count { elements.append(random(&source, depth: depth - 1)) }
      return .list(elements)
    case 1:
      var entries: [Element.Entry] = []
      for _ in 0..<count {
        entries.append(
          .init(key: source.text(.extreme), value: random(&source, depth: depth - 1)))
      }
      return .map(entries)
    case 2:
      return .value(
        .link(Link(table: UInt32(source.int(0...9)), key: source.int(0...1 << 40))))
    case 3: return .value(.null)
    default:
      let types = ValueSource.storedTypes
      return .value(source.value(of: types[source.int(0...types.count - 1)], .plain))
    }
  }
}
