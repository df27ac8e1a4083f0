/// A type whose values are stored as values of another: an enumeration or a custom type.
public protocol _MappedValue: _Persistable, _PersistableInOptional, RealmCollectionValue {}
