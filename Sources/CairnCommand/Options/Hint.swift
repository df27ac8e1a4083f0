import CairnValues

/// What a message adds when a name is close to one that exists.
enum Hint {
  /// `; did you mean 'population'?`, or nothing.
  static func text(_ name: String, among names: [String]) -> String {
    nearest(name, among: names).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// The one that differs by a letter, else the only one that begins so, else the nearest; nil: none is near.
  static func nearest(_ name: String, among names: [String]) -> String? {
    if let slip = NearestName.of(name, among: names, within: 1) { return slip }
    let longer = names.filter { !name.isEmpty && $0.hasPrefix(name) }
    return longer.count == 1 ? longer[0] : NearestName.of(name, among: names)
  }

  /// `a, b or c`.
  static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }
}
