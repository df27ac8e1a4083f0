import CairnObjects

/// The classes of a program in six versions, modelled on the migration examples that Realm users
/// know.
enum History {
  enum V0 {
    class Owner: Object {
      @Persisted var firstName = ""
      @Persisted var lastName = ""
      @Persisted var age = 0
    }
  }

  /// Two names are merged into one.
  enum V1 {
    class Owner: Object {
      @Persisted var fullName = ""
      @Persisted var age = 0
    }
  }

  /// Adds a class, a list of it, and a property with a default value.
  enum V2 {
    class Owner: Object {
      @Persisted var fullName = ""
      @Persisted var age = 0
      @Persisted var email = "none"
      @Persisted var hounds: List<Hound>
    }

    class Hound: Object {
      @Persisted var name = ""
      @Persisted var size = "small"
    }
  }

  /// Renames the class and a property, and turns a string into a case of an enumeration.
  enum V3 {
    enum Kind: Int, PersistableEnum { case unknown, hound, hen }
    enum Size: Int8, PersistableEnum { case small = 1, large = 2 }

    class Owner: Object {
      @Persisted var fullName = ""
      @Persisted var years = 0
      @Persisted var email = "none"
      @Persisted var beasts: List<Beast>
    }

    class Beast: Object {
      @Persisted var name = ""
      @Persisted var kind = Kind.unknown
      @Persisted var size = Size.small
    }
  }

  /// Adds a class with an inverse property, and changes the type of a property.
  enum V4 {
    class Owner: Object {
      @Persisted var fullName = ""
      @Persisted var years = ""
      @Persisted var email = "none"
      @Persisted var beasts: List<Beast>
      @Persisted var house: House?
    }

    class Beast: Object {
      @Persisted var name = ""
      @Persisted var kind = V3.Kind.unknown
      @Persisted var size = V3.Size.small
    }

    class House: Object {
      @Persisted var street = ""
      @Persisted var city = ""
      @Persisted(originProperty: "house") var residents: LinkingObjects<Owner>
    }
  }

  /// Makes that class embedded, and deletes the data of the class without a successor.
  enum V5 {
    class Owner: Object {
      @Persisted var fullName = ""
      @Persisted var years = ""
      @Persisted var email = "none"
      @Persisted var beasts: List<Beast>
      @Persisted var house: House?
    }

    class Beast: Object {
      @Persisted var name = ""
      @Persisted var kind = V3.Kind.unknown
      @Persisted var size = V3.Size.small
    }

    class House: EmbeddedObject {
      @Persisted var street = ""
      @Persisted var city = ""
      @Persisted(originProperty: "house") var residents: LinkingObjects<Owner>
    }
  }

  static func types(_ version: Int) -> [ObjectBase.Type] {
    switch version {
    case 0: [V0.Owner.self]
    case 1: [V1.Owner.self]
    case 2: [V2.Owner.self, V2.Hound.self]
    case 3: [V3.Owner.self, V3.Beast.self]
    case 4: [V4.Owner.self, V4.Beast.self, V4.House.self]
    default: [V5.Owner.self, V5.Beast.self, V5.House.self]
    }
  }

  /// The class name in a version. Naming a class in code registers it with the store.
  static func ownerName(_ version: Int) -> String {
    switch version {
    case 0: V0.Owner.className()
    case 1: V1.Owner.className()
    case 2: V2.Owner.className()
    case 3: V3.Owner.className()
    case 4: V4.Owner.className()
    default: V5.Owner.className()
    }
  }

  // MARK: Data

  static let people: [(String, String, Int)] = [
    ("Ada", "Byron", 36), ("Emmy", "Noether", 53), ("Mary", "Somerville", 91),
  ]

  /// The animals of each person, by index, with whether they are large. One more animal has no
  /// owner.
  static let animals: [[(String, Bool)]] = [
    [("Bello", false), ("Rex", true)], [("Asta", true)], [],
  ]
  static let stray = "Stray"

  /// Fills a store as a program of a version does.
  static func fill(_ realm: Realm, _ version: Int) throws {
    let types = types(version).compactMap { $0 as? Object.Type }
    try realm.write {
      for place in people.indices { realm.create(types[0], value: owner(place, version)) }
      if version == 2 {
        realm.create(types[1], value: ["name": stray])
      } else if version > 2 {
        let beast: [String: Any] = ["name": stray, "kind": 1]
        realm.create(types[1], value: beast)
      }
    }
  }

  private static func owner(_ place: Int, _ version: Int) -> [String: Any] {
    let (first, last, age) = people[place]
    var values: [String: Any] = [:]
    if version == 0 {
      values["firstName"] = first
      values["lastName"] = last
    } else {
      values["fullName"] = "\(first) \(last)"
    }
    if version < 3 { values["age"] = age }
    if version == 3 { values["years"] = age }
    if version > 3 { values["years"] = "\(age)" }
    if version == 2 { values["hounds"] = animals[place].map(hound) }
    if version > 2 { values["beasts"] = animals[place].map(beast) }
    if version > 3, place == 0 { values["house"] = ["street": "Broadway", "city": "York"] }
    return values
  }

  private static func hound(_ name: String, _ isLarge: Bool) -> [String: Any] {
    ["name": name, "size": isLarge ? "large" : "small"]
  }

  private static func beast(_ name: String, _ isLarge: Bool) -> [String: Any] {
    ["name": name, "kind": 1, "size": isLarge ? 2 : 1]
  }
}
