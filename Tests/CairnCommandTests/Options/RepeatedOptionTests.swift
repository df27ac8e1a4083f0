import ArgumentParser
import CairnTestSupport
import Foundation
import Testing

@testable import CairnCommand

/// Options that are given twice: lists are joined, anything else is an error, in every command.
@Suite struct RepeatedOptionTests {
  /// The options whose values are lists.
  private static let lists: Set<String> = [
    "sort", "select", "distinct", "of", "by", "partition-by", "index", "type", "null", "lat", "lon",
    "wkt", "figures", "bbox", "set", "columns", "drop", "rename",
    "server", "date-format", "gdal", "order", "share",
  ]

  /// Two values for options that do not take any text.
  private static let values: [String: (String, String)] = [
    "near": ("1,2", "3,4"), "radius": ("5km", "6km"), "bbox": ("1,2,3,4", "5,6,7,8"),
    "datetime": ("2024-01-31", "2024-02-01"),
    "limit": ("1", "2"), "sample": ("1", "2"), "rename": ("a=b", "c=d"),
    "deduplicate": ("5m", "6m"), "seed": ("1", "2"), "offset": ("1", "2"),
    "bins": ("5", "6"), "min-zoom": ("1", "2"), "max-zoom": ("1", "2"),
    "max-features": ("1", "2"), "type": ("a=int", "b=text"),
    "delimiter": (";", "|"), "comment": ("#", "%"), "encoding": ("latin1", "cp437"),
    "as": ("a,b", "c,d"), "figures": ("sum", "median"), "timezone": ("+01:00", "+02:00"),
    "date-format": ("%d.%m.%Y", "%Y/%m/%d"), "skip-lines": ("1", "2"), "since": ("1-a", "2-b"),
    "gdal": ("A=1", "B=2"), "partitions": ("2", "3"), "wait": ("5s", "6s"),
    "row-group-size": ("5", "6"), "distance": ("5km", "6km"), "at-least": ("2", "3"),
    "cell": ("5km", "6km"), "count": ("2", "3"),
    "keep": ("10%", "20%"), "tolerance": ("5km", "6km"),
    "server": ("postgres://a/b", "postgres://c/d"),
  ]

  /// Other options that an option requires.
  private static let companions: [String: [String]] = [
    "radius": ["--near", "1,2"], "near": ["--radius", "5km"], "lat": ["--lon", "b"],
    "lon": ["--lat", "b"], "x": ["--y", "b", "--crs", "EPSG:2056"],
    "y": ["--x", "b", "--crs", "EPSG:2056"], "edges": ["--within", "p"],
    "wrap-longitude": ["--within", "p"], "repair": ["--within", "p"], "bins": ["--histogram"],
    "near-shape": ["--radius", "5km"], "layer": ["--within", "p"],
    "scale": ["--histogram"], "timezone": ["--by", "z"], "seed": ["--sample", "1"],
  ]

  private struct Item: CustomStringConvertible {
    let command: String
    let option: String
    /// The name of the option's value; nil for a flag.
    let values: (String, String)?
    var description: String { "\(command) --\(option)" }
  }

  /// Every option of every command, as the help lists them.
  private static func items() throws -> [Item] {
    try CairnTool.names.flatMap { command -> [Item] in
      let help = HelpText(
        try Command.run([command, "--help"], environment: ["COLUMNS": "10000"]).output)
      return help.options.compactMap { option in
        guard let name = option.term.firstMatch(of: /--([a-z-]+)/)?.1,
          !["help", "version"].contains(name)
        else { return nil }
        guard option.term.contains("<") else {
          return Item(command: command, option: String(name), values: nil)
        }
        let choices = option.meaning.firstMatch(of: /\(values: ([^;)]*)/)
          .map { $0.1.split(separator: ", ").map(String.init) }
        let pair = choices.map { ($0[0], $0[1]) }
        return Item(
          command: command, option: String(name),
          values: values[String(name)] ?? pair ?? ("a", "b"))
      }
    }
  }

  private static func isList(_ item: Item) -> Bool {
    lists.contains(item.option) || (item.command == "join" && item.option == "geometry")
      || (item.command == "import" && item.option == "full-text")
  }

  private static func arguments(_ item: Item) -> [String] {
    var words: [String]
    switch item.command {
    case "import": words = ["s", "f.csv"]
    case "count" where ["format", "output", "sort", "limit"].contains(item.option):
      words = ["s", "c", "--by", "z"]
    case "query", "count", "voronoi": words = ["s", "c"]
    case "stats": words = ["s", "c"] + (item.option == "of" ? [] : ["--of", "z"])
    case "export": words = ["s", "c"] + (item.option == "output" ? [] : ["--output", "z.csv"])
    case "simplify":
      words = ["s", "c"] + (["keep", "tolerance"].contains(item.option) ? [] : ["--keep", "10%"])
    case "tiles": words = ["s", "c"] + (item.option == "output" ? [] : ["--output", "z.pmtiles"])
    case "join":
      let relation = ["radius": "distance", "limit": "nearest"][item.option] ?? "within"
      words = ["s", "a", "b"] + (item.option == "on" ? [] : ["--on", relation])
      return words + (["of": ["--by", "z"], "exact": ["--sql", "duckdb"]][item.option] ?? [])
    case "dissolve": words = ["s", "c"] + (item.option == "order" ? ["--how", "line"] : [])
    case "clip":
      words = ["s", "c"] + (["to", "erase"].contains(item.option) ? [] : ["--to", "z"])
    case "cluster":
      words =
        ["s", "c"] + (["distance", "count"].contains(item.option) ? [] : ["--distance", "5km"])
    case "grid": words = ["s", "c"] + (item.option == "cell" ? [] : ["--cell", "5km"])
    case "overlay": words = ["s", "a", "b"]
    case "delete":
      words = ["s", "c"] + (item.option == "all" ? [] : ["z == 1"])
    case "update":
      words =
        ["s", "c"] + (item.option == "all" ? [] : ["z == 1"])
        + (item.option == "set" ? [] : ["--set", "z=1"])
    case "drop", "watch", "sql": words = ["s", "c"]
    case "rename", "index", "unindex": words = ["s", "c", "z"]
    case "key": words = ["s", "c"] + (item.option == "none" ? [] : ["z"])
    case "push": words = ["s", "c", "postgres:///d"]
    case "pull": words = ["postgres:///d", "t", "s"]
    case "completions": words = ["bash"]
    case "man": words = ["query"]
    case "cache": words = ["list"]
    default: words = ["s"]
    }
    let isOwn =
      item.command == "import"
      && ["wrap-longitude", "repair", "timezone", "layer"].contains(item.option)
      || item.command == "pull" && item.option == "repair"
    if !isOwn { words += companions[item.option] ?? [] }
    return words
  }

  /// The option given twice, in one of the possible spellings.
  private static func twice(_ item: Item, _ way: Int) -> [String] {
    let name = "--" + item.option
    guard let (first, second) = item.values else {
      let words = arguments(item)
      return [name] + words + [name]
    }
    // A list may need as many values of its companion.
    let more =
      isList(item) && item.command != "join" ? companions[item.option] ?? [] : []
    return more + line(item, way, name: name, first: first, second: second)
  }

  private static func line(
    _ item: Item, _ way: Int, name: String, first: String, second: String
  ) -> [String] {
    switch way {
    case 0: return arguments(item) + [name, first, name, second]
    case 1: return ["\(name)=\(first)", "\(name)=\(second)"] + arguments(item)
    default: return [name, first] + arguments(item) + ["\(name)=\(second)"]
    }
  }

  @Test func everyOptionOfEveryCommand() throws {
    let items = try Self.items()
    #expect(items.count > 80)
    var commands: Set<String> = []
    for (number, item) in items.enumerated() {
      // Given once, the option is accepted, by the command alone and by the tree of all commands,
      // which takes long to set up: for some options of each command, or all in a soak run.
      let name = "--" + item.option
      let once = Self.arguments(item) + (item.values.map { [name, $0.0] } ?? [name])
      #expect(throws: Never.self, "\(item)") {
        _ = try CairnTool.command(named: item.command)?.parse(once)
        if commands.insert(item.command).inserted || Soak.isOn {
          _ = try CairnTool.parseAsRoot([item.command] + once)
        }
        if Soak.isOn || number % 4 == 0 { _ = try Shell.parse([item.command] + once) }
      }
      for way in 0..<3 where Soak.isOn || way == number % 3 {
        let line = [item.command] + Self.twice(item, way)
        guard Self.isList(item) else {
          let failure = #expect(throws: Failure.self, "\(line)") { _ = try Shell.parse(line) }
          #expect(failure?.code == .usage)
          let text = failure?.description ?? ""
          #expect(text.contains(name + " is given twice"), "\(text)")
          if let (first, second) = item.values {
            #expect(text.contains("'\(first)'") && text.contains("'\(second)'"), "\(text)")
          }
          continue
        }
        #expect(throws: Never.self, "\(line)") { _ = try Shell.parse(line) }
      }
    }
  }

  /// The exit code and the message of the executable.
  @Test func repeatedOptionsAreRefused() throws {
    let store = try SampleStores.placesStore()
    for (line, said) in [
      (
        ["query", store, "places", "--limit", "1", "--limit", "2"],
        "--limit is given twice, as '1' and as '2'"
      ),
      (
        ["count", store, "places", "--near=1,2", "--radius", "1km", "--near", "3,4"],
        "--near is given twice, as '1,2' and as '3,4'"
      ),
      (["schema", store, "--json", "--json"], "--json is given twice; give it once"),
      (
        ["stats", store, "places", "-n", "1", "--limit", "2"],
        "--limit is given twice, as '1' and as '2'"
      ),
      (["stats", store, "places", "-o", "a", "-o", "b"], "--output is given twice"),
      (["stats", store, "places", "--by", "kind,kind"], "--by names 'kind' twice"),
      (["import", "s", "f", "--type", "a=int", "--type", "a=text"], "--type names 'a' twice"),
      (
        ["query", store, "places", "--select", "id", "--select", "name,id"],
        "--select names 'id' twice"
      ),
    ] {
      let outcome = try Command.run(line)
      #expect(
        outcome.code == 64 && outcome.output.isEmpty && outcome.errors.contains(said),
        "\(outcome.errors)")
    }
  }

  /// A value that looks like an option is not one, and neither are words after `--`.
  @Test func valuesAreNotOptions() throws {
    for line in [
      ["query", "s", "c", "--within", "--limit", "--limit", "1"],
      ["query", "s", "--limit", "1", "--", "c", "--limit"],
    ] {
      #expect(throws: Never.self, "\(line)") { _ = try Shell.parse(line) }
    }
  }

  @Test func listsAreJoinedInOrder() throws {
    let store = try SampleStores.placesStore()
    func query(_ options: String...) throws -> [String] {
      try Command.run(["query", store, "places", "--format", "csv"] + options).lines
    }
    #expect(
      try query("--select", "name", "--select", "kind,id", "id == 1") == [
        "name,kind,id", "Brisbane,city,1",
      ])
    #expect(
      try query("--sort", "kind:desc", "--sort", "population", "--select", "id").dropFirst().joined(
        separator: " ") == "3 5 8 7 6 2 4 1")
    #expect(
      try query("--sort", "id", "--distinct", "kind", "--distinct", "open", "--select", "id")
        .dropFirst()
        .joined(separator: " ") == "1 3 5 6 8")
    // A name with a comma in one list, and its halves in two.
    #expect(
      try query("--select", "odd name, really", "--select", "id", "id == 1") == [
        "\"odd name, really\",id", "a,1",
      ])
    #expect(
      try Command.run("query", store, "places", "--select", "odd name", "--select", " really").code
        == 64)
    let stats = try Command.run(
      "stats", store, "places", "--of", "id", "--of", "population", "--by", "kind", "--by", "open",
      "--format", "csv")
    #expect(stats.lines.first == "kind,open,column,count,sum,min,max,avg", "\(stats.errors)")
    #expect(
      stats.lines.contains { $0.hasPrefix("town,true,population,1,84808") }, "\(stats.output)")
  }

  @Test func indexesAreJoined() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("f.csv", "a,b,c,lat,lon\n1,2,3,4,5\n").path
    let outcome = try Command.run(
      "import", scratch["s"], file, "--index", "a", "--index", "b", "--type", "a=text", "--type",
      "b=double")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let json = try Command.run("schema", scratch["s"], "--json").output
    #expect(json.matches(of: /"index":"index"/).count == 2, "\(json)")
  }
}
