import CairnValues

/// Values as descriptions show them.
enum ValueText {
  static func text(of value: Value) -> String {
    switch value {
    case .null: "(null)"
    case .bool(let flag): flag ? "1" : "0"
    case .int(let number): "\(number)"
    case .float(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .string(let text): text
    case .data(let bytes): "<\(bytes.count) bytes>"
    case .date(let seconds): ISODate.format(seconds)
    case .objectId(let id): "\(id)"
    case .uuid(let id): "\(id)"
    case .point(let place): "(\(place.latitude), \(place.longitude))"
    }
  }
}
