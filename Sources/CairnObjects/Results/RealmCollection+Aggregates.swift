import CairnQuery
import CairnStorage
import CairnValues

// MARK: By the name of a property

extension RealmCollection {
  /// The least value of a property; nil when there is none. NaNs do not count.
  public func min<T: MinMaxType>(ofProperty property: String) -> T? {
    Number.convert(summary(of: property, .min).minimum, property)
  }

  /// The greatest value of a property; nil when there is none. NaNs do not count.
  public func max<T: MinMaxType>(ofProperty property: String) -> T? {
    Number.convert(summary(of: property, .max).maximum, property)
  }

  /// The sum of a property's values; 0 when there is none.
  public func sum<T: AddableType>(ofProperty property: String) -> T {
    Number.convert(summary(of: property, .sum).sum, property) ?? Number.zero()
  }

  /// The mean of a property's values; nil when there is none.
  public func average<T: AddableType>(ofProperty property: String) -> T? {
    Number.convert(summary(of: property, .average).average, property)
  }
}

// MARK: By key path

extension RealmCollection where Element: ObjectBase {
  /// The least value of a property; nil when there is none. NaNs do not count.
  public func min<T: _Persistable>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: MinMaxType { typed(\.minimum, of: keyPath, .min) }

  /// The least value of a property; nil when there is none. Nulls and NaNs do not count.
  public func min<T: _Persistable>(of keyPath: KeyPath<Element, T?>) -> T?
  where T.PersistedType: MinMaxType { typed(\.minimum, of: keyPath, .min) }

  /// The greatest value of a property; nil when there is none. NaNs do not count.
  public func max<T: _Persistable>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: MinMaxType { typed(\.maximum, of: keyPath, .max) }

  /// The greatest value of a property; nil when there is none. Nulls and NaNs do not count.
  public func max<T: _Persistable>(of keyPath: KeyPath<Element, T?>) -> T?
  where T.PersistedType: MinMaxType { typed(\.maximum, of: keyPath, .max) }

  /// The sum of a property's values; 0 when there is none.
  public func sum<T: AddableType & _Persistable>(of keyPath: KeyPath<Element, T>) -> T {
    sum(ofProperty: PropertyNames.path(of: keyPath))
  }

  /// The sum of a property's values that are not null; 0 when there is none.
  public func sum<T: AddableType & _Persistable>(of keyPath: KeyPath<Element, T?>) -> T {
    sum(ofProperty: PropertyNames.path(of: keyPath))
  }

  /// The mean of a property's values; nil when there is none.
  ///
  /// Where no other type is asked for it is a `Double`, and a `Decimal128` of decimals.
  public func average<T: _Persistable>(of keyPath: KeyPath<Element, T>) -> Double?
  where T.PersistedType: AddableType { average(ofProperty: PropertyNames.path(of: keyPath)) }

  /// The mean of a property's values that are not null; nil when there is none.
  public func average<T: _Persistable>(of keyPath: KeyPath<Element, T?>) -> Double?
  where T.PersistedType: AddableType { average(ofProperty: PropertyNames.path(of: keyPath)) }

  /// The mean of a property's values; nil when there is none.
  public func average(of keyPath: KeyPath<Element, Decimal128>) -> Decimal128? {
    average(ofProperty: PropertyNames.path(of: keyPath))
  }

  /// The mean of a property's values that are not null; nil when there is none.
  public func average(of keyPath: KeyPath<Element, Decimal128?>) -> Decimal128? {
    average(ofProperty: PropertyNames.path(of: keyPath))
  }

  /// The mean of a property's values as a type of one's choice; nil when there is none.
  @_disfavoredOverload
  public func average<T: _Persistable, Mean: AddableType>(of keyPath: KeyPath<Element, T>) -> Mean?
  where T.PersistedType: AddableType { average(ofProperty: PropertyNames.path(of: keyPath)) }

  /// The mean of a property's values that are not null, as a type of one's choice; nil when there is none.
  @_disfavoredOverload
  public func average<T: _Persistable, Mean: AddableType>(
    of keyPath: KeyPath<Element, T?>
  ) -> Mean? where T.PersistedType: AddableType {
    average(ofProperty: PropertyNames.path(of: keyPath))
  }

  private func typed<T>(
    _ value: KeyPath<Summary, Value>, of keyPath: PartialKeyPath<Element>,
    _ operation: AggregateName
  ) -> T? {
    let property = PropertyNames.path(of: keyPath)
    return Number.own(summary(of: property, operation)[keyPath: value], property)
  }
}

/// What an aggregate is called.
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
  /// What the values of a property come to; an operation that the type does not have is a programming error.
  func summary(of property: String, _ operation: AggregateName) -> Summary {
    guard let results = _results else {
      return ValueTotals.summary(of: looseValues(of: property, operation))
    }
    return results.summary(of: property, operation)
  }

  private func looseValues(
    of property: String, _ operation: AggregateName
  ) -> (values: [Value], type: ValueType) {
    guard let type = Element._kind.target else {
      programmingError("Values have no property '\(property)'.")
    }
    let layout = ObjectLayout.of(type)
    guard
      let found = layout.properties.first(where: {
        $0.columnName == property || $0.name == property
      })
    else { AggregateName.missing(property, layout.className) }
    operation.check(found.kind.type, found.kind.collection, property, layout.className)
    return (
      map { ($0 as? ObjectBase).flatMap { $0.storedValue(of: found) } ?? .null }, found.kind.type
    )
  }
}

extension ValueTotals {
  fileprivate static func summary(of part: (values: [Value], type: ValueType)) -> Summary {
    summary(of: part.values, part.type)
  }
}

extension ObjectBase {
  /// What a cell holds, or would hold, for a property.
  fileprivate final func storedValue(of property: PropertyLayout) -> Value? {
    let value = property.wrapper.read(property.pointer(in: self), row)
    return value._initial?.value
  }
}

extension Results {
  fileprivate func summary(of property: String, _ operation: AggregateName) -> Summary {
    let table = handle.table
    guard let column = table.schema.column(named: property), !column.isHidden else {
      AggregateName.missing(property, handle.name)
    }
    operation.check(column.type, column.collection, property, handle.name)
    if column.type == .mixed {
      let values = found.allKeys.lazy.map { handle.element(column.position, at: $0).value }
      return ValueTotals.summary(of: values, .mixed)
    }
    return trapping { try found.execution.summary(of: property) }
  }
}

extension AggregateName {
  fileprivate static func missing(_ property: String, _ className: String) -> Never {
    programmingError("Property '\(property)' not found in object of type '\(className)'.")
  }

  fileprivate func check(
    _ type: ValueType, _ collection: CollectionKind, _ property: String, _ className: String
  ) {
    if type == .date, self == .sum || self == .average {
      programmingError("Cannot sum or average date properties")
    }
    if !isAllowed(for: type) || collection != .none {
      programmingError(
        "Operation '\(rawValue)' not supported for \(type.name) property '\(className).\(property)'."
      )
    }
  }
}
