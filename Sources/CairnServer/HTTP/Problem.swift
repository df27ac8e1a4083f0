import CairnGeometry
import CairnIO
import CairnQuery
import CairnStorage
import CairnTiles
import CairnValues

/// An error that a client receives, as RFC 7807 describes it.
struct Problem: Error {
  /// The HTTP status code.
  let status: Int
  /// The description. It may have several lines; a caret in the last one marks a place.
  let detail: String
  /// More headers of the response.
  var headers: Headers = [:]

  init(_ status: Int, detail: String, headers: Headers = [:]) {
    self.status = status
    self.detail = detail
    self.headers = headers
  }

  /// A mistake of the client in the request.
  static func badRequest(_ detail: String) -> Problem { Problem(400, detail: detail) }

  /// A mistake in a parameter, with the error of a library as its description.
  static func parameter(_ name: String, _ error: any Error) -> Problem {
    let problem = Problem(error)
    return Problem(problem.status, detail: "\(name): \(problem.detail)", headers: problem.headers)
  }

  /// A resource that does not exist.
  ///
  /// - Parameter names: The names that exist; the nearest one is suggested.
  static func notFound(_ kind: String, name: String, among names: [String] = []) -> Problem {
    let hint = NearestName.of(name, among: names).map { "; did you mean '\($0)'?" } ?? ""
    return Problem(404, detail: "there is no \(kind) '\(name)'\(hint)")
  }

  /// The name of the status code.
  var title: String {
    switch status {
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 409: "Conflict"
    case 410: "Gone"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 429: "Too Many Requests"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    default: "Error"
    }
  }

  var json: JSON {
    [
      "type": "about:blank", "title": .string(title), "status": .int(status),
      "detail": .string(detail),
    ]
  }
}

extension Problem {
  /// The problem for an error of a library.
  init(_ error: any Error) {
    switch error {
    case let problem as Problem: self = problem
    case let error as PredicateError: self.init(400, detail: error.description)
    case let error as QueryError: self.init(400, detail: error.message)
    case let error as QueryDeadline.Missed:
      self.init(
        503,
        detail: "the query takes longer than \(error.seconds) s; ask for less of the collection")
    case let error as StoreError:
      // A store that was replaced is opened again with the next request.
      self.init(
        503, detail: error.message,
        headers: error.kind == .replaced ? ["Retry-After": "1"] : [:])
    case let error as GeometryError:
      self.init(error.kind == .missingLibrary ? 501 : 400, detail: error.message)
    case let error as TileError:
      let remedy = error.kind == .data ? "; leave that property out of `properties`" : ""
      self.init(error.kind == .invalidTile ? 404 : 400, detail: error.message + remedy)
    case OutputError.outsideSystem(let message): self.init(400, detail: message)
    case OutputError.tooDeep:
      self.init(
        400, detail: "a row nests too many objects; leave that property out of `properties`")
    default: self.init(500, detail: "the response could not be written")
    }
  }
}
