import CairnStorage
import CairnValues

/// People with dogs and toys: links, embedded objects, every kind of collection, and locations in
/// both forms.
enum KennelSchema {
  static let schema = StoreSchema(tables: [person, dog, toy, address, location, club])

  static let person = table(
    1, "Person",
    [
      column("name", .string), column("age", .int), column("height", .double),
      column("price", .decimal128), column("born", .date), column("member", .bool),
      column("_id", .objectId), column("code", .uuid), column("blob", .data),
      column("home", .point), column("best friend", .link, to: "Person"),
      column("favourite", .link, to: "Dog"), column("dogs", .link, .list, to: "Dog"),
      column("friends", .link, .set, to: "Person"), column("pets", .link, .map, to: "Dog"),
      column("address", .embedded, to: "Address"),
      column("addresses", .embedded, .list, to: "Address"),
      column("tags", .string, .list), column("scores", .int, .list),
      column("weights", .float, .set), column("prices", .decimal128, .list),
      column("days", .date, .list), column("limits", .int, .map), column("labels", .string, .map),
      column("any", .mixed), column("anys", .mixed, .list), column("extras", .mixed, .map),
      column("places", .point, .list), column("flags", .bool, .list),
      column("ghost", .link, to: "Ghost"), column("in", .int),
    ],
    inverses: [InverseSchema(name: "clubs", origin: "Club", property: "members")])

  static let dog = table(
    2, "Dog",
    [
      column("name", .string), column("age", .int), column("weight", .float),
      column("born", .date), column("toy", .link, to: "Toy"),
      column("toys", .link, .list, to: "Toy"), column("owner", .link, to: "Person"),
      column("price", .decimal128), column("any", .mixed),
    ],
    inverses: [
      InverseSchema(name: "keepers", origin: "Person", property: "dogs"),
      InverseSchema(name: "fans", origin: "Person", property: "favourite"),
    ])

  static let toy = table(3, "Toy", [column("name", .string), column("price", .double)])

  static let address = table(
    4, "Address",
    [
      column("city", .string), column("number", .int),
      column("location", .embedded, to: "Location"),
    ], isEmbedded: true)

  static let location = table(
    5, "Location",
    [
      column("type", .string),
      ColumnSchema(id: 1, name: "coordinates", type: .double, collection: .list, position: 1),
    ], isEmbedded: true)

  static let club = table(
    6, "Club",
    [
      column("name", .string), column("members", .link, .list, to: "Person"),
      column("site", .embedded, to: "Location"), column("sites", .embedded, .list, to: "Location"),
    ])

  private static func table(
    _ id: UInt32, _ name: String, _ columns: [ColumnSchema], isEmbedded: Bool = false,
    inverses: [InverseSchema] = []
  ) -> TableSchema {
    TableSchema(
      id: id, name: name,
      columns: columns.enumerated().map { position, column in
        ColumnSchema(
          id: UInt16(position), name: column.name, type: column.type,
          collection: column.collection, isOptional: true, target: column.target,
          position: position)
      }, isEmbedded: isEmbedded, inverses: inverses)
  }
}
