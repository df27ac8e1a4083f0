import CairnStorage
import CairnValues

/// The description of a collection.
extension Collection {
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
    ] + (schema.spatialColumn == nil ? [] : TileSet.links(self))
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
