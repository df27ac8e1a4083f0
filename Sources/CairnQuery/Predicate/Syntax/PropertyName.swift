/// Prints names of properties in the predicate language.
enum PropertyName {
  /// The path with its quantifier.
  static func text(of path: PropertyPath) -> String {
    prefix(path.quantifier) + text(of: path.components)
  }

  /// The steps, with dots between the properties. With `isBehind`, the first property has a dot
  /// too.
  static func text(of components: [PropertyPath.Component], isBehind: Bool = false) -> String {
    var result = ""
    for (index, component) in components.enumerated() {
      switch component {
      case .property(let name): result += (index > 0 || isBehind ? "." : "") + text(name)
      case .key(let key): result += "[\(ConstantText.quoted(key))]"
      case .index(let index): result += "[\(index)]"
      case .anyElement: result += "[*]"
      case .allKeys: result += ".@allKeys"
      case .allValues: result += ".@allValues"
      }
    }
    return result
  }

  /// The steps as messages show them, without backquotes.
  static func shown(_ components: [PropertyPath.Component]) -> String {
    guard components.count == 1 else { return text(of: components) }
    let name = components[0].name
    return FormulaName.text(of: name) ?? name
  }

  /// The keyword of a quantifier, with a blank behind it.
  static func prefix(_ quantifier: PropertyPath.Quantifier) -> String {
    switch quantifier {
    case .one: ""
    case .any: "ANY "
    case .all: "ALL "
    }
  }

  /// The name, in backquotes if it would otherwise be read as something else.
  static func text(_ name: String) -> String {
    if let formula = FormulaName.text(of: name) { return formula }
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

  /// Whether a name without backquotes may contain the code point behind its first.
  static func continuesName(_ scalar: Unicode.Scalar) -> Bool {
    if startsName(scalar) || ("0"..."9").contains(scalar) { return true }
    return !scalar.isASCII && scalar.properties.isXIDContinue
  }
}
