import Cairn
import CairnTestSupport
import Foundation
import Testing

/// Objects that lead to each other over a way of any length.
@Suite struct DeepGraphTests {
  class Wagon: Object, Codable {
    @Persisted var number = 0
    @Persisted var next: Wagon?
  }

  class Branch: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var twigs: List<Branch>
    @Persisted var leaf: Branch?
  }

  class Clue: Object, Codable {
    @Persisted var next: AnyRealmValue
  }

  class Doll: EmbeddedObject {
    @Persisted var size = 0
    @Persisted var inner: Doll?
  }

  class Shelf: Object {
    @Persisted var doll: Doll?
  }

  /// More than any stack holds, in the soak run; more than the stack of a thread holds otherwise.
  private static let length = Soak.count(20_000, long: 1_000_000)

  private func makeRealm() throws -> Realm {
    try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [Wagon.self, Branch.self, Clue.self, Doll.self, Shelf.self]))
  }

  private func train(_ count: Int) -> Wagon {
    var head = Wagon()
    for number in 1..<count {
      let wagon = Wagon()
      wagon.number = number
      wagon.next = head
      head = wagon
    }
    return head
  }

  @Test func aLongChainIsAdded() throws {
    let realm = try makeRealm()
    let head = train(Self.length)
    try realm.write { realm.add(head) }
    #expect(realm.objects(Wagon.self).count == Self.length)
    var count = 0
    for wagon in sequence(first: head, next: \.next) {
      #expect(wagon.number == Self.length - 1 - count)
      count += 1
    }
    #expect(count == Self.length)
  }

  /// With an update policy, objects take another way.
  @Test(arguments: [Realm.UpdatePolicy.error, .modified])
  func aDeepTreeIsAdded(_ policy: Realm.UpdatePolicy) throws {
    let realm = try makeRealm()
    let root = Branch()
    var branch = root
    for id in stride(from: 1, to: Self.length, by: 2) {
      let (inner, leaf) = (Branch(), Branch())
      (inner.id, leaf.id) = (id, id + 1)
      branch.leaf = leaf
      branch.twigs.append(inner)
      branch.twigs.append(leaf)
      branch = inner
    }
    // Around the circle.
    branch.leaf = root
    try realm.write { realm.add(root, update: policy) }
    #expect(realm.objects(Branch.self).count == (Self.length / 2) * 2 + 1)
    var depth = 0
    var next: Branch? = root
    while let branch = next, let inner = branch.twigs.first {
      #expect(branch.twigs.count == 2 && branch.leaf?.id == inner.id + 1)
      next = inner
      depth += 1
    }
    #expect(depth == Self.length / 2)
    #expect(next?.leaf?.id == 0)
  }

  private func trail(_ count: Int) -> Clue {
    var first = Clue()
    for _ in 1..<count {
      let clue = Clue()
      clue.next = .object(first)
      first = clue
    }
    return first
  }

  @Test func aLongChainOfMixedValuesIsAdded() throws {
    let realm = try makeRealm()
    let first = trail(Self.length)
    try realm.write { realm.add(first) }
    let clues = sequence(first: first) { $0.next.object(Clue.self) }
    #expect(clues.reduce(0) { count, _ in count + 1 } == Self.length)
    let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode(first) }
    #expect("\(try #require(error))".contains("500"))
  }

  /// Of several values for one primary key the last counts, however deep they lie.
  @Test(arguments: [1, 64, 65, 200]) func valuesForOneKey(_ depth: Int) throws {
    let realm = try makeRealm()
    var values: [String: Any] = [
      "id": 0, "twigs": [["id": 1], ["id": 2, "leaf": ["id": 3]], ["id": 2, "leaf": ["id": 4]]],
    ]
    for id in 10..<10 + depth { values = ["id": id, "leaf": values] }
    try realm.write { realm.create(Branch.self, value: values, update: .modified) }
    #expect(realm.object(ofType: Branch.self, forPrimaryKey: 2)?.leaf?.id == 4)
    #expect(realm.objects(Branch.self).count == depth + 4)
  }

  @Test func embeddedObjectsWithinEachOther() throws {
    let realm = try makeRealm()
    let shelf = Shelf()
    var inner: Doll?
    for size in 0..<Self.length {
      let doll = Doll()
      doll.size = size
      doll.inner = inner
      inner = doll
    }
    shelf.doll = inner
    try realm.write { realm.add(shelf) }
    var size = Self.length
    var next = shelf.doll
    while let doll = next {
      size -= 1
      #expect(doll.size == size)
      next = doll.inner
    }
    #expect(size == 0)
    try realm.write { realm.delete(shelf) }
    #expect(realm.objects(Shelf.self).isEmpty)
  }

  /// A dictionary of a greater depth could not be freed.
  @Test func nestedDictionaries() throws {
    let realm = try makeRealm()
    let depth = 3_000
    var values: [String: Any] = ["number": 0]
    for number in 1..<depth { values = ["number": number, "next": values] }
    let head = try realm.write { realm.create(Wagon.self, value: values) }
    #expect(sequence(first: head, next: \.next).map(\.number) == Array((0..<depth).reversed()))
  }

  @Test func aMistakeDeepInTheValuesCreatesNothing() throws {
    let realm = try makeRealm()
    var values: [String: Any] = ["number": "one"]
    for number in 1..<500 { values = ["number": number, "next": values] }
    try realm.write {
      #expect(throws: Realm.Error.self) {
        try realm.create(Wagon.self, validating: values, tolerating: .all)
      }
    }
    #expect(realm.objects(Wagon.self).isEmpty)
  }

  @Test func aLongChainIsCopied() throws {
    let (source, copy) = (try makeRealm(), try makeRealm())
    let head = train(Self.length)
    try source.write { source.add(head) }
    let first = try copy.write { copy.create(Wagon.self, value: head) }
    #expect(sequence(first: first, next: \.next).reduce(0) { count, _ in count + 1 } == Self.length)
    #expect(copy.objects(Wagon.self).count == Self.length)
  }

  @Test func encodingHasALimit() throws {
    let deep = train(400)
    let data = try JSONEncoder().encode(deep)
    #expect(try JSONDecoder().decode(Wagon.self, from: data).number == 399)
    let deeper = train(2_000)
    let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode(deeper) }
    guard case .invalidValue(_, let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.debugDescription.contains("500"))
  }

  @Test func aLongChainIsDescribed() throws {
    let realm = try makeRealm()
    let head = train(Self.length)
    try realm.write { realm.add(head) }
    #expect(head.description.contains("number = \(Self.length - 1);"))
  }
}
