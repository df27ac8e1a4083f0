import CairnValues
import FoundationEssentials

/// What objects and values can be sorted by: flags, numbers, texts, data, dates and ids. Enumerations and custom
/// types are sorted by what is stored for them, optionals with null first.
public protocol SortableType {}

extension Int: SortableType {}
extension Int8: SortableType {}
extension Int16: SortableType {}
extension Int32: SortableType {}
extension Int64: SortableType {}
extension Float: SortableType {}
extension Double: SortableType {}
extension Decimal128: SortableType {}
extension String: SortableType {}
extension Date: SortableType {}
extension Data: SortableType {}
extension Bool: SortableType {}
extension ObjectId: SortableType {}
extension UUID: SortableType {}
extension AnyRealmValue: SortableType {}
extension Optional: SortableType where Wrapped: SortableType {}
