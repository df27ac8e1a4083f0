import ArgumentParser
import CairnFormats
import CairnStorage
import CairnValues

/// What a shell offers while a command line is typed: names that only the store knows.
enum StoreCompletion {
  /// The classes of the store that the line names.
  static let classes = CompletionKind.custom { words, _, _ in
    CommandLineWords(words).schema.map { offered($0.tables.map(\.name)) } ?? []
  }

  /// The columns of the class that the line names, behind those that the option's list has already.
  static func columns(of option: String) -> CompletionKind {
    list(option) { table, _ in table.properties.map(\.name) }
  }

  /// The names that `--select` takes: columns, the parts of locations, and with `--near` the distance.
  static let selection = list("--select") { table, line in
    let parts = table.properties.filter { $0.type == .point }.flatMap { place in
      LocationPart.allCases.map { "\(place.name).\($0.rawValue)" }
    }
    return table.properties.map(\.name) + parts + line.distance(table)
  }

  /// The names that `--sort` takes: columns and with `--near` the distance, each in both directions.
  static let keys = list("--sort") { table, line in
    (table.properties.map(\.name) + line.distance(table)).flatMap { [$0, $0 + ":desc"] }
  }

  /// Items of a list with commas between them; one that the option has already is not offered again.
  private static func list(
    _ option: String, _ names: @escaping @Sendable (TableSchema, CommandLineWords) -> [String]
  ) -> CompletionKind {
    .custom { words, index, prefix in
      let line = CommandLineWords(words)
      guard let table = line.table else { return [] }
      let start = prefix.lastIndex(of: ",").map { prefix[...$0] } ?? ""
      let taken = Set((line.values(of: option, before: index) + [String(start)]).flatMap(columns))
      return offered(
        names(table, line).filter { !taken.contains(column($0)) }.map { start + $0 })
    }
  }

  private static func columns(_ list: String) -> [String] {
    list.split(separator: ",").map { column($0.trimmingSpaces()) }
  }

  /// A sort key without its direction.
  private static func column(_ key: some StringProtocol) -> String {
    for direction in [":asc", ":desc"] where key.hasSuffix(direction) {
      return String(key.dropLast(direction.count))
    }
    return String(key)
  }

  /// The names as the shell that asks reads them; one that a line of a terminal cannot hold is left out.
  private static func offered(_ names: [String]) -> [String] {
    let names = names.filter { PrintableText.escaped($0) == $0 }
    guard CompletionShell.requesting == .zsh else { return names }
    // In zsh a colon begins a description.
    return names.map { $0.replacing("\\", with: "\\\\").replacing(":", with: "\\:") }
  }
}

/// A command line that is being typed.
struct CommandLineWords {
  private let words: [String]

  init(_ words: [String]) { self.words = words }

  /// The class that the line names.
  var table: TableSchema? {
    let names = arguments
    return names.count > 1 ? schema?.table(named: names[1]) : nil
  }

  var schema: Schema? {
    guard let path = arguments.first,
      let store = try? Store.open(path, .readOnly), let snapshot = try? store.snapshot()
    else { return nil }
    return snapshot.schema
  }

  /// `distance`, where there is a place to measure from and no property of that name.
  func distance(_ table: TableSchema) -> [String] {
    let isNear = words.contains { $0 == "--near" || $0.hasPrefix("--near=") }
    return isNear && table.column(named: DistanceColumn.name) == nil ? [DistanceColumn.name] : []
  }

  /// The values that an option has in front of the word that is being typed.
  func values(of option: String, before index: Int) -> [String] {
    words.indices.prefix(max(0, index)).compactMap { place in
      if words[place].hasPrefix(option + "=") {
        return String(words[place].dropFirst(option.count + 1))
      }
      return words[place] == option && place + 1 < index ? words[place + 1] : nil
    }
  }

  /// The words of the line that are neither options nor the command's own name; the values of options may be
  /// among them, but not before the store.
  private var arguments: [String] { words.dropFirst(2).filter { !$0.hasPrefix("-") } }
}
