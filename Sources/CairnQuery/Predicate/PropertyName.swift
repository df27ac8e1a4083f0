/// Names of properties as the predicate language writes them.
enum PropertyName {
  /// The path with dots between its steps.
  static func text(of path: PropertyPath) -> String {
    path.names.map(text).joined(separator: ".")
  }

  /// The name as it is, or in backquotes where it would be read as something else.
  static func text(_ name: String) -> String {
    if isPlain(name) && !Keyword.isReserved(name) { return name }
    var quoted = "`"
    for scalar in name.unicodeScalars {
      quoted.unicodeScalars.append(scalar)
      if scalar == "`" { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + "`"
  }

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, startsName(first) else { return false }
    return name.unicodeScalars.allSatisfy(continuesName)
  }

  /// Whether a name without backquotes may begin with the code point.
  static func startsName(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }
    return scalar.properties.isXIDStart
  }

  /// Whether a name without backquotes may go on with the code point.
  static func continuesName(_ scalar: Unicode.Scalar) -> Bool {
    if startsName(scalar) || ("0"..."9").contains(scalar) { return true }
    return !scalar.isASCII && scalar.properties.isXIDContinue
  }
}
