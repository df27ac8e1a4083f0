import CairnTestSupport
import Foundation

/// The modules of the package from the bottom up, and their source files.
enum Package {
  /// The modules in order: each imports only modules before it.
  static let modules = [
    "CLMDB", "CPROJ", "CArrow", "CZlib", "CIgzip", "CSimdJSON", "CCurl", "CThread", "CairnSystem",
    "CairnValues", "CairnGeometry", "CairnIndex", "CairnStorage", "CairnQuery", "CairnObjects",
    "Cairn", "RealmSwift", "CairnOperations", "CairnSQL", "CairnRequest", "CairnIO",
    "CairnParquet", "CairnArrow", "CairnGDAL", "CairnMaps",
    "CairnFormats", "CairnTiles", "CairnServer", "cairn-server", "CairnPostgres", "CairnCommand",
    "cairn-cli",
  ]

  /// The restricted dependencies, each with the only modules that may import it.
  static let restrictedDependencies: [String: Set<String>] = [
    "CLMDB": ["CairnStorage"],
    "CPROJ": ["CairnGeometry"],
    "CArrow": ["CairnArrow", "CairnGDAL"],
    "CZlib": ["CairnIO", "CairnParquet"],
    "CIgzip": ["CairnIO"],
    "CSimdJSON": ["CairnIO"],
    "CCurl": ["CairnServer"],
    "CThread": ["CairnObjects"],
    "ArgumentParser": ["CairnCommand", "cairn-server"],
    "Logging": ["CairnOperations", "cairn-server"],
    "Metrics": ["CairnOperations", "cairn-server"],
    "HummingbirdCore": ["cairn-server"],
    "NIOCore": ["cairn-server"],
    "Foundation": ["Cairn"],
    "Glibc": ["CairnSystem"],
    "Musl": ["CairnSystem"],
    "Darwin": ["CairnSystem"],
  ]

  /// A text file of the package.
  struct SourceFile: Sendable {
    /// The path relative to the root of the package.
    let path: String
    let text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// The module, which is the folder under `Sources` or `Tests`.
    var module: String { String(path.split(separator: "/")[1]) }

    /// The name of the folder directly below another one that holds the file, or an empty string.
    func folder(below folder: String) -> String {
      let parts = path.dropFirst(folder.count + 1).split(separator: "/")
      return parts.count > 1 ? String(parts[0]) : ""
    }
  }

  /// Returns the Swift files under a folder.
  static func swiftFiles(under folder: String) throws -> [SourceFile] {
    try files(under: folder) { $0.hasSuffix(".swift") }
  }

  /// Returns the text files under a folder whose relative path satisfies a condition.
  static func files(
    under folder: String, where condition: (String) -> Bool
  ) throws -> [SourceFile] {
    let base = Repository.root.appendingPathComponent(folder)
    let names = FileManager.default.enumerator(atPath: base.path)?.allObjects as? [String] ?? []
    func isFile(_ name: String) -> Bool {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(
        atPath: base.appendingPathComponent(name).path, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
    return
      try names
      .filter { condition($0) && !$0.contains(".build/") && isFile($0) }
      .sorted()
      .map { SourceFile(path: folder + "/" + $0, text: try Repository.text(folder + "/" + $0)) }
  }

  /// Returns the text of `Package.swift`.
  static func manifest() throws -> String { try Repository.text("Package.swift") }

  /// Returns the direct and indirect dependencies of a module, as listed in the manifest.
  static func dependencies(of module: String, in manifest: String) -> Set<String> {
    var direct: [String: [String]] = [:]
    for match in manifest.matches(of: /module\(\s*"(\w+)",\s*on: \[([^\]]*)\]/) {
      direct[String(match.1)] = match.2.matches(of: /"(\w+)"/).map { String($0.1) }
    }
    var found: Set<String> = []
    var open = direct[module] ?? []
    while let next = open.popLast() {
      if found.insert(next).inserted { open += direct[next] ?? [] }
    }
    return found
  }

  /// Returns the modules that a file imports, apart from `Foundation` as the substitute for a
  /// missing `FoundationEssentials`, as on macOS.
  static func imports(in lines: [Substring]) -> [String] {
    lines.indices.compactMap { index in
      guard lines[index].contains("import "),
        !lines[..<index].suffix(2).elementsEqual(["import FoundationEssentials", "#else"])
      else { return nil }
      return lines[index].prefixMatch(
        of:
          /\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)/
      ).map { String($0.1) }
    }
  }

  /// Returns the reason why a module may not import another, or nil if it may.
  static func violation(importing dependency: String, in module: String) -> String? {
    if let importers = restrictedDependencies[dependency], !importers.contains(module) {
      return "only \(importers.sorted().joined(separator: ", ")) may import \(dependency)"
    }
    guard let position = modules.firstIndex(of: dependency) else { return nil }
    guard let own = modules.firstIndex(of: module) else {
      return "\(module) is not a module of the package"
    }
    return position < own ? nil : "\(dependency) is above \(module)"
  }
}

extension StringProtocol {
  /// Whether the text has `part` somewhere. The C library searches whole folders of code in no time, unlike
  /// regular expressions.
  func has(_ part: String) -> Bool {
    withCString { text in part.withCString { strstr(text, $0) != nil } }
  }
}
