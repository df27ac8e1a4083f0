import CairnIO
import CairnStorage
import CairnSystem
import CairnValues

/// A page of the items of a collection.
struct ItemsPage {
  private let collection: Collection
  private let query: ItemsQuery
  private let page: ItemKeys
  private var context: RequestContext { collection.context }

  init(_ collection: Collection) throws {
    self.collection = collection
    query = try ItemsQuery(collection)
    page = try ItemKeys(query)
  }

  func response() throws -> Response {
    let columns = ItemColumns(query.properties, of: collection)
    var response = Response()
    if let next { response.headers["Link"] = "<\(next.href)>; rel=\"next\"" }
    response.headers["Content-Crs"] = "<\(query.system.uri)>"
    response.headers["Content-Type"] = context.type.header
    switch context.type {
    case .html:
      let document = try ItemsTable(
        collection, query: query, keys: page.keys, columns: columns, next: next,
        matched: numberMatched()
      ).document
      response.body = document.response(context).body
    case .csv:
      let writer = try ItemWriter(
        .csv, columns: columns, of: collection.table, in: query.system)
      response.body = try ItemStream(page.keys, writer: writer, context: context).body()
    case .flatGeobuf:
      response.headers["Content-Disposition"] = Attachment.header(collection.name + ".fgb")
      let writer = try ItemWriter(
        flatGeobuf: columns, keys: page.keys, of: collection.table, in: query.system)
      response.body = try ItemStream(page.keys, writer: writer, context: context).body()
    default:
      let writer = try ItemWriter(
        features: columns, of: collection.table, in: query.system, members: members(),
        isCollection: true)
      response.body = try ItemStream(page.keys, writer: writer, context: context).body()
    }
    return response
  }

  private var next: Link? {
    page.next(query).map { cursor in
      Link(
        href: context.ownURL + context.query.replacing([("cursor", cursor.text)]), rel: "next",
        type: context.type, title: "The next page")
    }
  }

  private func numberMatched() throws -> Int {
    if query.cursor == nil, !page.hasMore { return page.keys.count }
    return try collection.count(query.predicate)
  }

  /// The members of the feature collection before the features.
  private func members() throws -> String {
    let collectionLink = Link(
      href: collection.url, rel: "collection", type: .json, title: "The collection")
    let links = context.ownLinks() + [collectionLink] + (next.map { [$0] } ?? [])
    let json: JSON = [
      "timeStamp": .string(Clock.timestamp()), "numberMatched": .int(try numberMatched()),
      "numberReturned": .int(page.keys.count), "links": .array(links.map(\.json)),
    ]
    return json.text.dropFirst().dropLast() + ","
  }
}

/// The name of a response that is saved as a file.
enum Attachment {
  /// The value of the header `Content-Disposition`, as RFC 6266 describes it.
  static func header(_ name: String) -> String {
    let plain = String(name.map { $0.isASCIIWord || $0 == "." || $0 == "-" ? $0 : "_" })
    let header = "attachment; filename=\"\(plain)\""
    return plain == name ? header : header + "; filename*=UTF-8''" + PercentCoding.encoded(name)
  }
}

/// The time of day.
enum Clock {
  /// The present time to the second in RFC 3339.
  static func timestamp() -> String {
    // 978 307 200 seconds lie between 1970 and 2001.
    Timestamp.text(Double(time(nil) - 978_307_200))
  }
}

/// One item of a collection.
struct ItemPage {
  private let collection: Collection
  private let key: Int
  private let id: String
  private var context: RequestContext { collection.context }

  /// - Throws: A problem if the collection has no item with the identifier.
  init(_ collection: Collection, id: String) throws {
    self.collection = collection
    self.id = id
    guard let key = Self.key(id, in: collection.table) else {
      throw Problem.notFound("item", name: id)
    }
    self.key = key
    try collection.context.rejectOtherParameters(than: ["crs", "properties"])
  }

  /// The key of an item's row; nil if the collection has no item with the identifier.
  static func key(_ id: String, in table: Table) -> Int? {
    guard let position = table.schema.primaryKey else {
      guard let key = Int(id), table.isLive(key) else { return nil }
      return key
    }
    guard let value = try? PropertyValue.value(id, of: table.schema.columns[position]) else {
      return nil
    }
    return table.find(primaryKey: value)
  }

  func response() throws -> Response {
    let query = context.query
    let system = try ServedSystem.named(query["crs"], parameter: "crs", options: context.options)
    let columns = ItemColumns(
      try ItemsQuery.properties(query["properties"], of: collection), of: collection)
    var response = Response()
    response.headers["Content-Crs"] = "<\(system.uri)>"
    response.headers["Content-Type"] = context.type.header
    guard context.type != .html else {
      let document = try ItemTable(collection, key: key, id: id, columns: columns, system: system)
        .document
      response.body = document.response(context).body
      return response
    }
    let collectionLink = Link(
      href: collection.url, rel: "collection", type: .json, title: "The collection")
    let links = JSON.array((context.ownLinks() + [collectionLink]).map(\.json))
    let writer = try ItemWriter(
      features: columns, of: collection.table, in: system,
      members: "\"links\":\(links.text),", isCollection: false)
    try writer.write(key)
    try writer.finish()
    response.body = .bytes(writer.take())
    return response
  }
}
