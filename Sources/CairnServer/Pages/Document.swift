/// A resource that is a JSON object for programs and a page for people.
struct Document {
  let title: String
  let json: JSON
  /// The pages above this one, without the landing page.
  var trail: [Place] = []
  /// Writes the content of the page.
  let content: (inout WebPage) -> Void

  /// A page above another one.
  enum Place {
    case collections
    case collection(String)
    case items(String)

    fileprivate func link(_ context: RequestContext) -> (title: String, href: String) {
      switch self {
      case .collections: ("Collections", context.url("collections") + "?f=html")
      case .collection(let name): (name, context.url("collections", name) + "?f=html")
      case .items(let name): ("Items", context.url("collections", name, "items") + "?f=html")
      }
    }
  }

  init(
    title: String, json: JSON = .null, trail: [Place] = [],
    content: @escaping (inout WebPage) -> Void
  ) {
    self.title = title
    self.json = json
    self.trail = trail
    self.content = content
  }

  /// The document in the representation that the client wants.
  func response(_ context: RequestContext) -> Response {
    guard context.type == .html else { return Response(context.type, text: json.text + "\n") }
    var page = WebPage(
      title: title,
      trail: [("Home", context.base + "/?f=html")] + trail.map { $0.link(context) })
    content(&page)
    return Response(.html, text: page.text)
  }
}

/// The response for a problem.
struct ProblemPage {
  let problem: Problem
  let request: Request
  let options: ServiceOptions

  var response: Response {
    // A query that is too long is not read.
    let query = problem.status == 414 ? nil : (try? QueryItems(request.query))
    let format = query?["f"]
    let accepted = try? Negotiation.choose(
      [.problem, .html], parameter: nil, accept: request.headers["Accept"])
    let isNamed = MediaType.allCases.contains { $0.parameter == format }
    var response: Response
    if isNamed ? format == MediaType.html.parameter : accepted == .html {
      let home = BaseURL.of(request, options: options) + "/?f=html"
      var page = WebPage(title: "\(problem.status) \(problem.title)", trail: [("Home", home)])
      page.preformatted(problem.detail)
      response = Response(status: problem.status, .html, text: page.text)
    } else {
      response = Response(
        status: problem.status, .problem, text: problem.json.text + "\n")
    }
    for (name, value) in problem.headers.fields { response.headers[name] = value }
    return response
  }
}
