/// A representation that the service offers.
enum MediaType: String, Sendable, CaseIterable {
  case json
  case geojson
  case html
  case csv
  case flatGeobuf
  case openAPI
  case schema
  case problem
  case events
  case mvt
  case css
  case javaScript

  /// The type without parameters.
  var name: String {
    switch self {
    case .json: "application/json"
    case .geojson: "application/geo+json"
    case .html: "text/html"
    case .csv: "text/csv"
    case .flatGeobuf: "application/flatgeobuf"
    case .openAPI: "application/vnd.oai.openapi+json"
    case .schema: "application/schema+json"
    case .problem: "application/problem+json"
    case .events: "text/event-stream"
    case .mvt: "application/vnd.mapbox-vector-tile"
    case .css: "text/css"
    case .javaScript: "text/javascript"
    }
  }

  /// The value of the header `Content-Type`.
  var header: String {
    switch self {
    case .html, .css, .javaScript: name + "; charset=utf-8"
    case .csv: "text/csv; charset=utf-8; header=present"
    case .openAPI: "application/vnd.oai.openapi+json;version=3.0"
    default: name
    }
  }

  /// The type in links. Clients such as OWSLib look for the version of OpenAPI there.
  var linkName: String { self == .openAPI ? header : name }

  /// Whether the type is a kind of JSON.
  var isJSON: Bool {
    switch self {
    case .json, .geojson, .openAPI, .schema, .problem: true
    case .html, .csv, .flatGeobuf, .events, .mvt, .css, .javaScript: false
    }
  }

  /// The names under which clients accept the type.
  var acceptedNames: [String] {
    if isJSON { return [name, MediaType.json.name] }
    return self == .mvt ? [name, "application/x-protobuf", "application/octet-stream"] : [name]
  }

  /// The value of the parameter `f` that selects the type.
  var parameter: String {
    switch self {
    case .html: "html"
    case .csv: "csv"
    case .flatGeobuf: "fgb"
    case .geojson: "geojson"
    case .events: "events"
    case .mvt: "mvt"
    case .css: "css"
    case .javaScript: "js"
    case .json, .openAPI, .schema, .problem: "json"
    }
  }
}

/// The choice of a representation by the parameter `f` or the header `Accept`.
enum Negotiation {
  /// Returns the type to send.
  ///
  /// - Parameter offers: The types of the resource, the preferred one first.
  /// - Throws: A problem if `f` is unknown, or if the client accepts none of the types.
  static func choose(
    _ offers: [MediaType], parameter: String?, accept: String?
  ) throws(Problem) -> MediaType {
    if let parameter {
      if let offer = offers.first(where: { $0.parameter == parameter }) { return offer }
      if parameter == "json", let first = offers.first(where: \.isJSON) { return first }
      let names = offers.map(\.parameter).joined(separator: ", ")
      throw .badRequest("the parameter f is '\(parameter)'; this resource offers \(names)")
    }
    guard let accept, !accept.isEmpty else { return offers[0] }
    let ranges = accept.split(separator: ",").compactMap(Range.init)
    let rated = offers.enumerated().map { (offer: $1, quality: quality(of: $1, in: ranges)) }
    guard let best = rated.map(\.quality).max(), best > 0,
      let choice = rated.first(where: { $0.quality == best })
    else {
      let names = offers.map(\.name).joined(separator: ", ")
      throw Problem(406, detail: "this resource is available as \(names)")
    }
    return choice.offer
  }

  /// One of the ranges of `Accept`, such as `text/*;q=0.5`.
  private struct Range {
    let type: String
    let quality: Double

    init?(_ text: Substring) {
      let parts = text.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
      guard let first = parts.first else { return nil }
      type = first
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
      quality = weight.map { Double($0) ?? 0 } ?? 1
    }

    /// How exactly the range names a type; nil if it does not include it.
    func precision(for name: String) -> Int? {
      if type == name { return 2 }
      if type == "*/*" { return 0 }
      return type.hasSuffix("/*") && name.hasPrefix(type.dropLast()) ? 1 : nil
    }
  }

  private static func quality(of offer: MediaType, in ranges: [Range]) -> Double {
    offer.acceptedNames.map { name in
      let matching = ranges.compactMap { range in
        range.precision(for: name).map { (precision: $0, quality: range.quality) }
      }
      return matching.max { $0.precision < $1.precision }?.quality ?? 0
    }.max() ?? 0
  }
}
