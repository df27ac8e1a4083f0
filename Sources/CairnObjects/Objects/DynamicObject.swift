import CairnStorage
import CairnValues

/// An object of a class that the program has no Swift type for: its properties by name.
///
/// It holds no values: each is read from the store when it is asked for.
@dynamicMemberLookup
public final class DynamicObject: Object {
  /// The object of a row.
  override public class func _object(at row: Row) -> Self {
    standing(at: row)
  }

  /// The value of a property, as the subscript gives it.
  public subscript(dynamicMember property: String) -> Any? {
    get { self[property] }
    set { self[property] = newValue }
  }

  private var place: Row { managedRow }

  /// The value of a property of the store's class.
  func stored(_ property: String) -> Any? {
    if let inverse = inverse(property) { return inverse }
    return DynamicCell(place, column(property)).value
  }

  /// Sets a property of the store's class.
  func store(_ any: Any?, _ property: String) {
    let column = column(property)
    trapping { try DynamicCell(place, column).set(any) }
  }

  /// The objects that lead here through a property of theirs.
  private func inverse(_ property: String) -> LinkingObjects<DynamicObject>? {
    let row = place
    guard row.handle.table.hasInverses,
      let inverse = row.handle.table.schema.inverses.first(where: { $0.name == property }),
      let origin = row.handle.session.handle(inverse.origin)
    else { return nil }
    return LinkingObjects(at: InversePlace(row, property: inverse.property, origin: origin))
  }

  private func column(_ property: String) -> ColumnSchema {
    let handle = place.handle
    guard let position = handle.position(of: property) else {
      programmingError(
        ValueError.unknown(
          property, handle.name, among: handle.table.schema.properties.map(\.name)))
    }
    return handle.table.columnSchema(at: position)
  }
}
