import CairnQuery

/// What a message adds when a name is close to one that exists.
enum Hint {
  /// `; did you mean 'population'?`, or nothing.
  static func text(_ name: String, among names: [String]) -> String {
    let longer = names.filter { !name.isEmpty && $0.hasPrefix(name) }
    let nearest = longer.count == 1 ? longer[0] : NearestName.of(name, among: names)
    return nearest.map { "; did you mean '\($0)'?" } ?? ""
  }
}
