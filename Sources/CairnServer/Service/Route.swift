/// The resource that a path names.
enum Route: Equatable {
  case landing
  case api
  case conformance
  case collections
  case collection(String)
  case items(String)
  case item(String, id: String)
  case schema(String)
  case queryables(String)
  case sortables(String)
  case live(String)

  /// - Throws: A problem if there is no such resource, or if the path is not percent-encoded UTF-8.
  init(_ path: String) throws(Problem) {
    var segments: [String] = []
    for segment in path.split(separator: "/") {
      guard let text = PercentCoding.decoded(segment, plusIsSpace: false) else {
        throw .badRequest("the path has a percent sign without two digits, or is not UTF-8")
      }
      segments.append(text)
    }
    guard path.hasPrefix("/"), let route = Self.route(segments) else {
      throw .notFound("resource", name: path, among: ["/api", "/conformance", "/collections"])
    }
    self = route
  }

  private static func route(_ segments: [String]) -> Route? {
    switch segments.count {
    case 0: return .landing
    case 1:
      return ["api": Route.api, "conformance": .conformance, "collections": .collections][
        segments[0]]
    default: break
    }
    guard segments[0] == "collections" else { return nil }
    let name = segments[1]
    switch segments.count {
    case 2: return .collection(name)
    case 3:
      return [
        "items": .items(name), "schema": .schema(name), "queryables": .queryables(name),
        "sortables": .sortables(name), "live": .live(name),
      ][segments[2]]
    case 4: return segments[2] == "items" ? .item(name, id: segments[3]) : nil
    default: return nil
    }
  }

  /// The class; nil for a resource of the whole store.
  var className: String? {
    switch self {
    case .landing, .api, .conformance, .collections: nil
    case .collection(let name), .items(let name), .item(let name, _), .schema(let name),
      .queryables(let name), .sortables(let name), .live(let name):
      name
    }
  }

  /// The representations of the resource, the preferred one first.
  var offers: [MediaType] {
    switch self {
    case .landing, .conformance, .collections, .collection: [.json, .html]
    case .api: [.openAPI, .html]
    case .items: [.geojson, .html, .csv]
    case .item: [.geojson, .html]
    case .live: [.events]
    case .schema, .queryables, .sortables: [.schema, .html]
    }
  }
}
