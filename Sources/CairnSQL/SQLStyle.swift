/// How a condition is compiled that an engine does not decide as Cairn does.
public enum SQLStyle: Hashable, Sendable {
  /// Between two bounds, so that no row is lost: a superset of the rows that the caller decides again.
  case exact
  /// In the functions that people use in the engine, where it has such functions. Its answer may differ
  /// for a few rows, as ``SQLCondition/differences`` says.
  case idiomatic
}
