/// The words of the language, of any case; a property of that name stands in backquotes.
enum Keyword: String, CaseIterable {
  case and
  case or
  case not
  case between
  case `in`
  case beginsWith = "beginswith"
  case endsWith = "endswith"
  case contains
  case like
  case matches
  case geoWithin = "geowithin"
  case truePredicate = "truepredicate"
  case falsePredicate = "falsepredicate"
  case `true`
  case `false`
  case yes
  case no
  case `nil`
  case null
  case nan
  case inf
  case infinity
  case any
  case some
  case all
  case none
  case subquery
  case `self`

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The word that the name is, if it is one.
  init?(name: String) {
    guard name.utf8.count <= 14, let word = Keyword.byName[name.lowercased()] else { return nil }
    self = word
  }

  static func isReserved(_ name: String) -> Bool { Keyword(name: name) != nil }
}
