extension Persisted {
  /// A value of any type as the property's own; nil where it does not fit.
  static func value(from any: Any, _ intake: ValueIntake) throws -> (any _Persistable)? {
    try Value._from(any, intake)
  }

  /// Sets the property of an instance, or of the row that it stands for.
  static func assign(
    _ value: any _Persistable, _ pointer: UnsafeMutableRawPointer, _ row: Row?
  ) {
    guard let value = value as? Value else { return }
    let wrapper = pointer.assumingMemoryBound(to: Self.self)
    if let row, case .managed(let property) = wrapper.pointee.state {
      value._write(row, property.column)
    } else if let row, case .value(let kept) = wrapper.pointee.state,
      let column = kept._settledColumn
    {
      value._write(row, column)
    } else {
      wrapper.pointee.state = .value(value)
    }
  }

  /// The property of an instance, or of the row that it stands for.
  static func read(_ pointer: UnsafeMutableRawPointer, _ row: Row?) -> any _Persistable {
    let wrapper = pointer.assumingMemoryBound(to: Self.self)
    switch wrapper.pointee.state {
    case .value(let value): return value
    case .managed(let property):
      guard let row else { ObjectBase.missingRow() }
      return Value._read(row, property.column)
    case .traced: return Value._default()
    case .unset:
      let value = Value._default()
      wrapper.pointee.state = .value(value)
      return value
    }
  }
}
