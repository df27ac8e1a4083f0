import CairnStorage
import CairnValues

/// The widths of integers. A store does not record them; access by name uses the widths that the
/// program's class declares.
enum IntegerWidth {
  /// Returns the integer type that values of a type, or its elements, are stored as: `Int8` for
  /// `Int8`, `Int8?`, `List<Int8>` and enumerations over it; nil for other types.
  static func type(in type: Any.Type) -> (any _StoredInteger.Type)? {
    switch type {
    case let integer as any _StoredInteger.Type: integer
    case let optional as any _QueryOptional.Type: self.type(in: wrapped(optional))
    case let collection as any _QueryCollection.Type: self.type(in: element(collection))
    case let value as any _Persistable.Type: stored(value)
    default: nil
    }
  }

  private static func wrapped<T: _QueryOptional>(_ type: T.Type) -> Any.Type { T._Wrapped.self }

  private static func element<T: _QueryCollection>(_ type: T.Type) -> Any.Type {
    T._QueryElement.self
  }

  /// Returns the integer type that an enumeration or a custom type is stored as.
  private static func stored<T: _Persistable>(_ type: T.Type) -> (any _StoredInteger.Type)? {
    T.PersistedType.self == T.self ? nil : self.type(in: T.PersistedType.self)
  }
}

extension Session {
  /// Returns the integer type that the program's class declares for a column, or `Int` if it
  /// declares none or another type.
  func integer(of column: ColumnSchema, in className: String) -> any _StoredInteger.Type {
    let layout = layout(named: className) ?? successorLayouts[className]
    let property = layout?.properties.first { $0.columnName.utf8.elementsEqual(column.name.utf8) }
    guard let property, property.kind.type == .int, property.kind.collection == column.collection
    else { return Int.self }
    return property.wrapper.integer ?? Int.self
  }
}

extension ClassHandle {
  /// Whether the program may declare this class. Access by name asks for every property, so the
  /// answer is cached until the session advances or registers a class. Frozen handles, which
  /// several threads share, cache nothing.
  var mayBeDeclared: Bool {
    if declaration.version == version { return declaration.isThere }
    guard !isFrozen, session.successorLayouts.isEmpty else { return true }
    declaration = (version, session.layout(named: name) != nil)
    return declaration.isThere
  }
}

extension Row {
  /// Returns whether a type can hold the value of the column. In the snapshot before a migration,
  /// the program's class may declare another width.
  func fits<I: _StoredInteger>(_ type: I.Type, column: ColumnSchema) -> Bool {
    guard type != Int.self, type != Int64.self else { return true }
    func fits(_ value: Value) -> Bool {
      guard case .int(let number) = value else { return true }
      return I(exactly: number) != nil
    }
    if column.collection == .none { return fits(handle.value(column.position, at: key)) }
    return CollectionReference(self, column: column.position).elements.all.allSatisfy {
      fits($0.value)
    }
  }
}
