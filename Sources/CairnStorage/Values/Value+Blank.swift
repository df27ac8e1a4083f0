import CairnValues

extension Value {
  /// What stands in a cell that may not be null and was given nothing.
  package static func blank(_ type: ValueType) -> Value {
    switch type {
    case .bool: .bool(false)
    case .int, .link, .embedded: .int(0)
    case .float: .float(0)
    case .double: .double(0)
    case .string: .string("")
    case .data, .mixed: .data([])
    case .date: .date(0)
    case .objectId: .objectId(ObjectId())
    case .uuid: .uuid(UUIDBytes(high: 0, low: 0))
    case .decimal128: .decimal(0)
    case .point: .point(Position(latitude: 0, longitude: 0))
    }
  }
}
