import Observation
import Testing

@testable import Cairn

final class Harbourmaster: Object {
  @Persisted var name = ""
  @Persisted var age = 0
}

/// The properties behind the bindings of views.
@Suite struct WritablePropertyTests {
  private let realm: Realm
  private let master = Harbourmaster(value: ["name": "Ada", "age": 40])

  init() throws {
    let name = "harbourmasters \(UInt64.random(in: 0 ... .max))"
    realm = try Realm(configuration: .init(inMemoryIdentifier: name))
  }

  @Test func anObjectOutsideOfARealmIsSetDirectly() {
    WritableProperty(\.name, of: master).value = "Eva"
    #expect(master.name == "Eva")
  }

  @Test func aStoredObjectIsSetInATransaction() throws {
    try realm.write { realm.add(master) }
    let name = WritableProperty(\.name, of: master)
    name.value = "Eva"
    #expect((master.name, name.value) == ("Eva", "Eva"))
    #expect(!realm.isInWriteTransaction)
  }

  @Test func anOpenTransactionIsJoined() throws {
    try realm.write { realm.add(master) }
    realm.beginWrite()
    WritableProperty(\.age, of: master).value = 41
    #expect(realm.isInWriteTransaction)
    realm.cancelWrite()
    #expect(master.age == 40)
  }

  @Test func aDeletedObjectKeepsItsLastValue() throws {
    try realm.write { realm.add(master) }
    let name = WritableProperty(\.name, of: master)
    try realm.write { realm.delete(master) }
    name.value = "Eva"
    #expect(name.value == "Ada")
  }

  @Test func readsAreTracked() throws {
    try realm.write { realm.add(master) }
    let name = WritableProperty(\.name, of: master)
    nonisolated(unsafe) var isStale = false
    withObservationTracking {
      _ = name.value
    } onChange: {
      isStale = true
    }
    WritableProperty(\.age, of: master).value = 41
    #expect(!isStale)
    WritableProperty(\.name, of: master).value = "Eva"
    #expect(isStale)
  }
}
