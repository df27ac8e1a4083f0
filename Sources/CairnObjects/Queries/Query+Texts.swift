import CairnQuery
import CairnValues

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Query where T: _Persistable, T.PersistedType: _QueryText {
  /// Tests whether the property contains the string; false for an empty string.
  public func contains(_ value: T, options: StringOptions = []) -> Query<Bool> {
    matches(.contains, value: value, options: options)
  }

  /// Tests whether the property starts with the string; false for an empty string.
  public func starts(with value: T, options: StringOptions = []) -> Query<Bool> {
    matches(.beginsWith, value: value, options: options)
  }

  /// Tests whether the property ends with the string; false for an empty string.
  public func ends(with value: T, options: StringOptions = []) -> Query<Bool> {
    matches(.endsWith, value: value, options: options)
  }

  /// Tests whether the whole property matches the pattern; `*` matches any number of
  /// characters and `?` a single code point.
  public func like(_ value: T, caseInsensitive: Bool = false) -> Query<Bool> {
    matches(.like, value: value, options: caseInsensitive ? .caseInsensitive : [])
  }

  /// Tests whether the text matches a full-text search: it has every word, in any order.
  ///
  /// `-word` excludes a word, `word*` is a prefix, and `"a phrase"` is words in this order. Case and
  /// diacritical marks do not count. A search without words matches nothing.
  ///
  ///     articles.where { $0.text.search("swift -ios") }
  ///
  /// With `@Persisted(indexed: .fullText)` the index answers; otherwise every text is read.
  public func search(_ words: String) -> Query<Bool> {
    matches(.search, value: words, options: [])
  }

  /// Tests whether the property equals the string, apart from differences that the options ignore.
  public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.equal, value: value, options: options)
  }

  /// Tests whether the property differs from the string in more than the options ignore.
  public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.notEqual, value: value, options: options)
  }
}

// MARK: Lengths

extension Query where T: _Persistable, T.PersistedType: _QueryText & _QuerySized {
  /// The length: characters of a string, as in `String.count`, or bytes of data; null for null.
  public var count: Query<Int> { Query<Int>(.subject(.length(path)), in: session) }

  /// Tests whether the string or the data is empty; false for null.
  public var isEmpty: Query<Bool> {
    comparison { .compare($0, .equal, .value(T.PersistedType._empty), []) }
  }
}

/// A type that has a length in a query: strings and data.
public protocol _QuerySized {
  /// The empty value.
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

// MARK: Comparisons with other properties

extension Query where T: _Persistable, T.PersistedType: _QueryText {
  /// Tests whether the property contains another property's string.
  public func contains<U: _Persistable>(
    _ other: Query<U>, options: StringOptions = []
  ) -> Query<Bool> where U.PersistedType: _QueryText {
    matches(.contains, other: other, options: options)
  }

  /// Tests whether the property starts with another property's string.
  public func starts<U: _Persistable>(
    with other: Query<U>, options: StringOptions = []
  ) -> Query<Bool> where U.PersistedType: _QueryText {
    matches(.beginsWith, other: other, options: options)
  }

  /// Tests whether the property ends with another property's string.
  public func ends<U: _Persistable>(
    with other: Query<U>, options: StringOptions = []
  ) -> Query<Bool> where U.PersistedType: _QueryText {
    matches(.endsWith, other: other, options: options)
  }

  /// Tests whether the property matches another property's string as a pattern.
  public func like<U: _Persistable>(
    _ other: Query<U>, caseInsensitive: Bool = false
  ) -> Query<Bool> where U.PersistedType: _QueryText {
    matches(.like, other: other, options: caseInsensitive ? .caseInsensitive : [])
  }

  /// Tests whether the property equals another property's string, apart from differences that the
  /// options ignore.
  public func equals<U: _Persistable>(
    _ other: Query<U>, options: StringOptions = []
  ) -> Query<Bool> where U.PersistedType: _QueryText {
    compared(.equal, other: other, options: options)
  }

  /// Tests whether the property differs from another property's string in more than the options
  /// ignore.
  public func notEquals<U: _Persistable>(
    _ other: Query<U>, options: StringOptions = []
  ) -> Query<Bool> where U.PersistedType: _QueryText {
    compared(.notEqual, other: other, options: options)
  }
}

extension Query {
  private func matches(
    _ operation: MatchOperator, value: Any, options: StringOptions
  ) -> Query<Bool> {
    let value = constant(value)
    return comparison { .match($0, operation, .value(value), options) }
  }

  private func matches<U>(
    _ operation: MatchOperator, other: Query<U>, options: StringOptions
  ) -> Query<Bool> {
    pair(with: other) { .match($0, operation, .expression($1), options) }
  }
}
