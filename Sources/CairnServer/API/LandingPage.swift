/// The entry point of the service.
struct LandingPage {
  let context: RequestContext

  private var title: String {
    let file = context.service.store.path.split(separator: "/").last.map(String.init)
    return context.options.title ?? file ?? "Cairn"
  }

  private var links: [Link] {
    [
      Link(
        href: context.url("api"), rel: "service-desc", type: .openAPI,
        title: "The definition of this API"),
      Link(
        href: context.url("api") + "?f=html", rel: "service-doc", type: .html,
        title: "The documentation of this API"),
      Link(
        href: context.url("conformance"), rel: "conformance", type: .json,
        title: "The conformance classes of this API"),
      Link(
        href: context.url("collections"), rel: "data", type: .json, title: "The collections"),
      Link(
        href: context.url("tileMatrixSets"),
        rel: "http://www.opengis.net/def/rel/ogc/1.0/tiling-schemes", type: .json,
        title: "The tile matrix sets"),
    ]
  }

  /// The list of links for programs, the map for people.
  var response: Response {
    context.type == .html
      ? ExplorerPage(title: title).response : Response(.json, text: json.text + "\n")
  }

  private var json: JSON {
    [
      "title": .string(title), "description": .string(context.options.description),
      "links": .array((context.ownLinks() + links).map(\.json)),
    ]
  }
}

/// The conformance classes of the service.
enum Conformance {
  private static let features = [
    "1/1.0/conf/core", "1/1.0/conf/oas30", "1/1.0/conf/html", "1/1.0/conf/geojson",
    "2/1.0/conf/crs", "3/1.0/conf/queryables", "3/1.0/conf/queryables-query-parameters",
    "3/1.0/conf/filter", "3/1.0/conf/features-filter", "5/1.0/conf/schemas",
    "5/1.0/conf/returnables-and-receivables",
    "5/1.0/conf/core-roles-features", "5/1.0/conf/queryables", "5/1.0/conf/sortables",
    "8/1.0/conf/sorting",
  ]

  private static let cql2 = [
    "cql2-text", "cql2-json", "basic-cql2", "advanced-comparison-operators",
    "case-insensitive-comparison", "accent-insensitive-comparison", "basic-spatial-functions",
    "basic-spatial-functions-plus", "property-property", "temporal-functions",
  ]

  private static let tiles = [
    "core", "tileset", "tilesets-list", "geodata-tilesets", "mvt", "oas30",
  ]

  private static let changes = [
    "create-replace-delete", "update", "features", "optimistic-locking-etags",
  ]

  /// The identifiers of the classes.
  static func classes(_ options: ServiceOptions) -> [String] {
    let changes = options.writeToken == nil ? [] : Self.changes
    return classes + changes.map { "http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/" + $0 }
  }

  private static let classes =
    features.map { "http://www.opengis.net/spec/ogcapi-features-" + $0 }
    + cql2.map { "http://www.opengis.net/spec/cql2/1.0/conf/" + $0 }
    + tiles.map { "http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/" + $0 }
    + [
      "http://www.opengis.net/spec/tms/2.0/conf/tilematrixset",
      "http://www.opengis.net/spec/tms/2.0/conf/json-tilematrixset",
      "http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core",
      "http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/collections",
    ]

  static func document(_ context: RequestContext) -> Document {
    let classes = classes(context.options)
    let json: JSON = [
      "links": .array(context.ownLinks().map(\.json)),
      "conformsTo": .array(classes.map { .string($0) }),
    ]
    return Document(title: "Conformance", json: json) { page in
      page.table(["class"], rows: classes.map { [$0] })
    }
  }
}
