import CairnValues

/// Suggestions for misspelled names.
enum Hint {
  /// A suggestion such as `; did you mean 'population'?`, or an empty text.
  static func text(_ name: String, among names: [String]) -> String {
    nearest(name, among: names).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// The name that differs by one letter, else the only name with this prefix, else the nearest
  /// one; nil if no name is near.
  static func nearest(_ name: String, among names: [String]) -> String? {
    if let slip = NearestName.of(name, among: names, within: 1) { return slip }
    let longer = names.filter { !name.isEmpty && $0.hasPrefix(name) }
    return longer.count == 1 ? longer[0] : NearestName.of(name, among: names)
  }

  /// The names as `a, b or c`.
  static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }
}
