import CairnGeometry
import CairnStorage
import CairnValues

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A property of an object, typed by the schema of the store.
struct DynamicCell {
  let row: Row
  let column: ColumnSchema

  init(_ row: Row, column: ColumnSchema) {
    self.row = row
    self.column = column
  }

  /// The value: depending on the type of the property a
  /// `Bool Int Float Double String Data Date ObjectId UUID Decimal128 GeoPoint Geometry
  /// GeoLineString GeoPolygon DynamicObject`, a list, set or map of those, or the content of a mixed
  /// property; nil for null. An integer has the width that the program's class declares, and a link
  /// leads to an object of the program's class, if there is one.
  var value: Any? {
    // A migration may not have set a required location yet.
    if column.requiresLocation,
      Bridge.any(row.handle.value(column.position, at: row.key)) == nil
    {
      return nil
    }
    guard let type else { return linked }
    let value = type._read(row, column: column.position)._dynamic
    guard column.type == .mixed, let target = (value as? ObjectBase)?.row else { return value }
    return DynamicObject._object(at: target)
  }

  /// The object that a link leads to.
  private var linked: ObjectBase? {
    guard let target = DynamicObject?._read(row, column: column.position)?.row else { return nil }
    let layout = target.handle.session.dynamicLayout(named: target.handle.name)
    return (layout?.type ?? DynamicObject.self).instance(at: target)
  }

  /// Sets the property. A link or a collection of them also takes objects that are yet to be added,
  /// and dictionaries and arrays with the values of new objects.
  ///
  /// - Throws: `Realm.Error` if the value does not fit.
  func set(_ any: Any?) throws {
    let decoder = ValueDecoder(row.handle.session)
    guard column.target == nil else {
      try setLinks(any, decoder)
      return decoder.finishAdded()
    }
    guard let type, let value = try type._from(any as Any, decoder: decoder) else {
      throw mismatch(any as Any)
    }
    value._write(row, column: column.position)
    decoder.finishAdded()
  }

  func mismatch(_ any: Any) -> Realm.Error {
    InvalidValue.mismatch(any, column: column, className: row.handle.name)
  }
}

extension DynamicCell {
  /// The type that a program would declare for the property; nil for a link to a single object.
  private var type: (any _Persistable.Type)? {
    switch column.type {
    case .bool: type(of: Bool.self)
    case .int: integer
    case .float: type(of: Float.self)
    case .double: type(of: Double.self)
    case .string: type(of: String.self)
    case .data: type(of: Data.self)
    case .date: type(of: Date.self)
    case .objectId: type(of: ObjectId.self)
    case .uuid: type(of: UUID.self)
    case .decimal128: type(of: Decimal128.self)
    case .point: type(of: GeoPoint.self)
    case .geometry: type(of: Geometry.self)
    case .lineString: type(of: GeoLineString.self)
    case .polygon: type(of: GeoPolygon.self)
    case .mixed: column.collection == .none ? AnyRealmValue.self : collection(AnyRealmValue.self)
    case .link, .embedded: links
    case .box: nil
    }
  }

  private func type<T: _Scalar & RealmCollectionValue>(of type: T.Type) -> any _Persistable.Type {
    guard column.collection == .none else {
      return column.isOptional ? collection(T?.self) : collection(T.self)
    }
    return column.isOptional ? T?.self : T.self
  }

  /// The declared integer type. Integers that the program's class cannot hold, as may happen before
  /// a migration, are returned as `Int`.
  private var integer: any _Persistable.Type {
    guard row.handle.mayBeDeclared else { return type(of: Int.self) }
    let declared = row.handle.session.integer(of: column, in: row.handle.name)
    return row.fits(declared, column: column) ? type(of: declared) : type(of: Int.self)
  }

  private func collection<T: RealmCollectionValue>(_ type: T.Type) -> any _Persistable.Type {
    switch column.collection {
    case .set: MutableSet<T>.self
    case .map: Map<String, T>.self
    default: List<T>.self
    }
  }

  private var links: (any _Persistable.Type)? {
    switch column.collection {
    case .none: nil
    case .map: Map<String, DynamicObject?>.self
    default: collection(DynamicObject.self)
    }
  }
}

/// Access to collections by property name, for code that does not know the classes. The object must
/// be managed; a property that is not such a collection is a programming error.
///
///     let dogs = person.dynamicList("dogs")
///     let scores: List<Int> = person.dynamicList("scores")
extension ObjectBase {
  /// Returns the list of objects in a property.
  public final func dynamicList(_ propertyName: String) -> List<DynamicObject> {
    List(at: reference(of: propertyName, .list))
  }

  /// Returns the set of objects in a property.
  public final func dynamicMutableSet(_ propertyName: String) -> MutableSet<DynamicObject> {
    MutableSet(at: reference(of: propertyName, .set))
  }

  /// Returns the map of objects in a property. The value is nil for the key of an object that was
  /// deleted.
  public final func dynamicMap(_ propertyName: String) -> Map<String, DynamicObject?> {
    Map(at: reference(of: propertyName, .map))
  }

  /// Returns the map of objects in a property, with the key type that the caller chooses.
  @_disfavoredOverload
  public final func dynamicMap<Key: _MapKey>(_ propertyName: String) -> Map<Key, DynamicObject?> {
    Map(at: reference(of: propertyName, .map))
  }

  /// Returns the list of values in a property, of the type that the caller chooses.
  @_disfavoredOverload
  public final func dynamicList<Element: RealmCollectionValue>(
    _ propertyName: String
  ) -> List<Element> {
    List(at: reference(of: propertyName, .list, elements: Element.self))
  }

  /// Returns the set of values in a property, of the type that the caller chooses.
  @_disfavoredOverload
  public final func dynamicMutableSet<Element: RealmCollectionValue>(
    _ propertyName: String
  ) -> MutableSet<Element> {
    MutableSet(at: reference(of: propertyName, .set, elements: Element.self))
  }

  /// Returns the map of values in a property, of the types that the caller chooses.
  @_disfavoredOverload
  public final func dynamicMap<Key: _MapKey, Value: RealmCollectionValue>(
    _ propertyName: String
  ) -> Map<Key, Value> {
    Map(at: reference(of: propertyName, .map, elements: Value.self))
  }

  private final func reference<Element: RealmCollectionValue>(
    of property: String, _ kind: CollectionKind, elements: Element.Type
  ) -> CollectionReference {
    let (row, column) = dynamicColumn(property)
    let wanted = Element._kind
    // The class of objects may not fit the store, which only typed access checks.
    guard column.collection == kind, column.type == wanted.type, column.target == nil,
      column.isOptional == wanted.isOptional || column.type == .mixed
    else {
      let advice = column.target == nil ? "" : "; objects are read as DynamicObject"
      programmingError(
        "Property '\(row.handle.name).\(property)' is not a \(kind) of '\(Element.self)'\(advice).")
    }
    return CollectionReference(row, column: column.position)
  }

  private final func reference(of property: String, _ kind: CollectionKind) -> CollectionReference {
    let (row, column) = dynamicColumn(property)
    guard column.collection == kind, column.target != nil else {
      programmingError(
        "Property '\(row.handle.name).\(property)' is not a \(kind) of objects; for values, give "
          + "the result a type.")
    }
    return CollectionReference(row, column: column.position)
  }

  private final func dynamicColumn(_ property: String) -> (row: Row, column: ColumnSchema) {
    let row = managedRow
    row.handle.checkLive(row.key)
    guard let position = row.handle.position(of: property) else {
      let names = row.handle.table.schema.properties.map(\.name)
      programmingError(InvalidValue.unknown(property, className: row.handle.name, among: names))
    }
    return (row, row.handle.table.schema.columns[position])
  }
}

extension DynamicObject {
  /// Returns the value of a property of the store's class.
  func stored(_ property: String) -> Any? {
    if let inverse = inverse(property) { return inverse }
    return DynamicCell(managedRow, column: column(property)).value
  }

  /// Sets a property of the store's class.
  func store(_ any: Any?, property: String) {
    let column = column(property)
    orFatal { try DynamicCell(managedRow, column: column).set(any) }
  }

  /// Returns the objects that link here through one of their properties.
  private func inverse(_ property: String) -> LinkingObjects<DynamicObject>? {
    let row = managedRow
    guard row.handle.table.hasInverses,
      let inverse = row.handle.table.schema.inverses.first(where: { $0.name == property }),
      let origin = row.handle.session.handle(inverse.origin)
    else { return nil }
    return LinkingObjects(at: InverseReference(row, property: inverse.property, origin: origin))
  }

  private func column(_ property: String) -> ColumnSchema {
    let handle = managedRow.handle
    let layout = handle.session.dynamicLayout(named: handle.name)
    let declared = layout?.property(named: property)?.columnName
    guard let position = handle.position(of: property) ?? declared.flatMap(handle.position) else {
      programmingError(
        InvalidValue.unknown(
          property, className: handle.name, among: handle.table.schema.properties.map(\.name)))
    }
    return handle.table.columnSchema(at: position)
  }
}

extension ObjectBase {
  /// Returns the stored value of a property, whether or not the property's type can represent it;
  /// nil for null.
  final func rawValue(of property: PropertyLayout, at row: Row) -> Any? {
    guard let position = row.handle.position(of: property.name) else { return nil }
    return DynamicCell(row, column: row.handle.table.schema.columns[position]).value
  }
}
