/// An HTTP request, as any transport can hand it to a ``Service``.
public struct Request: Sendable {
  /// The method, such as `GET`.
  public var method: String
  /// The path as it was sent, percent-encoded, without the query.
  public var path: String
  /// The query as it was sent, percent-encoded, without the question mark.
  public var query: String
  /// The headers.
  public var headers: Headers
  /// The body.
  public var body: [UInt8]
  /// The address of the client, to which the limits for each client apply; nil for no such limits.
  public var client: String?

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - target: The path and the query, such as `/collections?f=html`.
  ///   - client: The address of the client.
  public init(
    _ method: String = "GET", target: String, headers: Headers = [:], body: [UInt8] = [],
    client: String? = nil
  ) {
    self.method = method
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = parts.first.map(String.init) ?? ""
    query = parts.count > 1 ? String(parts[1]) : ""
    self.headers = headers
    self.body = body
    self.client = client
  }
}

/// The headers of a message, in order. Their names are compared without case.
public struct Headers: Sendable, ExpressibleByDictionaryLiteral {
  /// The names and values.
  public private(set) var fields: [(name: String, value: String)] = []

  /// Creates headers from a literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value: value) }
  }

  /// Adds a header, also if there is one of that name.
  public mutating func append(_ name: String, value: String) {
    fields.append((name, value))
  }

  /// The first value of a name. Setting it replaces all of them.
  public subscript(name: String) -> String? {
    get {
      let lower = name.lowercased()
      return fields.first { $0.name.lowercased() == lower }?.value
    }
    set {
      let lower = name.lowercased()
      fields.removeAll { $0.name.lowercased() == lower }
      if let newValue { fields.append((name, newValue)) }
    }
  }
}
