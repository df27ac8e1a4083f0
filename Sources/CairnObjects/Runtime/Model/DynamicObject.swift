import CairnStorage
import CairnValues

/// An object whose properties are accessed by name, for classes that have no Swift type in the
/// program.
///
/// It caches no values: each access reads from the store.
@dynamicMemberLookup
public final class DynamicObject: Object {
  /// Returns the object of a row. Only Cairn calls it.
  override public class func _object(at row: Row) -> Self {
    instance(at: row)
  }

  /// The value of a property, as the subscript returns it.
  public subscript(dynamicMember property: String) -> Any? {
    get { self[property] }
    set { self[property] = newValue }
  }
}
