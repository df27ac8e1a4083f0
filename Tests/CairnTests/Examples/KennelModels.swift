import Cairn

class Plaything: Object {
  @Persisted var id: ObjectId
  @Persisted var name = ""
}

class Hound: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var coat = ""
  @Persisted var town = ""
  @Persisted var townsSeen: MutableSet<String>
  @Persisted var companion: AnyRealmValue
  @Persisted var plaything: Plaything?
  @Persisted var parksByTown: Map<String, String>

  /// The section key; not stored.
  var initial: String { name.first.map(String.init(_:)) ?? "" }
}

class Keeper: Object {
  @Persisted(primaryKey: true) var number = 0
  @Persisted var name = ""
  @Persisted var hounds: List<Hound>
  @Persisted(originProperty: "members") var packs: LinkingObjects<Pack>
  @Persisted var home: Home?

  convenience init(name: String, home: Home) {
    self.init()
    self.name = name
    self.home = home
  }
}

class Pack: Object {
  @Persisted var name = ""
  @Persisted var members: List<Keeper>
  @Persisted var offices: List<Home>

  convenience init(name: String, offices: [Home]) {
    self.init()
    self.name = name
    self.offices.append(objectsIn: offices)
  }
}

class Home: EmbeddedObject {
  @Persisted var street: String?
  @Persisted var town: String?
  @Persisted var country: String?
  @Persisted var postcode: String?

  convenience init(street: String, town: String) {
    self.init()
    self.street = street
    self.town = town
  }
}

extension Hound {
  convenience init(_ name: String, age: Int = 0, coat: String = "", toy: Plaything? = nil) {
    self.init()
    self.name = name
    self.age = age
    self.coat = coat
    plaything = toy
  }
}

extension Plaything {
  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}
