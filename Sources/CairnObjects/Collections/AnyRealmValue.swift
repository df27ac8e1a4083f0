import CairnGeometry
import CairnStorage
import CairnValues
import FoundationEssentials

/// A value of any type that a property can hold: `@Persisted var companion: AnyRealmValue`.
///
/// Locations are no case of it: programs that switch over Realm's cases would not compile any more.
public enum AnyRealmValue: Hashable {
  /// Nothing.
  case none
  case int(Int)
  case bool(Bool)
  case float(Float)
  case double(Double)
  case string(String)
  case data(Data)
  case date(Date)
  /// An object of a class, of any; nothing when the object is deleted.
  case object(Object)
  case objectId(ObjectId)
  case decimal128(Decimal128)
  case uuid(UUID)
  /// Values under texts.
  case dictionary(Map<String, AnyRealmValue>)
  /// Values in an order.
  case list(List<AnyRealmValue>)

  /// Nothing.
  public init() { self = .none }

  /// A list of values.
  public static func fromArray(_ array: [AnyRealmValue]) -> AnyRealmValue {
    let list = List<AnyRealmValue>()
    list.append(objectsIn: array)
    return .list(list)
  }

  /// A map of values.
  public static func fromDictionary(_ dictionary: [String: AnyRealmValue]) -> AnyRealmValue {
    let map = Map<String, AnyRealmValue>()
    for (key, value) in dictionary { map.updateValue(value, forKey: key) }
    return .dictionary(map)
  }
}
