import CairnStorage

/// The definition of the service in OpenAPI 3.0.
struct APIDescription {
  let context: RequestContext

  private var collectionNames: [String] {
    context.state.snapshot.schema.tables.filter { !$0.isEmbedded }.map(\.name)
  }

  var document: Document {
    let json: JSON = [
      "openapi": "3.0.3",
      "info": [
        "title": .string(context.options.title ?? "Cairn"), "version": "1.0.0",
        "description": .string(context.options.description),
      ],
      "servers": [["url": .string(context.base)]],
      "tags": [["name": "Capabilities"], ["name": "Data"]],
      "paths": .object(paths),
      "components": [
        "parameters": .object(parameters.map { ($0.name, $0.json) }),
        "responses": .object(responses),
        "schemas": .object(schemas),
        "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
      ],
    ]
    let table = paths.map { [$0.0, Self.summary($0.1)] }
    return Document(title: "API", json: json) { page in
      page.table(["path", "content"], rows: table)
      page.heading("Parameters")
      page.table(["name", "meaning"], rows: parameters.map { [$0.name, $0.description] })
    }
  }

  private static func summary(_ path: JSON) -> String {
    guard case .object(let methods) = path, case .object(let members)? = methods.first?.1,
      case .string(let text)? = members.first(where: { $0.0 == "summary" })?.1
    else { return "" }
    return text
  }

  // MARK: Paths

  private var paths: [(String, JSON)] {
    let item = "/collections/{collectionId}"
    return [
      operation("/", id: "getLandingPage", summary: "The landing page", schema: "landingPage"),
      operation("/api", id: "getAPI", summary: "This definition", type: .openAPI),
      operation(
        "/conformance", id: "getConformance", summary: "The conformance classes",
        schema: "conformance"),
      operation(
        "/collections", id: "getCollections", summary: "The collections",
        schema: "collections"),
      operation(
        item, id: "describeCollection", summary: "A collection", parameters: ["collectionId"],
        schema: "collection"),
      operation(
        item + "/items", id: "getFeatures", summary: "The items of a collection",
        parameters: ["collectionId"] + itemParameters, type: .geojson,
        schema: "featureCollection"),
      operation(
        item + "/items/{featureId}", id: "getFeature", summary: "One item",
        parameters: ["collectionId", "featureId", "crs", "properties"], type: .geojson,
        schema: "feature"),
      operation(
        item + "/live", id: "followFeatures", summary: "The changes of the items as events",
        parameters: ["collectionId"]
          + LiveItems.parameters.filter { ItemsQuery.parameters.contains($0) },
        type: .events),
      operation(
        item + "/statistics", id: "getStatistics",
        summary: "The number of items, and figures of their numbers and dates",
        parameters: ["collectionId"]
          + ItemStatistics.parameters.filter { ItemsQuery.parameters.contains($0) }),
      operation(
        item + "/schema", id: "getSchema", summary: "The properties of a collection",
        parameters: ["collectionId"], type: .schema),
      operation(
        item + "/queryables", id: "getQueryables", summary: "The properties that filters can use",
        parameters: ["collectionId"], type: .schema),
      operation(
        item + "/sortables", id: "getSortables",
        summary: "The properties that items can be sorted by", parameters: ["collectionId"],
        type: .schema),
    ] + collectionPaths + tilePaths
  }

  private var tilePaths: [(String, JSON)] {
    let item = "/collections/{collectionId}"
    let condition = ["collectionId"] + TileQuery.parameters
    return [
      operation(
        "/tileMatrixSets", id: "tiles.getTileMatrixSetsList", summary: "The tile matrix sets"),
      operation(
        "/tileMatrixSets/{tileMatrixSetId}", id: "tiles.getTileMatrixSet",
        summary: "The definition of a tile matrix set", parameters: ["tileMatrixSetId"]),
      operation(
        item + "/tiles", id: "tiles.collection.vector.getTileSetsList",
        summary: "The tilesets of a collection",
        parameters: ["collectionId"]),
      operation(
        item + "/tiles/{tileMatrixSetId}", id: "tiles.collection.vector.getTileSet",
        summary: "A tileset",
        parameters: condition + ["tileMatrixSetId"]),
      operation(
        item + "/tiles/{tileMatrixSetId}/{tileMatrix}/{tileRow}/{tileCol}",
        id: "tiles.collection.vector.getTile",
        summary: "A vector tile",
        parameters: condition + ["tileMatrixSetId", "tileMatrix", "tileRow", "tileCol"],
        type: .mvt),
      operation(
        item + "/tiles/{tileMatrix}/{tileCol}/{tileRow}.mvt", id: "getXYZTile",
        summary: "The same tile with the column before the row",
        parameters: condition + ["tileMatrix", "tileCol", "tileRow"], type: .mvt),
      operation(
        item + "/tiles.json", id: "getTileJSON", summary: "The tileset as TileJSON",
        parameters: condition),
    ]
  }

  /// The operations that change items, by path; none if the service is for reading only.
  private var changes: [String: JSON] {
    guard context.options.writeToken != nil else { return [:] }
    let items = "/collections/{collectionId}/items"
    return [
      items: .object([
        change("post", id: "createFeature", summary: "Create an item", isOne: false, status: "201")
      ]),
      items + "/{featureId}": .object([
        change("put", id: "replaceFeature", summary: "Replace an item"),
        change("patch", id: "updateFeature", summary: "Change some values of an item"),
        change("delete", id: "deleteFeature", summary: "Delete an item", hasBody: false),
      ]),
    ]
  }

  private func change(
    _ method: String, id: String, summary: String, isOne: Bool = true, hasBody: Bool = true,
    status: String = "204"
  ) -> (String, JSON) {
    let names = ["collectionId"] + (isOne ? ["featureId"] : [])
    let problem: JSON = ["$ref": "#/components/responses/problem"]
    let errors = ["400", "401", "404"] + (isOne ? ["412"] : ["409"]) + (hasBody ? ["415"] : [])
    let success: JSON = ["description": .string(summary)]
    let responses = [(status, success)] + errors.map { ($0, problem) }
    var members: [(String, JSON)] = [
      ("tags", ["Data"]), ("operationId", .string(id)), ("summary", .string(summary)),
      ("security", [["token": []]]),
      (
        "parameters",
        .array(names.map { ["$ref": .string("#/components/parameters/\($0)")] })
      ),
      ("responses", .object(responses)),
    ]
    if hasBody {
      let schema: JSON = ["schema": ["$ref": "#/components/schemas/feature"]]
      let type = method == "patch" ? "application/merge-patch+json" : MediaType.geojson.name
      let content = JSON.object([(type, schema)])
      members.append(("requestBody", ["required": true, "content": content]))
    }
    return (method, .object(members))
  }

  /// The items of each class with the parameters that are its properties. GDAL sends conditions only on
  /// properties that it finds here.
  private var collectionPaths: [(String, JSON)] {
    context.state.snapshot.schema.tables.filter { !$0.isEmbedded }.map { table in
      let properties = table.sortables.filter { !ItemsQuery.parameters.contains($0.name) }
      return operation(
        "/collections/\(PercentCoding.encoded(table.name))/items", id: "\(table.name).getFeatures",
        summary: "The items of \(table.name)", parameters: itemParameters,
        properties: properties.map { column in
          Parameter(
            name: column.name, description: "Items with this value of \(column.name)",
            schema: .object(column.jsonType.map { ($0.key, $0.value) }))
        }, type: .geojson, schema: "featureCollection")
    }
  }

  private var itemParameters: [String] {
    ItemsQuery.parameters.filter { $0 != "f" }
  }

  private func operation(
    _ path: String, id: String, summary: String, parameters: [String] = [],
    properties: [Parameter] = [], type: MediaType = .json, schema: String? = nil
  ) -> (String, JSON) {
    let reference: JSON =
      schema.map { ["$ref": .string("#/components/schemas/\($0)")] } ?? [
        "type": "object"
      ]
    let names = (parameters + ["f"]).map { name -> JSON in
      ["$ref": .string("#/components/parameters/\(name)")]
    }
    let page: JSON = ["schema": ["type": "string"]]
    let isForPeople = type != .events && type != .mvt
    let binary: JSON = ["type": "string", "format": "binary"]
    let schema: JSON = ["schema": type == .mvt ? binary : reference]
    let content = JSON.object(
      [(type.name, schema)] + (isForPeople ? [(MediaType.html.name, page)] : []))
    let success: JSON = ["description": .string(summary), "content": content]
    let empty: JSON = ["description": "The tile is empty"]
    let problem: JSON = ["$ref": "#/components/responses/problem"]
    let found = [("200", success)] + (type == .mvt ? [("204", empty)] : [])
    let responses = found + ["400", "404", "406", "503"].map { ($0, problem) }
    let isData = ["Feature", "Features", "Tile"].contains { id.hasSuffix($0) }
    let reading: JSON = [
      "tags": [isData ? "Data" : "Capabilities"],
      "operationId": .string(id), "summary": .string(summary),
      "parameters": .array(names + properties.map(\.json)), "responses": .object(responses),
    ]
    guard case .object(let others)? = changes[path] else { return (path, ["get": reading]) }
    return (path, .object([("get", reading)] + others))
  }

  // MARK: Parameters

  private struct Parameter {
    let name: String
    let description: String
    var isInPath = false
    let schema: JSON

    var json: JSON {
      var members: [(String, JSON)] = [
        ("name", .string(name)), ("in", isInPath ? "path" : "query"),
        ("description", .string(description)), ("required", .bool(isInPath)),
        ("schema", schema),
      ]
      if !isInPath { members += [("style", "form"), ("explode", false)] }
      return .object(members)
    }
  }

  private var parameters: [Parameter] {
    let systems = JSON.array(ServedSystem.all(context.options).map { .string($0.uri) })
    let system: JSON = [
      "type": "string", "enum": systems, "default": .string(ServedSystem.crs84.uri),
    ]
    let text: JSON = ["type": "string"]
    let names: JSON = ["type": "array", "items": text]
    return [
      Parameter(
        name: "collectionId", description: "The name of a collection", isInPath: true,
        schema: ["type": "string", "enum": .array(collectionNames.map { .string($0) })]),
      Parameter(
        name: "featureId", description: "The id of an item", isInPath: true, schema: text),
      Parameter(
        name: "tileMatrixSetId", description: "A tile matrix set", isInPath: true,
        schema: ["type": "string", "enum": [.string(TileMatrixSet.id)]]),
      Parameter(
        name: "tileMatrix", description: "The zoom level", isInPath: true, schema: text),
      Parameter(
        name: "tileRow", description: "The row, from 0 in the north", isInPath: true,
        schema: ["type": "integer", "minimum": 0]),
      Parameter(
        name: "tileCol", description: "The column, from 0 at the antimeridian", isInPath: true,
        schema: ["type": "integer", "minimum": 0]),
      Parameter(name: "f", description: "The format: json, html, csv, fgb or mvt", schema: text),
      Parameter(
        name: "limit", description: "The greatest number of items of a page",
        schema: [
          "type": "integer", "minimum": 1, "maximum": .int(context.options.maxLimit),
          "default": .int(context.options.defaultLimit),
        ]),
      Parameter(
        name: "cursor", description: "The place from which a link `next` continues", schema: text),
      Parameter(
        name: "bbox", description: "A box that the items meet: four numbers, or six with heights",
        schema: [
          "type": "array", "items": ["type": "number"],
          "oneOf": [["minItems": 4, "maxItems": 4], ["minItems": 6, "maxItems": 6]],
        ]),
      Parameter(
        name: "bbox-crs", description: "The coordinate system of the box", schema: system),
      Parameter(name: "crs", description: "The coordinate system of the items", schema: system),
      Parameter(
        name: "datetime", description: "A time, or an interval such as 2024-01-01T00:00:00Z/..",
        schema: text),
      Parameter(
        name: "sortby", description: "Properties to sort by; a minus reverses the order",
        schema: names),
      Parameter(
        name: "properties", description: "The properties to return", schema: names),
      Parameter(name: "filter", description: "A condition in CQL2", schema: text),
      Parameter(
        name: "filter-lang", description: "The language of the condition",
        schema: [
          "type": "string", "enum": ["cql2-text", "cql2-json", .string(FilterLanguage.draftText)],
          "default": "cql2-text",
        ]),
      Parameter(
        name: "filter-crs", description: "The coordinate system of the condition", schema: system),
    ]
  }

  // MARK: Schemas

  private var responses: [(String, JSON)] {
    let schema: JSON = ["schema": ["$ref": "#/components/schemas/problem"]]
    let content = JSON.object([(MediaType.problem.name, schema)])
    return [("problem", ["description": "An error", "content": content])]
  }

  private var schemas: [(String, JSON)] {
    let text: JSON = ["type": "string"]
    let number: JSON = ["type": "integer", "minimum": 0]
    func list(_ name: String) -> JSON {
      ["type": "array", "items": ["$ref": .string("#/components/schemas/\(name)")]]
    }
    func object(_ required: [String], _ properties: JSON) -> JSON {
      [
        "type": "object", "required": .array(required.map { .string($0) }),
        "properties": properties,
      ]
    }
    return [
      (
        "link",
        object(["href"], ["href": text, "rel": text, "type": text, "title": text])
      ),
      (
        "landingPage",
        object(["links"], ["title": text, "description": text, "links": list("link")])
      ),
      (
        "conformance",
        object(["conformsTo"], ["conformsTo": ["type": "array", "items": text]])
      ),
      (
        "collection",
        object(
          ["id", "links"],
          [
            "id": text, "title": text, "description": text, "links": list("link"),
            "extent": ["type": "object"], "itemType": text,
            "crs": ["type": "array", "items": text], "storageCrs": text,
          ])
      ),
      (
        "collections",
        object(
          ["links", "collections"],
          ["links": list("link"), "collections": list("collection")])
      ),
      (
        "feature",
        object(
          ["type", "geometry", "properties"],
          [
            "type": ["type": "string", "enum": ["Feature"]],
            "id": ["oneOf": [text, ["type": "integer"]]],
            "geometry": ["type": "object", "nullable": true],
            "properties": ["type": "object", "nullable": true], "links": list("link"),
          ])
      ),
      (
        "featureCollection",
        object(
          ["type", "features"],
          [
            "type": ["type": "string", "enum": ["FeatureCollection"]],
            "features": list("feature"), "links": list("link"),
            "timeStamp": ["type": "string", "format": "date-time"],
            "numberMatched": number, "numberReturned": number,
          ])
      ),
      (
        "problem",
        object(
          ["title", "status"],
          ["type": text, "title": text, "status": ["type": "integer"], "detail": text])
      ),
    ]
  }
}
