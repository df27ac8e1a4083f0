/// Entity tags in general.
enum EntityTag {
  private static let suffix = "-gzip\""

  /// The tag of the compressed form of a response. A weak tag is that of all forms.
  static func compressed(_ tag: String) -> String {
    tag.hasPrefix("W/") ? tag : tag.dropLast() + suffix
  }

  /// The tag without the marks of weak tags and of compressed forms.
  static func bare(_ tag: String) -> String {
    let strong = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    return strong.hasSuffix(suffix) ? strong.dropLast(suffix.count) + "\"" : String(strong)
  }
}
