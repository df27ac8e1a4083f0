/// The separator of thousands in a number.
public enum ThousandsSeparator: String, Sendable, CaseIterable {
  /// A comma, as in `1,234.5`.
  case comma
  /// A point, as in `1.234,5`.
  case point
  /// A space, also one that does not break a line, as in `1 234,5`.
  case space
  /// An apostrophe, as in `1'234.5`.
  case apostrophe
}
