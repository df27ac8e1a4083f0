import Foundation
import RealmSwift

/// A dog. It has `@objc dynamic var` in its documentation, which is text and stays.
class LegacyDog: Object {
  @Persisted(primaryKey: true) var id = UUID().uuidString
  @Persisted(indexed: true) var name = ""
  @Persisted(indexed: true) var age: Int = 0
  @Persisted var born: Date? = nil
  @Persisted var picture: Data?
  @Persisted var isGood = true
  @Persisted var kind = LegacyKind.mouser
  @Persisted var owner: LegacyPerson?  // the one who feeds it
  @Persisted private var secret = "a, b { c"
  private(set) dynamic var plain = 1
  @Persisted var weight: RealmOptional<Double>
  @Persisted var legs = RealmOptional<Int>(4)
  @Persisted var anything: RealmProperty<AnyRealmValue>
  @Persisted var toys: List<LegacyToy>
  @Persisted var names: List<String>
  @Persisted var towns: MutableSet<String>
  @Persisted var parks: Map<String, String?>
  @Persisted(originProperty: "dogs") var kennels: LinkingObjects<LegacyKennel>
  var temporary = 0
  var unstored = "not managed"
  var title: String { "\(name), \(age) \(age == 1 ? "year" : "years")" }

  required init() {
    super.init()
    unstored = "made"
  }

  func bark() -> String {
    let sound = List<String>()
    sound.append("woof")
    return """
      @objc dynamic var inText = \(sound[0])
      """
  }
}

class LegacyToy: Object {
  @Persisted var name = ""
  /* dynamic var commented = 1 */
  @Persisted public var price: Double = 0
}

final class LegacyPuppy: LegacyNamed {
  @Persisted var weeks = 0
}

class LegacyNamed: RealmSwift.Object {
  @Persisted var name = ""
}

class LegacyAddress: EmbeddedObject {
  @Persisted var street: String? = nil
  @Persisted var city: String?
}

class LegacyPerson: Object {
  @Persisted(primaryKey: true) var number = 0
  @Persisted var name = ""
  @Persisted var address: LegacyAddress?
  @Persisted(originProperty: "owner") var dogs: LinkingObjects<LegacyDog>
}

class LegacyKennel: Object {
  @Persisted var name = ""
  @Persisted var dogs: List<LegacyDog>

  class Nested: Object {
    @Persisted var depth = 2
  }
}

enum LegacyKind: Int, PersistableEnum {
  case mouser, shepherd
}

/// Not a model: what is lazy, static or local stays as it is.
struct LegacyStore {
  @MainActor static let shared = LegacyStore()
  let list = List<Int>()
}
