import CairnQuery
import CairnStorage
import CairnValues

// MARK: By the name of a property

extension RealmCollection {
  /// The least value of a property; nil without values. NaNs are ignored.
  public func min<T: MinMaxType>(ofProperty property: String) -> T? {
    Number.convert(summary(of: property, .min).minimum, property: property)
  }

  /// The greatest value of a property; nil without values. NaNs are ignored.
  public func max<T: MinMaxType>(ofProperty property: String) -> T? {
    Number.convert(summary(of: property, .max).maximum, property: property)
  }

  /// The sum of a property's values; 0 without values.
  public func sum<T: AddableType>(ofProperty property: String) -> T {
    Number.convert(summary(of: property, .sum).sum, property: property) ?? Number.zero()
  }

  /// The mean of a property's values other than null; nil without values.
  public func average<T: AddableType>(ofProperty property: String) -> T? {
    Number.convert(summary(of: property, .average).average, property: property)
  }
}

// MARK: By key path

extension RealmCollection where Element: ObjectBase {
  /// The least value of a property; nil without values. NaNs are ignored.
  public func min<T: _Persistable>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: MinMaxType { typed(\.minimum, of: keyPath, operation: .min) }

  /// The least value of a property; nil without values. Nulls and NaNs are ignored.
  public func min<T: _Persistable & _PersistableInOptional>(of keyPath: KeyPath<Element, T?>) -> T?
  where T.PersistedType: MinMaxType { typed(\.minimum, of: keyPath, operation: .min) }

  /// The greatest value of a property; nil without values. NaNs are ignored.
  public func max<T: _Persistable>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: MinMaxType { typed(\.maximum, of: keyPath, operation: .max) }

  /// The greatest value of a property; nil without values. Nulls and NaNs are ignored.
  public func max<T: _Persistable & _PersistableInOptional>(of keyPath: KeyPath<Element, T?>) -> T?
  where T.PersistedType: MinMaxType { typed(\.maximum, of: keyPath, operation: .max) }

  /// The sum of a property's values; 0 without values.
  public func sum<T: _Persistable>(of keyPath: KeyPath<Element, T>) -> T
  where T.PersistedType: AddableType {
    Number.sum(summary(of: PropertyNames.path(of: keyPath), .sum).sum)
  }

  /// The sum of a property's non-null values; 0 without values.
  public func sum<T: _Persistable & _PersistableInOptional>(of keyPath: KeyPath<Element, T?>) -> T
  where T.PersistedType: AddableType {
    Number.sum(summary(of: PropertyNames.path(of: keyPath), .sum).sum)
  }

  /// The mean of a property's values other than null; nil without values.
  ///
  /// The result is a `Double`, or a `Decimal128` for decimals, unless the context requires another
  /// type.
  public func average<T: _Persistable>(of keyPath: KeyPath<Element, T>) -> Double?
  where T.PersistedType: AddableType { average(ofProperty: PropertyNames.path(of: keyPath)) }

  /// The mean of a property's values other than null; nil without values.
  public func average(of keyPath: KeyPath<Element, Decimal128>) -> Decimal128? {
    average(ofProperty: PropertyNames.path(of: keyPath))
  }

  /// The mean of a property's non-null values; nil without values.
  public func average(of keyPath: KeyPath<Element, Decimal128?>) -> Decimal128? {
    average(ofProperty: PropertyNames.path(of: keyPath))
  }

  /// The mean of a property's values in the type of the context; nil without values.
  @_disfavoredOverload
  public func average<T: _Persistable, Mean: AddableType>(of keyPath: KeyPath<Element, T>) -> Mean?
  where T.PersistedType: AddableType { average(ofProperty: PropertyNames.path(of: keyPath)) }

  private func typed<T>(
    _ value: KeyPath<Summary, Value>, of keyPath: PartialKeyPath<Element>,
    operation: AggregateName
  ) -> T? {
    let property = PropertyNames.path(of: keyPath)
    return Number.typed(summary(of: property, operation)[keyPath: value], property: property)
  }
}

/// The name of an aggregate operation.
enum AggregateName: String {
  case min, max, sum, average

  func isAllowed(for type: ValueType) -> Bool {
    if type == .mixed { return true }
    switch self {
    case .min, .max: return type.isRanked
    case .sum, .average: return type.isSummable
    }
  }
}

extension RealmCollection {
  /// The totals of a property's values; an operation that the type does not support is a
  /// programming error.
  func summary(of property: String, _ operation: AggregateName) -> Summary {
    guard let results = _results else {
      return UnmanagedTotals.summary(of: property, operation, in: self, Element._kind.target)
    }
    return results.summary(of: property, operation)
  }
}

extension RealmKeyedCollection {
  /// The totals of a property of the objects in the collection; an operation that the type does not
  /// support is a programming error.
  func summary(of property: String, _ operation: AggregateName) -> Summary {
    guard let results = _results else {
      return UnmanagedTotals.summary(of: property, operation, in: values, Value._kind.target)
    }
    return results.summary(of: property, operation)
  }
}

/// Totals over objects that are not in a realm.
private enum UnmanagedTotals {
  static func summary(
    of property: String, _ operation: AggregateName, in elements: some Sequence,
    _ type: ObjectBase.Type?
  ) -> Summary {
    guard let type else { programmingError("Values have no property '\(property)'.") }
    let layout = ObjectLayout.of(type)
    guard
      let found = layout.properties.first(where: {
        $0.columnName == property || $0.name == property
      })
    else { AggregateName.missing(property, className: layout.className) }
    operation.check(
      found.kind.type, collection: found.kind.collection, property: property,
      className: layout.className)
    let values = elements.map { element in
      (Bridge.unwrapped(element) as? ObjectBase).flatMap { $0.storedValue(of: found) } ?? .null
    }
    return ValueTotals.summary(of: values, found.kind.type)
  }
}

extension ObjectBase {
  /// The value that a cell stores, or would store, for a property.
  fileprivate final func storedValue(of property: PropertyLayout) -> Value? {
    let value = property.wrapper.read(property.pointer(in: self), row: row)
    return value._initial?.value
  }
}

extension Results {
  fileprivate func summary(of property: String, _ operation: AggregateName) -> Summary {
    let table = handle.table
    guard let column = table.schema.column(named: property), !column.isHidden else {
      AggregateName.missing(property, className: handle.name)
    }
    operation.check(
      column.type, collection: column.collection, property: property, className: handle.name)
    let execution = orFatal { try found.boundExecution(reading: [property]) }
    if column.type == .mixed {
      let values = found.allKeys.lazy.map { handle.element(column.position, at: $0).value }
      return ValueTotals.summary(of: values, .mixed)
    }
    return orFatal { try execution.summary(of: property) }
  }
}

extension AggregateName {
  fileprivate static func missing(_ property: String, className: String) -> Never {
    programmingError("Property '\(property)' not found in object of type '\(className)'.")
  }

  fileprivate func check(
    _ type: ValueType, collection: CollectionKind, property: String, className: String
  ) {
    if type == .date, self == .sum || self == .average {
      programmingError("Cannot sum or average date properties")
    }
    if !isAllowed(for: type) || collection != .none {
      programmingError(
        "Operation '\(rawValue)' not supported for \(type.name) property "
          + "'\(className).\(property)'."
      )
    }
  }
}
