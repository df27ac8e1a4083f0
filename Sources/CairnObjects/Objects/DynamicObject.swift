import CairnStorage
import CairnValues

/// An object of a class that the program has no Swift type for: its properties by name.
///
/// It holds no values: each is read from the store when it is asked for.
@dynamicMemberLookup
public final class DynamicObject: Object {
  /// The object of a row.
  override public class func _object(at row: Row) -> Self {
    let object = Self()
    object.row = row
    return object
  }

  /// The value of a property, as the subscript gives it.
  public subscript(dynamicMember property: String) -> Any? {
    get { self[property] }
    set { self[property] = newValue }
  }

  private var place: Row { managedRow }

  /// The value of a property of the store's class.
  func stored(_ property: String) -> Any? {
    let column = column(property)
    return DynamicCell(place, column).value
  }

  /// Sets a property of the store's class.
  func store(_ any: Any?, _ property: String) {
    let column = column(property)
    trapping { try DynamicCell(place, column).set(any) }
  }

  private func column(_ property: String) -> ColumnSchema {
    let handle = place.handle
    guard let position = handle.position(of: property) else {
      programmingError(
        ValueError.unknown(
          property, handle.name, among: handle.table.schema.properties.map(\.name)))
    }
    return handle.table.schema.columns[position]
  }
}
