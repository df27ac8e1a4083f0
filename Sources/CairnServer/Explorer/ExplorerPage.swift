import CairnSystem

/// The page for people: a map, a table and figures of the rows that a filter selects.
struct ExplorerPage {
  let title: String

  /// Only files and responses of this server may be used, and no script or style inside the page.
  private static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """

  private enum Placeholder: String {
    case title
  }

  /// The markup of the page. The addresses are relative, since the server may be reached under
  /// several names.
  private static let template = PageTemplate<Placeholder>(PackageResources.explorer_html)

  /// The response with the page.
  var response: Response {
    let text = Self.template.text { placeholder in
      switch placeholder {
      case .title: Markup.escaped(title)
      }
    }
    var response = Response(.html, text: text)
    response.headers["Content-Security-Policy"] = Self.policy
    response.headers["Referrer-Policy"] = "same-origin"
    return response
  }
}
