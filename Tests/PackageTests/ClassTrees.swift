import Foundation

/// The classes of source files, by name, with the members that their subclasses must override.
struct ClassTrees {
  private struct Class {
    let path: String
    let parent: String?
    /// The members that end the process unless they are overridden.
    let abstractMembers: [String]
    let overriddenMembers: [String]
  }

  private var classes: [String: Class] = [:]

  /// Finds the classes of files. The formatter indents the end of a body as its beginning.
  init(_ files: [Package.SourceFile]) {
    for file in files {
      let code = file.lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }
      for index in code.indices {
        guard code[index].has("class "),
          let found = code[index].firstMatch(of: /\bclass (\w+)(?:<[^>]*>)?(:?)(?:\s*(\w+))?/),
          !["func", "var"].contains(found.1), code[index].contains(/[:{]\s*$|\{\}$/)
        else { continue }
        let indent = code[index].prefix { $0 == " " }
        let end = code[index].hasSuffix("{}") ? index : code[index...].firstIndex(of: indent + "}")
        // The superclass may be on the next line.
        let parent = found.3 ?? code[min(index + 1, code.count - 1)].firstMatch(of: /^\s*(\w+)/)?.1
        let body = code[index...(end ?? index)]
        classes[String(found.1)] = Class(
          path: file.path, parent: found.2.isEmpty ? nil : parent.map(String.init),
          abstractMembers: Self.abstractMembers(of: body),
          overriddenMembers: Self.overriddenMembers(of: body))
      }
    }
  }

  /// The number of classes with members that their subclasses must override.
  var abstractCount: Int { classes.values.count { !$0.abstractMembers.isEmpty } }

  /// Returns a line for each class without subclasses that inherits a member that must be overridden.
  func violations() -> [String] {
    let parents = Set(classes.values.compactMap(\.parent))
    return classes.keys.sorted().filter { !parents.contains($0) }.flatMap { name in
      missingOverrides(of: name).map {
        "\(classes[name]?.path ?? ""): \(name) does not override \($0)"
      }
    }
  }

  private func missingOverrides(of name: String) -> [String] {
    var overridden: Set<String> = []
    var missing: [String] = []
    var next = classes[name]
    while let current = next {
      missing += current.abstractMembers.filter { !overridden.contains($0) }
      overridden.formUnion(current.overriddenMembers)
      next = current.parent.flatMap { classes[$0] }
    }
    return missing
  }

  private static func overriddenMembers(of body: ArraySlice<Substring>) -> [String] {
    body.compactMap { line in
      guard line.has("override ") else { return nil }
      return line.firstMatch(of: /override [a-z() ]*(?:func|var) (\w+)/).map { String($0.1) }
    }
  }

  private static func abstractMembers(of body: ArraySlice<Substring>) -> [String] {
    let call = "requireOverride()"
    guard body.contains(where: { $0.has(call) }) else { return [] }
    var last: String?
    return body.compactMap { line in
      if let name = line.firstMatch(of: /(?:func|var) (\w+)/)?.1 { last = String(name) }
      return line.has(call) ? last : nil
    }
  }
}

/// The declarations of a source file that the compiler does not check for use by several threads.
enum UncheckedThreads {
  /// Returns the lines of the declarations that give no reason why they are safe.
  ///
  /// A reason begins with `// Sendable: `, among the comments above the declaration or at the
  /// beginning of the body of a type.
  static func unexplained(in lines: [Substring]) -> [Int] {
    lines.indices.filter { index in
      let line = lines[index].drop { $0 == " " }
      guard !line.hasPrefix("//"), isUnchecked(line) else { return false }
      let above = lines[..<index].reversed().prefix {
        $0.drop { $0 == " " }.hasPrefix("//") || $0.drop { $0 == " " }.hasPrefix("@")
      }
      if above.contains(where: isReason) { return false }
      let brace = lines[index...].prefix(3).firstIndex { $0.hasSuffix("{") }
      guard !line.contains("nonisolated"), let brace, brace + 1 < lines.count else { return true }
      return !isReason(lines[brace + 1])
    }
  }

  private static func isUnchecked(_ line: Substring) -> Bool {
    line.contains("@unchecked Sendable") || line.contains("nonisolated(unsafe)")
  }

  private static func isReason(_ line: Substring) -> Bool {
    line.drop { $0 == " " }.hasPrefix("// Sendable: ")
  }
}
