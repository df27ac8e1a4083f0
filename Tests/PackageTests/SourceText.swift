import Foundation

/// The declarations of a source file, found line by line.
enum Declarations {
  private static let modifiers: Set<Substring> = [
    "static", "final", "mutating", "nonmutating", "indirect", "convenience", "required", "class",
    "nonisolated", "nonisolated(unsafe)", "dynamic", "lazy", "weak", "unowned", "consuming",
    "borrowing", "public", "open", "private(set)", "internal(set)", "package(set)",
    "fileprivate(set)", "prefix", "postfix", "infix", "distributed", "isolated",
  ]
  private static let kinds: Set<Substring> = [
    "func", "var", "let", "struct", "class", "enum", "protocol", "actor", "typealias",
    "associatedtype", "macro",
  ]

  /// Returns the name of the public declaration that begins in a line, or nil. Overrides inherit
  /// their documentation.
  static func publicName(in line: Substring) -> String? {
    guard line.contains("public ") || line.contains("open ") else { return nil }
    var words = line.split(separator: " ").drop { $0.hasPrefix("@") }
    var isPublic = false
    while let word = words.first {
      if kinds.contains(word), word != "class" || !follows(words) { break }
      guard modifiers.contains(word) else { break }
      isPublic = isPublic || word == "public" || word == "open"
      words.removeFirst()
    }
    guard isPublic, let kind = words.first else { return nil }
    // The label of the first parameter tells an initializer that is public for technical reasons.
    if kind.hasPrefix("init") { return line.contains(/\(_\w+[:\s]/) ? "_init" : "init" }
    if kind.hasPrefix("subscript") { return "subscript" }
    guard kinds.contains(kind), let name = words.dropFirst().first else { return nil }
    if let first = name.first, first.isLetter || "_`".contains(first) {
      return String(name.prefix { $0.isLetter || $0.isNumber || "_`".contains($0) })
    }
    return String(name.prefix { $0 != "(" })
  }

  /// Whether `class` is a modifier, as in `class func`.
  private static func follows(_ words: ArraySlice<Substring>) -> Bool {
    words.dropFirst().first.map { kinds.contains($0) || modifiers.contains($0) } ?? false
  }

  /// Whether documentation precedes the declaration in a line. Attributes, conditions and comments
  /// may be between them.
  static func isDocumented(_ index: Int, in lines: [Substring]) -> Bool {
    var index = index - 1
    while index >= 0 {
      let line = lines[index].drop { $0 == " " }
      if line.hasPrefix("///") || line.hasSuffix("*/") { return true }
      guard ["@", "#if", "//"].contains(where: { line.hasPrefix($0) }) else { return false }
      index -= 1
    }
    return false
  }
}

/// The folders directly below one folder, and the uses of types between them.
struct FolderGraph {
  /// A use of a type of another folder.
  private struct Use {
    let file: String
    let type: String
  }

  private var uses: [String: [String: [Use]]] = [:]

  /// The names of the folders.
  private(set) var folders: Set<String> = []

  /// Creates the graph of the files under a folder.
  init(_ files: [Package.SourceFile], below parent: String) {
    let names = files.map { $0.folder(below: parent) }
    let words = files.map { Self.words(in: $0.text) }
    var owners: [String: Set<String>] = [:]
    for (folder, words) in zip(names, words) {
      folders.insert(folder)
      for type in words.declared { owners[type, default: []].insert(folder) }
    }
    for (index, file) in files.enumerated() {
      let folder = names[index]
      for type in words[index].used.sorted() {
        guard let targets = owners[type], !targets.contains(folder) else { continue }
        let use = Use(file: String(file.path.split(separator: "/").last ?? ""), type: type)
        for target in targets { uses[folder, default: [:]][target, default: []].append(use) }
      }
    }
  }

  /// Returns the folders of a cycle, each using the next, or nil if there is no cycle.
  func cycle() -> [String]? {
    var finished: Set<String> = []
    var path: [String] = []
    func search(_ folder: String) -> [String]? {
      if let start = path.firstIndex(of: folder) { return Array(path[start...]) }
      guard finished.insert(folder).inserted else { return nil }
      path.append(folder)
      defer { path.removeLast() }
      for next in (uses[folder] ?? [:]).keys.sorted() {
        if let cycle = search(next) { return cycle }
      }
      return nil
    }
    for folder in folders.sorted() { if let cycle = search(folder) { return cycle } }
    return nil
  }

  /// Returns a cycle with the files and types that cause it.
  func description(of cycle: [String]) -> String {
    cycle.indices.map { index in
      let (from, to) = (cycle[index], cycle[(index + 1) % cycle.count])
      let all = uses[from]?[to] ?? []
      return "\(from) -> \(to): "
        + all.prefix(5).map { "\($0.file) uses \($0.type)" }.joined(separator: ", ")
    }.joined(separator: "\n")
  }

  /// Returns the types that a file declares at its top level, and the capitalized words of its code
  /// outside of comments and string literals.
  private static func words(in text: String) -> (declared: Set<String>, used: Set<String>) {
    let code = Array(code(of: text).utf8)
    var declared: Set<String> = []
    var used: Set<String> = []
    var depth = 0
    var last = ""
    var index = 0
    while index < code.count {
      let byte = code[index]
      guard isWord(byte) else {
        if byte == UInt8(ascii: "{") { depth += 1 }
        if byte == UInt8(ascii: "}") { depth -= 1 }
        index += 1
        continue
      }
      let start = index
      while index < code.count, isWord(code[index]) { index += 1 }
      let word = String(decoding: code[start..<index], as: UTF8.self)
      if depth == 0, typeKeywords.contains(last) { declared.insert(word) }
      if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "_") {
        used.insert(word)
      }
      last = word
    }
    return (declared, used)
  }

  private static let typeKeywords: Set<String> = [
    "struct", "class", "enum", "protocol", "actor", "typealias",
  ]

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  /// Returns the text without comments and string literals.
  private static func code(of text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    func starts(_ mark: StaticString) -> Bool {
      let count = mark.utf8CodeUnitCount
      guard index + count <= bytes.count else { return false }
      return mark.withUTF8Buffer { bytes[index..<index + count].elementsEqual($0) }
    }
    func skip(to mark: StaticString, escapes: Bool = false) {
      while index < bytes.count, !starts(mark) {
        index += escapes && bytes[index] == UInt8(ascii: "\\") ? 2 : 1
      }
      index += mark.utf8CodeUnitCount
    }
    while index < bytes.count {
      if starts("//") {
        skip(to: "\n")
        result.append(UInt8(ascii: "\n"))
      } else if starts("/*") {
        skip(to: "*/")
      } else if starts("\"\"\"") {
        index += 3
        skip(to: "\"\"\"", escapes: true)
      } else if starts("#\"") {
        index += 2
        skip(to: "\"#")
      } else if starts("\"") {
        index += 1
        skip(to: "\"", escapes: true)
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
