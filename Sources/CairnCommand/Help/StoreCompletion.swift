import ArgumentParser
import CairnStorage

/// What a shell offers while a command line is typed: names that only the store knows.
enum StoreCompletion {
  /// The classes of the store that the line names.
  static let classes = CompletionKind.custom { words, _, _ in
    schema(words).map { $0.tables.map(\.name) } ?? []
  }

  /// The columns of the class that the line names, behind those that the list has already.
  static let columns = CompletionKind.custom { words, _, prefix in
    let names = arguments(words)
    guard names.count > 1, let table = schema(words)?.table(named: names[1]) else { return [] }
    let start = prefix.lastIndex(of: ",").map { prefix[...$0] } ?? ""
    return table.properties.map { start + $0.name }
  }

  /// The words of the line that are neither options nor the command's own name; the values of options may be
  /// among them, but not before the store.
  private static func arguments(_ words: [String]) -> [String] {
    words.dropFirst(2).filter { !$0.hasPrefix("-") }
  }

  private static func schema(_ words: [String]) -> Schema? {
    guard let path = arguments(words).first,
      let store = try? Store.open(path, .readOnly), let snapshot = try? store.snapshot()
    else { return nil }
    return snapshot.schema
  }
}
