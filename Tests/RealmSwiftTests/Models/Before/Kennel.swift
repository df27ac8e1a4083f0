import Foundation
import RealmSwift

/// A dog. It has `@objc dynamic var` in its documentation, which is text and stays.
class LegacyDog: Object {
  @objc dynamic var id = UUID().uuidString
  @objc dynamic var name = ""
  @objc dynamic var age: Int = 0
  @objc dynamic var born: Date? = nil
  @objc dynamic var picture: Data?
  @objc dynamic var isGood = true
  @objc dynamic var kind = LegacyKind.mouser
  @objc dynamic var owner: LegacyPerson?  // the one who feeds it
  @objc private dynamic var secret = "a, b { c"
  private(set) dynamic var plain = 1
  let weight = RealmOptional<Double>()
  let legs = RealmOptional<Int>(4)
  let anything = RealmProperty<AnyRealmValue>()
  let toys = List<LegacyToy>()
  let names: List<String> = List()
  let towns = MutableSet<String>()
  let parks = Map<String, String?>()
  let kennels = LinkingObjects(fromType: LegacyKennel.self, property: "dogs")
  @objc dynamic var temporary = 0
  var unstored = "not managed"
  @objc dynamic var title: String { "\(name), \(age) \(age == 1 ? "year" : "years")" }

  override static func primaryKey() -> String? {
    return "id"
  }

  override static func indexedProperties() -> [String] {
    return ["name", "age"]
  }

  override static func ignoredProperties() -> [String] { ["temporary"] }

  override init() {
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

@objcMembers class LegacyToy: Object {
  dynamic var name = ""
  /* dynamic var commented = 1 */
  public dynamic var price: Double = 0
}

final class LegacyPuppy: LegacyNamed {
  @objc dynamic var weeks = 0
}

class LegacyNamed: RealmSwift.Object {
  @objc dynamic var name = ""
}

class LegacyAddress: EmbeddedObject {
  @objc dynamic var street: String? = nil
  @objc dynamic var city: String?
}

class LegacyPerson: Object {
  @objc dynamic var number = 0
  @objc dynamic var name = ""
  @objc dynamic var address: LegacyAddress?
  let dogs = LinkingObjects(fromType: LegacyDog.self, property: "owner")

  override class func primaryKey() -> String? { "number" }
}

class LegacyKennel: Object {
  @objc dynamic var name = ""
  let dogs = List<LegacyDog>()

  class Nested: Object {
    @objc dynamic var depth = 2
  }
}

@objc enum LegacyKind: Int, RealmEnum {
  case mouser, shepherd
}

/// Not a model: what is lazy, static or local stays as it is.
struct LegacyStore {
  @MainActor static let shared = LegacyStore()
  let list = List<Int>()
}
