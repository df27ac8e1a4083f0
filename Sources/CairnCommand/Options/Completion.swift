import ArgumentParser
import CairnGeometry
import CairnIO
import CairnQuery
import CairnStorage
import CairnValues

/// Shell completions for names that are read from the store or the file of data.
enum StoreCompletion {
  /// The classes of the store or the file on the command line.
  static let classes = CompletionKind.custom { words, _, _ in
    escaped(CommandLineWords(words).classes)
  }

  /// The columns of the class on the command line, appended to the option's list so far.
  static func columns(of option: String) -> CompletionKind {
    list(option) { table, _ in table.properties.map(\.name) }
  }

  /// The keys that `--by` takes: columns, parts of dates, and cells of common sizes.
  static let groups = groups(of: "--by")

  /// The keys that an option for groups takes.
  static func groups(of option: String) -> CompletionKind {
    list(option) { table, _ in
      let parts = table.properties.filter { $0.type == .date }.flatMap { column in
        CalendarPart.allCases.map { "\($0.rawValue)(\(column.name))" }
      }
      let cells = table.properties.contains(where: \.isPoint)
      return table.properties.map(\.name) + parts
        + (cells ? ["cell(1)", "cell(50km)", "geohash(5)", "hex(50km)"] : [])
    }
  }

  /// The columns of the class on the command line.
  static let nextColumns = CompletionKind.custom { words, _, _ in
    escaped((CommandLineWords(words).table?.properties ?? []).map(\.name))
  }

  /// The classes of the store on the command line, and their columns as `CLASS.COLUMN`.
  static let classesAndColumns = CompletionKind.custom { words, _, _ in
    let tables = CommandLineWords(words).schema?.tables ?? []
    return escaped(
      tables.map(\.name)
        + tables.flatMap { table in table.properties.map { "\(table.name).\($0.name)" } })
  }

  /// The columns of the class on the command line, each with the equals sign of an assignment.
  static let assignments = CompletionKind.custom { words, _, _ in
    escaped((CommandLineWords(words).table?.properties ?? []).map { $0.name + "=" })
  }

  /// The locations and geometries of the class on the command line.
  static let geometries = CompletionKind.custom { words, _, _ in
    escaped((CommandLineWords(words).table?.spatialColumns ?? []).map(\.name))
  }

  /// The names that `--select` takes: columns, the parts of locations and, with `--near`, the
  /// distance.
  static let selection = list("--select") { table, line in
    let parts = table.properties.filter { $0.type == .point }.flatMap { column in
      LocationPart.allCases.map { "\(column.name).\($0.rawValue)" }
    }
    return table.properties.map(\.name) + parts + ColumnChoice.measures(of: table).map(\.rawValue)
      + line.distance(table)
  }

  /// The names that `--sort` takes: columns, measures, with `--near` the distance, and with `--search` the
  /// rank, each in both directions.
  static let keys = list("--sort") { table, line in
    let measures = ColumnChoice.measures(of: table).map(\.rawValue)
    let names = table.properties.map(\.name) + measures + line.distance(table) + line.rank(table)
    return names.flatMap { [$0, $0 + ":desc"] }
  }

  /// The items of a comma-separated list. An item that the option already has is not offered again.
  private static func list(
    _ option: String, names: @escaping @Sendable (TableSchema, CommandLineWords) -> [String]
  ) -> CompletionKind {
    .custom { words, index, prefix in
      let line = CommandLineWords(words)
      guard let table = line.table else { return [] }
      let start = prefix.lastIndex(of: ",").map { prefix[...$0] } ?? ""
      let taken = Set((line.values(of: option, before: index) + [String(start)]).flatMap(columns))
      return escaped(
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

  /// The names, escaped for the requesting shell, without those that a terminal cannot show.
  private static func escaped(_ names: [String]) -> [String] {
    let names = names.filter { PrintableText.escaped($0) == $0 }
    guard CompletionShell.requesting == .zsh else { return names }
    // In zsh, a colon starts a description.
    return names.map { $0.replacing("\\", with: "\\\\").replacing(":", with: "\\:") }
  }
}

/// A command line that is being typed.
struct CommandLineWords {
  private let words: [String]

  init(_ words: [String]) { self.words = words }

  /// The class on the command line.
  var table: TableSchema? {
    var words = arguments[...]
    guard let reference = try? ClassReference(from: &words) else { return nil }
    switch reference.container {
    case .store(let path):
      return reference.className.flatMap { Self.schema(path)?.table(named: $0) }
    case .data(let file):
      return try? DataStores.schema(file, className: reference.className)
    case .database: return nil
    }
  }

  /// The names of the classes of the store or the file on the command line.
  var classes: [String] {
    if let schema { return schema.tables.map(\.name) }
    let file = arguments.first.flatMap { DataFile($0) }
    return ((try? file?.classes()) ?? []).map(\.name)
  }

  /// The classes of the store on the command line.
  var schema: StoreSchema? { arguments.first.flatMap(Self.schema) }

  private static func schema(_ path: String) -> StoreSchema? {
    let store = try? Store.open(path, mode: .readOnly)
    return (try? store?.snapshot())?.schema
  }

  /// `distance`, if the line has an origin of distances and the class has no property of that name.
  func distance(_ table: TableSchema) -> [String] {
    let isNear = words.contains { word in
      ["--near", "--near-shape"].contains { word == $0 || word.hasPrefix($0 + "=") }
    }
    return isNear && table.column(named: DistanceColumn.name) == nil ? [DistanceColumn.name] : []
  }

  /// `rank`, if the line has a search and the class has no property of that name.
  func rank(_ table: TableSchema) -> [String] {
    let isSearched = words.contains { $0 == "--search" || $0.hasPrefix("--search=") }
    return isSearched && table.column(named: Order.rank) == nil ? [Order.rank] : []
  }

  /// The values of an option before the word that is being typed.
  func values(of option: String, before index: Int) -> [String] {
    words.indices.prefix(max(0, index)).compactMap { position in
      if words[position].hasPrefix(option + "=") {
        return String(words[position].dropFirst(option.count + 1))
      }
      return words[position] == option && position + 1 < index ? words[position + 1] : nil
    }
  }

  /// The words of the line except options and the command's name. Values of options may be among
  /// them, but not before the store.
  private var arguments: [String] { words.dropFirst(2).filter { !$0.hasPrefix("-") } }
}

/// Extends the bash completion script of the argument parser.
enum BashScript {
  /// The script with a prologue that rejoins the words that bash splits: bash passes `--sort
  /// name:desc` as four words, and `--sort=name` as three.
  static func joiningWords(_ script: String) -> String {
    let head = "    local -r cur=\"${2}\"\n    local -r prev=\"${3}\"\n"
    guard let start = script.firstRange(of: head),
      let end = script[start.upperBound...].firstRange(of: "\n}\n")
    else { return script }
    return script[..<start.lowerBound] + joining + script[start.upperBound..<end.lowerBound]
      + trimming + script[end.lowerBound...]
  }

  private static let joining = #"""
        local -ar cut_words=("${COMP_WORDS[@]}")
        local -ir cut_cword="${COMP_CWORD}"
        local COMP_LINE="${COMP_LINE}"
        local -a COMP_WORDS=()
        local -i COMP_CWORD=0 cut_index cut_last
        local cut_word cut_joins=false
        for cut_index in "${!cut_words[@]}"; do
            cut_word="${cut_words[cut_index]}"
            cut_last="$((${#COMP_WORDS[@]} - 1))"
            if [[ "${cut_last}" -gt 0 && "${cut_word}" = '=' && "${COMP_WORDS[cut_last]}" = --* ]]; then
                COMP_LINE="${COMP_LINE/"${COMP_WORDS[cut_last]}="/"${COMP_WORDS[cut_last]} "}"
                [[ "${cut_index}" -eq "${cut_cword}" ]] && COMP_WORDS+=('')
            elif [[ "${cut_last}" -gt 0 && "${cut_word}" = ':' ]]; then
                COMP_WORDS[cut_last]+=:
                cut_joins=true
            elif "${cut_joins}"; then
                COMP_WORDS[cut_last]+="${cut_word}"
                cut_joins=false
            else
                COMP_WORDS+=("${cut_word}")
            fi
            [[ "${cut_index}" -eq "${cut_cword}" ]] && COMP_CWORD="$((${#COMP_WORDS[@]} - 1))"
        done

        local cur="${2}"
        local prev="${3}"
        if [[ "${#COMP_WORDS[@]}" -ne "${#cut_words[@]}" || "${cut_words[cut_cword]}" = '=' ]]; then
            cur="${COMP_WORDS[COMP_CWORD]}"
            prev="${COMP_WORDS[COMP_CWORD - 1]}"
        fi

    """#

  private static let trimming = #"""


        # Bash replaces only what follows the last colon.
        if [[ "${cur}" = *:* && "${COMP_WORDBREAKS}" = *:* ]]; then
            COMPREPLY=("${COMPREPLY[@]#"${cur%"${cur##*:}"}"}")
        fi
    """#
}
