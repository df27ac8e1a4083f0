import CairnStorage
import CairnValues

/// An optional property of a class under test.
func column(
  _ name: String, _ type: ValueType, _ collection: CollectionKind = .none,
  to target: String? = nil, indexed: Bool = false
) -> ColumnSchema {
  ColumnSchema(
    id: 0, name: name, type: type, collection: collection, isOptional: true, isIndexed: indexed,
    target: target, position: 0)
}
