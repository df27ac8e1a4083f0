import Cairn
import CairnModelTestSupport
import CairnTestSupport
import Foundation
import Testing

/// Properties with values of any type.
@Suite struct MixedTests {
  let temporary: TemporaryRealm
  var hounds: Results<Hound> { temporary.realm.objects(Hound.self) }

  init() throws {
    let spot = Hound("Spot")
    let (wolf, fido, rex) = (Hound("Wolf"), Hound("Fido"), Hound("Rex"))
    wolf.companion = .string("Minka the cat")
    fido.companion = .object(spot)
    rex.companion = .double(1)
    temporary = try TemporaryRealm(wolf, fido, Hound("Solo"), rex, spot)
  }

  @Test func reading() {
    var lines: [String] = []
    for hound in hounds {
      if case let .string(companion) = hound.companion {
        lines.append("text \(companion)")
      }
      switch hound.companion {
      case .string: lines.append("\(hound.name): \(hound.companion)")
      case .object(let object): lines.append("\(hound.name): \((object as? Hound)?.name ?? "?")")
      case .none: lines.append("\(hound.name) has none")
      default: lines.append("\(hound.name): another type")
      }
    }
    #expect(
      lines == [
        "text Minka the cat", #"Wolf: string("Minka the cat")"#, "Fido: Spot", "Spot has none",
        "Solo has none", "Rex: another type",
      ])
  }

  /// As deep as the store reads them.
  @Test func deeplyNestedCollections() throws {
    var value = AnyRealmValue.int(7)
    for _ in 0..<99 { value = .fromArray([value]) }
    let hound = try #require(hounds.first)
    try temporary.realm.write { hound.companion = value }
    var depth = 0
    var next = hound.companion
    while case .list(let list) = next, let inner = list.first {
      depth += 1
      next = inner
    }
    #expect(depth == 99 && next == .int(7))
  }

  /// Values that could not be read again are refused on writing.
  @Test(arguments: [
    "mixed: nesting beyond the limit", "mixed: nesting beyond the limit in a new object",
    "mixed: nesting beyond the limit by appending", "mixed: nesting beyond the limit by creating",
  ])
  func nestingBeyondTheLimit(name: String) {
    #expect(Misuse.trap(name).contains("can be nested 99 deep at most"))
  }

  @Test func creatingUpToTheLimit() throws {
    func nested(_ depth: Int) -> Any {
      var value: Any = 7
      for level in 0..<depth { value = level % 2 == 0 ? [value] as Any : ["a": value] as Any }
      return value
    }
    let realm = temporary.realm
    try realm.write {
      let deepest = realm.create(Hound.self, value: ["name": "A", "companion": nested(99)])
      #expect(deepest.companion.dictionaryValue == nil && deepest.companion.listValue != nil)
    }
    #expect(hounds.count == 6)
  }

  @Test func printedObjects() throws {
    let fido = try #require(hounds.where { $0.name == "Fido" }.first)
    #expect("\(fido.companion)".hasPrefix("object(Hound {"))
    #expect("\(fido.companion)".contains("name = Spot"))
  }

  @Test func comparing() throws {
    let realm = temporary.realm
    try realm.write {
      for value: AnyRealmValue in [.int(1), .bool(true), .string("1"), .decimal128(1), .float(2)] {
        let hound = Hound("more")
        hound.companion = value
        realm.add(hound)
      }
    }
    #expect(hounds.where { $0.companion == .int(1) }.count == 4)
    #expect(hounds.where { $0.companion == .string("1") }.count == 1)
    #expect(hounds.where { $0.companion != .string("1") }.count == 9)
    #expect(hounds.where { $0.companion > .int(1) }.count == 1)
    #expect(hounds.where { $0.companion == .none }.map(\.name) == ["Spot", "Solo"])
    #expect(hounds.filter("companion == 1").count == 4)
    #expect(hounds.filter("companion == '1'").count == 1)
    let spot = try #require(hounds.where { $0.name == "Spot" }.first)
    #expect(hounds.where { $0.companion == .object(spot) }.map(\.name) == ["Fido"])
    #expect(hounds.filter("companion == %@", AnyRealmValue.object(spot)).count == 1)
    #expect(hounds.where { $0.companion.starts(with: .string("Min")) }.count == 1)
  }

  @Test func nested() throws {
    let realm = temporary.realm
    try realm.write {
      let hound = Hound("Nest")
      hound.companion = .fromDictionary([
        "age": .int(4), "toys": .fromArray([.string("ball"), .string("rope")]),
      ])
      realm.add(hound)
    }
    #expect(hounds.where { $0.companion["age"] > .int(3) }.map(\.name) == ["Nest"])
    #expect(hounds.where { $0.companion["toys"][1] == .string("rope") }.map(\.name) == ["Nest"])
    #expect(hounds.where { $0.companion["toys"].any == .string("ball") }.count == 1)
    #expect(hounds.filter("companion['toys'][*] == 'rope'").count == 1)
  }
}
