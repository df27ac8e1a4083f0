/// A receiver of changes: a URL to which a service posts the events of a collection.
public struct Hook: Hashable, Sendable {
  /// The class, and the parameters that `/collections/{class}/live` has, as in
  /// `ships?fences=harbours`.
  public let subject: String
  /// The URL of the receiver, which begins with `http://` or `https://`.
  public let url: String

  /// Parses the text `SUBJECT=URL`, such as `ships?fences=harbours=https://example.org/moved`.
  ///
  /// - Throws: ``ServiceError`` if the text has another form.
  public init(_ text: String) throws(ServiceError) {
    let parts = ["=http://", "=https://"].compactMap { Self.split(text, before: $0) }
    guard let (subject, url) = parts.min(by: { $0.subject.count < $1.subject.count }),
      !subject.isEmpty, !subject.hasPrefix("?"), !url.hasSuffix("://")
    else {
      throw ServiceError(
        description: "'\(text)' is not a class, an equals sign and the URL of a receiver, "
          + "as in cities=https://example.org/changes")
    }
    (self.subject, self.url) = (subject, url)
  }

  /// Splits the text at the equals sign with which the first occurrence of `part` begins.
  private static func split(_ text: String, before part: String) -> (subject: String, url: String)?
  {
    let bytes = Array(text.utf8)
    let wanted = Array(part.utf8)
    guard bytes.count >= wanted.count,
      let start = (0...bytes.count - wanted.count).first(where: {
        bytes[$0...].starts(with: wanted)
      })
    else { return nil }
    return (
      String(decoding: bytes[..<start], as: UTF8.self),
      String(decoding: bytes[(start + 1)...], as: UTF8.self)
    )
  }

  /// The URL without the parts that may hold secrets, for messages.
  public var shownURL: String {
    guard let scheme = url.firstIndex(of: ":") else { return "" }
    let rest = url[scheme...].dropFirst(3).prefix { $0 != "?" && $0 != "#" }
    let host = rest.prefix { $0 != "/" }
    let bare = host.lastIndex(of: "@").map { host[host.index(after: $0)...] } ?? host
    return url[..<scheme] + "://" + bare + rest.dropFirst(host.count)
  }

  /// The key of the hook in the file with the cursors.
  var key: String { subject + "=" + url }

  /// The request for the events.
  ///
  /// - Throws: A problem if the parameters are not those of a hook.
  func request() throws(Problem) -> Request {
    let parts = subject.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = parts.count > 1 ? String(parts[1]) : ""
    guard try QueryItems(query)["since"] == nil else {
      throw .badRequest("since: a hook continues where it was interrupted, by itself")
    }
    guard let name = PercentCoding.decoded(parts[0], plusIsSpace: false) else {
      throw .badRequest("'\(parts[0])' has a percent sign without two digits, or is not UTF-8")
    }
    return Request(target: "/collections/\(PercentCoding.encoded(name))/live?\(query)")
  }
}

/// Events for the receiver of a hook, as JSON.
public struct HookBatch: Sendable {
  /// The hook.
  public let hook: Hook
  /// The number of events.
  public let count: Int
  /// The content of the request.
  public let body: [UInt8]

  /// - Parameters:
  ///   - events: The events as JSON objects.
  ///   - cursor: The cursor behind the events; nil before the first.
  init(_ events: [String], of hook: Hook, cursor: String?) {
    let head: JSON = [
      "hook": .string(hook.subject), "cursor": cursor.map { .string($0) } ?? .null,
    ]
    let text = "\(head.text.dropLast()),\"events\":[\n\(events.joined(separator: ",\n"))\n]}\n"
    (self.hook, count, body) = (hook, events.count, Array(text.utf8))
  }

  /// The events of a part of a stream, as JSON objects: what a server-sent event has in `data`, and
  /// its kind in `event`.
  static func events(in chunk: [UInt8]) -> [String] {
    let lines = chunk.split(separator: UInt8(ascii: "\n"))
    var kind = ""
    var events: [String] = []
    for line in lines {
      if line.starts(with: eventField) {
        kind = String(decoding: line.dropFirst(eventField.count), as: UTF8.self)
      } else if line.starts(with: dataField), kind != "ready" {
        let members = String(decoding: line.dropFirst(dataField.count + 1), as: UTF8.self)
        events.append("{\"event\":\"\(kind)\",\(members)")
      }
    }
    return events
  }

  private static let eventField = Array("event: ".utf8)
  private static let dataField = Array("data: ".utf8)

  /// The event that tells a receiver that events are missing.
  static func gap(since cursor: String) -> String {
    let event: JSON = ["event": "gap", "since": .string(cursor)]
    return event.text
  }
}
