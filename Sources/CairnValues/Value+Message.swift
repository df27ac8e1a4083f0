extension Value {
  /// The value as messages show it.
  package var shown: String {
    switch self {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .int(let number): "\(number)"
    case .float(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .string(let text): text
    case .data(let bytes): "<\(bytes.count) bytes>"
    case .date(let seconds): ISODate.format(seconds)
    case .objectId(let id): "\(id)"
    case .uuid(let id): "\(id)"
    case .point(let point): "(\(point.latitude), \(point.longitude))"
    case .link(let link): "object \(link.key)"
    }
  }
}
