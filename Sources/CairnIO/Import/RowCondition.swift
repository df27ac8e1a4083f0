internal import CairnGeometry
internal import CairnQuery
internal import CairnStorage
internal import CairnValues

extension ImportPlan {
  /// Binds a condition and boxes to the columns; nil if there are neither.
  ///
  /// - Parameters:
  ///   - condition: The condition on properties that rows must meet; nil for none.
  ///   - boxes: The boxes that the location or the geometry must be in; none for everywhere.
  /// - Throws: An error if the columns do not have what the condition names.
  func bound(
    _ condition: Predicate?, boxes: [GeoBox]
  ) throws(PredicateError) -> BoundPredicate? {
    let schema = schema(named: "the import")
    var parts: [BoundPredicate] = []
    if let condition { parts.append(try condition.bound(to: schema)) }
    if !boxes.isEmpty, let column = columns.first(where: \.isSpatial) {
      let node = PredicateNode.boxes(
        boxes, on: PropertyPath(column.name), isGeometry: column.valueType != .point)
      parts.append(try Predicate(node).bound(to: schema))
    }
    return parts.isEmpty ? nil : .all(parts)
  }

  /// Binds a hint to the columns, as far as it fits; nil if nothing of it does.
  func bound(_ hint: RowPruning?) -> BoundPredicate? {
    guard let hint else { return nil }
    var parts = [
      try? bound(hint.condition, boxes: []), try? bound(nil, boxes: hint.boxes),
    ].compactMap { $0 ?? nil }
    if let circle = hint.circle, let column = columns.first(where: \.isSpatial),
      column.valueType == .point
    {
      let node = PredicateNode.relation(
        PropertyPath(column.name), .within, .shape(.circle(circle)))
      if let part = try? Predicate(node).bound(to: schema(named: "the import")) {
        parts.append(part)
      }
    }
    return parts.isEmpty ? nil : .all(parts)
  }

  /// The columns that conditions can name, in the order of the plan.
  ///
  /// - Parameter name: The name of the class.
  func schema(named name: String) -> TableSchema {
    let properties = columns.prefix { $0.nested == nil }.enumerated().map { position, column in
      ColumnSchema(
        id: UInt16(clamping: position), name: column.name, type: column.valueType,
        isOptional: true, isIndexed: false, isPrimaryKey: false, position: position)
    }
    return TableSchema(id: 0, name: name, columns: properties)
  }
}
