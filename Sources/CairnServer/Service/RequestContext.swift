import CairnQuery
import CairnStorage

/// A request with everything that its answer needs: the state of the store, the base of links, and
/// the representation that the client wants.
struct RequestContext {
  let request: Request
  let route: Route
  let service: Service
  let query: QueryItems
  let type: MediaType
  let state: ServedStore.State
  /// The base of links, without a slash at the end.
  let base: String
  /// The time at which the queries of the request end.
  let deadline: QueryDeadline

  var options: ServiceOptions { service.options }

  init(
    _ request: Request, route: Route, service: Service, deadline: QueryDeadline
  ) throws {
    self.request = request
    self.route = route
    self.service = service
    query = try QueryItems(request.query)
    type = try Negotiation.choose(
      route.offers, parameter: query["f"], accept: request.headers["Accept"])
    state = try service.store.state()
    base = BaseURL.of(request, options: service.options)
    self.deadline = deadline
  }

  /// Throws a problem if the query has a parameter other than `f` and the given ones.
  func rejectOtherParameters(than known: [String] = []) throws(Problem) {
    let all = ["f"] + known
    for item in query.items where !all.contains(item.name) {
      let problem = Problem.notFound("parameter", name: item.name, among: all)
      throw .badRequest(problem.detail)
    }
  }

  /// The URL of a resource below the base.
  func url(_ segments: String...) -> String {
    base + segments.map { "/" + PercentCoding.encoded($0) }.joined()
  }

  /// The path of the request as it was sent.
  var ownURL: String { base + request.path }

  /// The links to this resource in all of its representations.
  func ownLinks(_ changes: [(name: String, value: String?)] = []) -> [Link] {
    route.offers.map { offer in
      let isOwn = offer == type
      let items: [(name: String, value: String?)] =
        changes + (isOwn && query["f"] == nil ? [] : [("f", offer.parameter)])
      return Link(
        href: ownURL + query.replacing(items), rel: isOwn ? "self" : "alternate", type: offer,
        title: isOwn ? "This document" : "This document as \(offer.parameter.uppercased())")
    }
  }
}

/// A link of a document.
struct Link {
  let href: String
  let rel: String
  let type: MediaType
  let title: String
  /// Whether the destination has variables in braces.
  var isTemplated = false

  var json: JSON {
    let json: JSON = [
      "href": .string(href), "rel": .string(rel), "type": .string(type.linkName),
      "title": .string(title),
    ]
    return isTemplated ? json.adding(["templated": true]) : json
  }
}

/// The base of links.
enum BaseURL {
  static func of(_ request: Request, options: ServiceOptions) -> String {
    switch options.baseSource {
    case .fixed: break
    case .host:
      if let host = request.headers["Host"], isHost(host) {
        return scheme(of: options.baseURL) + "://" + host
      }
    case .forwarded:
      if let host = first(request.headers["X-Forwarded-Host"]), isHost(host) {
        let named = first(request.headers["X-Forwarded-Proto"])
        let scheme = named == "https" || named == "http" ? named : nil
        let prefix = first(request.headers["X-Forwarded-Prefix"]).flatMap(path) ?? ""
        return (scheme ?? self.scheme(of: options.baseURL)) + "://" + host + prefix
      }
    }
    return options.baseURL
  }

  private static func scheme(of url: String) -> String {
    url.hasPrefix("https:") ? "https" : "http"
  }

  /// The first of several values, which is that of the outermost proxy.
  private static func first(_ header: String?) -> String? {
    header?.split(separator: ",").first.map { String($0.filter { $0 != " " }) }
  }

  private static func isHost(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 255
      && text.utf8.allSatisfy { byte in
        Character(Unicode.Scalar(byte)).isASCIIWord || "-.:[]".utf8.contains(byte)
      }
  }

  private static func path(_ text: String) -> String? {
    let isSafe = text.utf8.allSatisfy {
      Character(Unicode.Scalar($0)).isASCIIWord || "-./~".utf8.contains($0)
    }
    guard isSafe, text.hasPrefix("/"), !text.hasPrefix("//") else { return nil }
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }
}

extension Character {
  /// Whether this is an ASCII letter or digit, or an underscore.
  var isASCIIWord: Bool { isASCII && (isLetter || isNumber || self == "_") }
}
