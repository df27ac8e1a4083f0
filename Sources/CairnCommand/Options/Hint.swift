import CairnQuery

/// What a message adds when a name is close to one that exists.
enum Hint {
  /// `; did you mean 'population'?`, or nothing.
  static func text(_ name: String, among names: [String]) -> String {
    NearestName.of(name, among: names).map { "; did you mean '\($0)'?" } ?? ""
  }
}
