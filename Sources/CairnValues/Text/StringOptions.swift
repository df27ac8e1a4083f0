/// The differences between texts that a comparison ignores.
public struct StringOptions: OptionSet, Hashable, Sendable {
  /// The bit set of options.
  public let rawValue: UInt8

  /// Creates the options of a bit set.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// `[c]`: ignores case, in all of Unicode.
  public static let caseInsensitive = StringOptions(rawValue: 1)
  /// `[d]`: ignores diacritical marks.
  public static let diacriticInsensitive = StringOptions(rawValue: 2)
}
