import CairnQuery
import CairnSystem

/// Answering requests.
extension Service {
  /// Answers a request. Errors are responses too.
  public func respond(to request: Request) async -> Response {
    do {
      let place = try limits.begin(request.client, at: MonotonicClock.seconds)
      defer { withExtendedLifetime(place) {} }
      return try await answer(request)
    } catch {
      let page = ProblemPage(problem: Problem(error), request: request, options: options)
      return completed(page.response, for: request)
    }
  }

  /// Adds what the responses to all requests have, and compresses the content.
  private func completed(_ answer: Response, for request: Request) -> Response {
    var response = answer
    if let origin = options.allowedOrigin {
      response.headers["Access-Control-Allow-Origin"] = origin
      response.headers["Access-Control-Expose-Headers"] = "Content-Crs, ETag, Link, Location"
    }
    response.headers["X-Content-Type-Options"] = "nosniff"
    if response.headers["Vary"] == nil { response.headers["Vary"] = "Accept, Accept-Encoding" }
    if response.headers["Cache-Control"] == nil { response.headers["Cache-Control"] = "no-cache" }
    if options.compresses {
      response = Compression.applied(to: response, for: request, on: threads)
    }
    if request.method == "HEAD" { dropBody(of: &response) }
    return response
  }

  /// Leaves the headers that GET has, with the length of the body if it is known.
  private func dropBody(of response: inout Response) {
    if case .bytes(let bytes) = response.body, response.status != 204, response.status != 304 {
      response.headers["Content-Length"] = String(bytes.count)
    }
    response.body = .bytes([])
  }

  private func answer(_ request: Request) async throws -> Response {
    guard request.path.utf8.count + request.query.utf8.count <= options.maxTargetLength else {
      throw Problem(
        414, detail: "the path and the query are longer than \(options.maxTargetLength) bytes")
    }
    guard request.body.count <= options.maxBodyLength else {
      throw Problem(413, detail: "the body is longer than \(options.maxBodyLength) bytes")
    }
    let route = try Route(request.path)
    switch request.method {
    case "GET", "HEAD":
      // The time of a query includes that of waiting for a thread.
      let deadline = QueryDeadline(after: options.maxQuerySeconds)
      return try await threads.run { [self] in
        let context = try RequestContext(
          request, route: route, service: self, deadline: deadline)
        return completed(try context.response(), for: request)
      }
    case "OPTIONS": return completed(preflight(route), for: request)
    default:
      if let change = ItemChange(request, route: route, service: self) {
        return completed(try await change.response(), for: request)
      }
      throw Problem(
        405, detail: "the method \(request.method) is not available here",
        headers: ["Allow": methods(of: route)])
    }
  }

  /// The methods of a resource.
  private func methods(of route: Route) -> String {
    let methods = "GET, HEAD, OPTIONS"
    guard options.writeToken != nil else { return methods }
    return switch route {
    case .items: methods + ", POST"
    case .item: methods + ", PUT, PATCH, DELETE"
    default: methods
    }
  }

  private func preflight(_ route: Route) -> Response {
    let methods = methods(of: route)
    var headers: Headers = ["Allow": methods]
    if options.writeToken != nil {
      switch route {
      case .items: headers["Accept-Post"] = FeatureBody.newTypes
      case .item: headers["Accept-Patch"] = FeatureBody.partTypes
      default: break
      }
    }
    if options.allowedOrigin != nil {
      headers["Access-Control-Allow-Methods"] = methods
      headers["Access-Control-Allow-Headers"] =
        "Accept, Authorization, Content-Crs, Content-Type, If-Match, If-None-Match, Last-Event-ID"
      headers["Access-Control-Max-Age"] = "86400"
    }
    return Response(headers: headers)
  }
}
