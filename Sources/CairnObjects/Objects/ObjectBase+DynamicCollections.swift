import CairnStorage

/// Collections of objects by the name of the property, for code that does not know the classes. The object is in a
/// realm; a property that is not such a collection is a programming error.
extension ObjectBase {
  /// The list of objects that a property holds.
  public final func dynamicList(_ propertyName: String) -> List<DynamicObject> {
    List(at: place(of: propertyName, .list))
  }

  /// The set of objects that a property holds.
  public final func dynamicMutableSet(_ propertyName: String) -> MutableSet<DynamicObject> {
    MutableSet(at: place(of: propertyName, .set))
  }

  /// The map of objects that a property holds; nil under the key of an object that was deleted.
  public final func dynamicMap(_ propertyName: String) -> Map<String, DynamicObject?> {
    Map(at: place(of: propertyName, .map))
  }

  /// The same for a type of keys that the caller names.
  @_disfavoredOverload
  public final func dynamicMap<Key: _MapKey>(_ propertyName: String) -> Map<Key, DynamicObject?> {
    Map(at: place(of: propertyName, .map))
  }

  private final func place(of property: String, _ kind: CollectionKind) -> CollectionPlace {
    let row = managedRow
    row.handle.checkLive(row.key)
    guard let position = row.handle.position(of: property) else {
      let names = row.handle.table.schema.properties.map(\.name)
      programmingError(ValueError.unknown(property, row.handle.name, among: names))
    }
    let column = row.handle.table.schema.columns[position]
    guard column.collection == kind, column.target != nil else {
      programmingError("Property '\(row.handle.name).\(property)' is no \(kind) of objects.")
    }
    return CollectionPlace(row, position)
  }
}
