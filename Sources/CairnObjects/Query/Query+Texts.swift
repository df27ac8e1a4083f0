import CairnQuery
import CairnValues
import FoundationEssentials

extension Query where T: _Persistable, T.PersistedType: _QueryText {
  /// The text is somewhere in it; nothing contains the empty text.
  public func contains(_ value: T, options: StringOptions = []) -> Query<Bool> {
    matches(.contains, value, options)
  }

  /// It begins with the text; nothing begins with the empty text.
  public func starts(with value: T, options: StringOptions = []) -> Query<Bool> {
    matches(.beginsWith, value, options)
  }

  /// It ends with the text; nothing ends with the empty text.
  public func ends(with value: T, options: StringOptions = []) -> Query<Bool> {
    matches(.endsWith, value, options)
  }

  /// All of it fits the pattern, in which `*` is any run of characters and `?` one code point.
  public func like(_ value: T, caseInsensitive: Bool = false) -> Query<Bool> {
    matches(.like, value, caseInsensitive ? .caseInsensitive : [])
  }

  /// It is the text, but for what the options leave out of account.
  public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.equal, value, options)
  }

  /// It is not the text, even without what the options leave out of account.
  public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.notEqual, value, options)
  }
}

// MARK: Lengths

extension Query where T: _Persistable, T.PersistedType: _QueryText & _QuerySized {
  /// The length: of a text in characters, as `String.count`, of data in bytes; null for null.
  public var count: Query<Int> { Query<Int>(.subject(.length(path)), in: session) }

  /// Whether it is the empty text, or no data; never for null.
  public var isEmpty: Query<Bool> {
    leaf { .compare($0, .equal, .value(T.PersistedType._empty), []) }
  }
}

/// What has a length in a query: texts and data.
public protocol _QuerySized {
  /// What a condition takes for the empty one.
  static var _emptyConstant: StoredValue { get }
}

extension _QuerySized {
  fileprivate static var _empty: Value { _emptyConstant.value }
}

extension String: _QuerySized {
  public static var _emptyConstant: StoredValue { StoredValue(.string("")) }
}

extension Data: _QuerySized {
  public static var _emptyConstant: StoredValue { StoredValue(.data([])) }
}

extension Optional: _QuerySized where Wrapped: _QuerySized {
  public static var _emptyConstant: StoredValue { Wrapped._emptyConstant }
}

// MARK: Against other properties

extension Query where T: _Persistable, T.PersistedType: _QueryText {
  /// The other property's text is somewhere in it.
  public func contains<U: _Persistable>(
    _ other: Query<U>, options: StringOptions = []
  ) -> Query<Bool> where U.PersistedType: _QueryText {
    matches(.contains, other, options)
  }

  /// It begins with the other property's text.
  public func starts<U: _Persistable>(
    with other: Query<U>, options: StringOptions = []
  ) -> Query<Bool> where U.PersistedType: _QueryText {
    matches(.beginsWith, other, options)
  }

  /// It ends with the other property's text.
  public func ends<U: _Persistable>(
    with other: Query<U>, options: StringOptions = []
  ) -> Query<Bool> where U.PersistedType: _QueryText {
    matches(.endsWith, other, options)
  }

  /// It fits the other property's text as a pattern.
  public func like<U: _Persistable>(
    _ other: Query<U>, caseInsensitive: Bool = false
  ) -> Query<Bool> where U.PersistedType: _QueryText {
    matches(.like, other, caseInsensitive ? .caseInsensitive : [])
  }

  /// It is the other property's text, but for what the options leave out of account.
  public func equals<U: _Persistable>(
    _ other: Query<U>, options: StringOptions = []
  ) -> Query<Bool> where U.PersistedType: _QueryText {
    compared(.equal, other, options)
  }

  /// It is not the other property's text, even without what the options leave out of account.
  public func notEquals<U: _Persistable>(
    _ other: Query<U>, options: StringOptions = []
  ) -> Query<Bool> where U.PersistedType: _QueryText {
    compared(.notEqual, other, options)
  }
}

extension Query {
  private func matches(
    _ operation: MatchOperator, _ value: Any, _ options: StringOptions
  ) -> Query<Bool> {
    let value = constant(value)
    return leaf { .match($0, operation, .value(value), options) }
  }

  private func matches<U>(
    _ operation: MatchOperator, _ other: Query<U>, _ options: StringOptions
  ) -> Query<Bool> {
    pair(with: other) { .match($0, operation, .subject($1), options) }
  }
}
