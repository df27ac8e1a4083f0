import Foundation

/// The targets of the package from the ground up, and the source files in them.
enum House {
  /// A room imports only rooms that stand before it.
  static let rooms = [
    "CLMDB", "CGEOS", "CPROJ", "CZlib", "CSimdJSON", "CairnValues", "CairnGeometry", "CairnIndex",
    "CairnStorage", "CairnQuery", "CairnObjects", "Cairn", "RealmSwift", "CairnFormats",
    "CairnCommand",
    "cairn-cli",
  ]

  /// Modules of others, and the only rooms that may import them.
  static let guests: [String: Set<String>] = [
    "CLMDB": ["CairnStorage"],
    "CGEOS": ["CairnGeometry"],
    "CPROJ": ["CairnGeometry"],
    "CZlib": ["CairnFormats"],
    "CSimdJSON": ["CairnFormats"],
    "ArgumentParser": ["CairnCommand"],
    "Foundation": ["Cairn"],
  ]

  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  struct SourceFile {
    /// Relative to the root of the package.
    let path: String
    let lines: [Substring]

    /// The folder under `Sources` or `Tests`.
    var room: String { String(path.split(separator: "/")[1]) }
  }

  static func swiftFiles(under folder: String) throws -> [SourceFile] {
    let base = root.appendingPathComponent(folder)
    let names = FileManager.default.enumerator(atPath: base.path)?.allObjects as? [String] ?? []
    return
      try names
      .filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }
      .sorted()
      .map { name in
        let text = try String(contentsOf: base.appendingPathComponent(name), encoding: .utf8)
        return SourceFile(
          path: folder + "/" + name,
          lines: text.split(separator: "\n", omittingEmptySubsequences: false))
      }
  }

  /// The modules that a file imports.
  static func imports(in lines: [Substring]) -> [String] {
    lines.filter { $0.contains("import ") }.compactMap { line in
      line.prefixMatch(
        of:
          /\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)/
      ).map { String($0.1) }
    }
  }

  /// What is wrong with a room's importing a module; nil: nothing.
  static func objection(to module: String, in room: String) -> String? {
    if let hosts = guests[module], !hosts.contains(room) {
      return hosts.isEmpty
        ? "no room imports \(module)"
        : "only \(hosts.sorted().joined(separator: ", ")) imports \(module)"
    }
    guard let above = rooms.firstIndex(of: module) else { return nil }
    guard let here = rooms.firstIndex(of: room) else { return "\(room) is no room of the house" }
    return above < here ? nil : "\(module) stands above \(room)"
  }
}
