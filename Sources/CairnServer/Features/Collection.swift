import CairnQuery
import CairnStorage
import CairnValues

/// A class of the store as a collection of features.
struct Collection {
  let context: RequestContext
  let table: Table

  var schema: TableSchema { table.schema }
  var name: String { schema.name }
  var extent: Extent { context.service.cache.extent(of: table, in: context.state) }

  /// - Throws: A problem that suggests the nearest class if the class does not exist.
  init(_ name: String, context: RequestContext) throws(Problem) {
    let snapshot = context.state.snapshot
    guard let table = snapshot.table(name), !table.schema.isEmbedded else {
      throw .notFound(
        "collection", name: name,
        among: snapshot.schema.tables.filter { !$0.isEmbedded }.map(\.name))
    }
    self.init(table, context: context)
  }

  init(_ table: Table, context: RequestContext) {
    self.context = context
    self.table = table
  }

  /// Prepares a query of the class, which ends at the deadline of the request.
  func execution(_ query: TableQuery) throws -> Execution {
    let execution = try Execution(query, on: table, deadline: context.deadline)
    execution.watch = context.options.watch
    return execution
  }

  /// The number of items that meet a condition.
  func count(_ predicate: Predicate) throws -> Int {
    if predicate.root == .constant(true) { return table.liveCount }
    let execution = try execution(TableQuery(table: name, predicate: predicate))
    return try context.service.cache.count(
      name + "\u{0}" + predicate.description, in: context.state
    ) {
      let count = execution.count()
      try context.deadline.check()
      return count
    }
  }

  /// Returns the column of a property that the client named.
  ///
  /// - Parameters:
  ///   - columns: The columns to choose from.
  ///   - parameter: The parameter that names it.
  func column(
    _ name: String, of columns: [ColumnSchema], parameter: String
  ) throws(Problem) -> ColumnSchema {
    if let column = columns.first(where: { $0.name == name }) { return column }
    let hint = NearestName.of(name, among: columns.map(\.name)).map { "; did you mean '\($0)'?" }
    throw .badRequest("\(parameter): '\(self.name)' has no property '\(name)'\(hint ?? "")")
  }

  /// The URL of the collection.
  var url: String { context.url("collections", name) }

  private var links: [Link] {
    [
      Link(href: url + "/items", rel: "items", type: .geojson, title: "The items as GeoJSON"),
      Link(href: url + "/items?f=html", rel: "items", type: .html, title: "The items as a page"),
      Link(href: url + "/items?f=csv", rel: "items", type: .csv, title: "The items as CSV"),
      Link(
        href: url + "/items?f=fgb", rel: "items", type: .flatGeobuf,
        title: "The items as FlatGeobuf"),
      Link(
        href: url + "/statistics", rel: "related", type: .json, title: "Figures of the items"),
      Link(href: url + "/live", rel: "monitor", type: .events, title: "The changes of the items"),
      Link(
        href: url + "/schema", rel: "http://www.opengis.net/def/rel/ogc/1.0/schema", type: .schema,
        title: "The properties"),
      Link(
        href: url + "/queryables", rel: "http://www.opengis.net/def/rel/ogc/1.0/queryables",
        type: .schema, title: "The properties that filters can use"),
      Link(
        href: url + "/sortables", rel: "http://www.opengis.net/def/rel/ogc/1.0/sortables",
        type: .schema, title: "The properties that items can be sorted by"),
    ] + (schema.mainGeometry == nil ? [] : TileSet.links(self))
  }

  /// The object in the list of collections.
  func json(_ own: [Link]) -> JSON {
    [
      "id": .string(name), "title": .string(name), "itemType": "feature",
      "extent": extent.json,
      "crs": .array(ServedSystem.all(context.options).map { .string($0.uri) }),
      "storageCrs": .string(ServedSystem.crs84.uri),
      "itemCount": .int(table.liveCount),
      "links": .array((own + links).map(\.json)),
    ]
  }

  /// The links from the list of collections.
  var listLinks: [Link] {
    [Link(href: url, rel: "self", type: .json, title: name)]
  }

  /// The description of the collection.
  var document: Document {
    Document(title: name, json: json(context.ownLinks()), trail: [.collections]) { page in
      let rows = schema.properties.map { [$0.name, $0.typeName] }
      var facts = [("items", "\(table.liveCount)")]
      if let bounds = extent.bounds {
        facts.append(("west, south, east, north", bounds.map { "\($0)" }.joined(separator: ", ")))
      }
      if let period = extent.period {
        facts.append(
          ("first and last date", "\(ISODate.format(period.first)), \(ISODate.format(period.last))")
        )
      }
      page.definitions(facts)
      page.links(links.filter { $0.type != .schema })
      page.heading("Properties")
      page.table(["name", "type"], rows: rows)
    }
  }
}

extension ColumnSchema {
  /// The type in words, with the kind of collection.
  var typeName: String {
    switch collection {
    case .none: type.name
    case .list: "list of \(type.name)"
    case .set: "set of \(type.name)"
    case .map: "map of \(type.name)"
    }
  }
}

/// The list of all collections.
struct CollectionList {
  let context: RequestContext

  private var collections: [Collection] {
    let snapshot = context.state.snapshot
    return snapshot.schema.tables.filter { !$0.isEmbedded }
      .compactMap { snapshot.table($0.name) }.map { Collection($0, context: context) }
  }

  var document: Document {
    let collections = collections
    let json: JSON = [
      "links": .array(context.ownLinks().map(\.json)),
      "collections": .array(collections.map { $0.json($0.listLinks) }),
    ]
    return Document(title: "Collections", json: json) { page in
      page.table(
        ["name", "items"],
        rows: collections.map { [$0.name, "\($0.table.liveCount)"] },
        hrefs: collections.map { $0.url + "?f=html" })
    }
  }
}
