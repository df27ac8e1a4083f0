import Foundation

/// The targets of the package from the ground up, and the source files in them.
enum House {
  /// A room imports only rooms that stand before it.
  static let rooms = [
    "CLMDB", "CPROJ", "CZlib", "CSimdJSON", "CThread", "CairnValues", "CairnGeometry", "CairnIndex",
    "CairnStorage", "CairnQuery", "CairnObjects", "Cairn", "RealmSwift", "CairnFormats",
    "CairnCommand",
    "cairn-cli",
  ]

  /// Modules of others, and the only rooms that may import them.
  static let guests: [String: Set<String>] = [
    "CLMDB": ["CairnStorage"],
    "CPROJ": ["CairnGeometry"],
    "CZlib": ["CairnFormats"],
    "CSimdJSON": ["CairnFormats"],
    "CThread": ["CairnObjects"],
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
    try files(under: folder) { $0.hasSuffix(".swift") }
  }

  /// The text files whose path below the folder fits.
  static func files(
    under folder: String, where fits: (String) -> Bool
  ) throws -> [SourceFile] {
    let base = root.appendingPathComponent(folder)
    let names = FileManager.default.enumerator(atPath: base.path)?.allObjects as? [String] ?? []
    func isFile(_ name: String) -> Bool {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(
        atPath: base.appendingPathComponent(name).path, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
    return
      try names
      .filter { fits($0) && !$0.contains(".build/") && isFile($0) }
      .sorted()
      .map { name in
        let text = try String(contentsOf: base.appendingPathComponent(name), encoding: .utf8)
        return SourceFile(
          path: folder + "/" + name,
          lines: text.split(separator: "\n", omittingEmptySubsequences: false))
      }
  }

  /// The text of `Package.swift`.
  static func manifest() throws -> String {
    try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
  }

  /// The targets that a room stands on, directly or not, as the manifest says.
  static func dependencies(of room: String, in manifest: String) -> Set<String> {
    var direct: [String: [String]] = [:]
    for match in manifest.matches(of: /room\(\s*"(\w+)",\s*on: \[([^\]]*)\]/) {
      direct[String(match.1)] = match.2.matches(of: /"(\w+)"/).map { String($0.1) }
    }
    var found: Set<String> = []
    var open = direct[room] ?? []
    while let next = open.popLast() {
      if found.insert(next).inserted { open += direct[next] ?? [] }
    }
    return found
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
