import CairnTestSupport
import Foundation
import Testing

@testable import CairnCommand

/// Folders of Parquet files that are one class.
@Suite struct FolderInputTests {
  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func lines(_ words: [String]) throws -> [String] {
    let outcome = try scratch.run(words)
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(words): \(outcome.errors)")
    return outcome.lines
  }

  /// Writes the towns of a store into the folder `lake`.
  private func makeTowns() throws {
    var csv = "id,country,pop,lat,lon\n"
    for id in 0..<400 {
      csv += "\(id),\(["CH", "FR", "DE", "IT", ""][id % 5]),\(id * 7 % 100),\(id / 20),\(id % 20)\n"
    }
    _ = try scratch.file("towns.csv", csv)
    _ = try lines(["import", "w.cairn", "towns.csv", "--quiet"])
    _ = try lines(["export", "w.cairn", "towns", "-o", "lake", "--partition-by", "country"])
  }

  /// Overwrites a file, so that it cannot be opened.
  private func damage(_ path: String) throws {
    let url = URL(fileURLWithPath: scratch[path])
    try Data(count: Data(contentsOf: url).count).write(to: url)
  }

  // MARK: Other writers

  @Test(arguments: ["pyarrow", "duckdb", "spark"]) func foldersOfOthers(writer: String) throws {
    let folder = Repository.data("foreign/lakes/\(writer)")
    let query = ["--select", "id,name,place,year", "--sort", "id", "--format", "csv"]
    #expect(
      try lines(["query", folder] + query) == [
        "id,name,place,year", "1,a,Zürich,2023", "2,b,Zürich,2024", "3,c,a b,2023", "4,d,x=y/z,",
        "5,e,,2024", "6,f,100%,2023", "7,g,a b,2024", "8,h,Ω?*,2024",
      ])
    #expect(try lines(["count", folder, "year == 2024 AND place != null"]) == ["3"])
    #expect(try lines(["count", folder, "place == nil"]) == ["1"])
    #expect(try lines(["count", folder, "--bbox", "8,47,9,48"]) == ["2"])
    #expect(try lines(["count", folder + "/place=100%25"]) == ["1"])
    let schema = try lines(["schema", folder]).joined(separator: "\n")
    #expect(schema.contains(/year +int/) && schema.contains(/place +(text|string)/), "\(schema)")
    _ = try lines(["import", "s", folder + "/", "--quiet"])
    #expect(try lines(["query", "s", writer] + query) == lines(["query", folder] + query))
  }

  // MARK: Answers

  @Test(arguments: [
    ["count"], ["count", "pop > 50"], ["count", "--by", "country", "--format", "csv"],
    ["count", "country == 'FR'"], ["count", "country == nil"], ["count", "country != 'FR'"],
    ["count", "country IN {'FR', 'CH'} AND pop < 30", "--bbox", "3,4,9,9"],
    ["count", "country BEGINSWITH 'D' OR id < 10"], ["count", "NOT (country == 'FR')"],
    ["count", "country == 'none'"], ["count", "country > 'CH'"],
    ["query", "country == 'CH'", "--sort", "id", "--select", "id,country,location"],
    ["query", "pop == 7", "--sort", "id", "--select", "*", "--format", "jsonl"],
    ["stats", "country == 'DE'", "--of", "pop"], ["stats", "--of", "pop", "--by", "country"],
    ["query", "--near", "4,4", "--limit", "3", "country == 'FR'", "--select", "id"],
  ])
  func answersAreThoseOfTheStore(words: [String]) throws {
    try makeTowns()
    func answer(_ source: [String]) throws -> [String] {
      let found = try lines([words[0]] + source + words.dropFirst())
      // The columns of the path come last.
      return words.contains("*")
        ? try found.map { line in
          let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
          return (row ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined()
        } : found
    }
    let wanted = try answer(["w.cairn", "towns"]).map { $0.replacing("towns", with: "lake") }
    for source in [["lake"], ["lake/"], ["./lake", "lake"], [scratch["lake"]]] {
      #expect(try answer(source) == wanted, "\(source)")
    }
    _ = try lines(["import", "t.cairn", "lake", "--quiet"])
    #expect(try answer(["t.cairn", "lake"]) == wanted)
  }

  @Test func pairsAndNewClasses() throws {
    try makeTowns()
    _ = try scratch.file("names.csv", "code,name\nCH,Swiss\nFR,French\n")
    let words = ["--on", "lake.country == names.code", "--by", "names.name", "--format", "csv"]
    #expect(
      try lines(["join", "lake", "names.csv"] + words) == [
        "names.name,count", "French,80", "Swiss,80",
      ])
    #expect(
      try scratch.run(["query", "lake", "country == 'FR'", "--into", "new.cairn:french"]).code == 0)
    #expect(try lines(["count", "new.cairn", "french"]) == ["80"])
    #expect(try lines(["export", "lake", "-o", "a.csv"]).isEmpty)
    #expect(try lines(["count", "a.csv", "country == 'CH'"]) == ["80"])
  }

  /// Damaged files in folders that a condition rules out do not matter.
  @Test func foldersThatCannotMatchAreNotOpened() throws {
    try makeTowns()
    try damage("lake/country=FR/part-0.parquet")
    try damage("lake/country=DE/part-0.parquet")
    let whole = try scratch.run(["count", "lake"])
    #expect(
      whole.code == 65 && whole.errors.contains("lake/country=DE/part-0.parquet"), "\(whole.errors)"
    )
    #expect(try lines(["count", "lake", "country == 'CH'"]) == ["80"])
    #expect(
      try lines(["count", "lake", "pop < 50 AND country == 'CH'", "--bbox", "0,0,9,9"]) != ["0"])
    #expect(try lines(["count", "lake", "country == 'XX'"]) == ["0"])
    #expect(try scratch.run(["count", "lake", "country == 'CH' OR pop > 98"]).code == 65)
    let imported = try scratch.run(["import", "t.cairn", "lake", "--where", "country == 'CH'"])
    #expect(imported.code == 0, "\(imported.errors)")
    #expect(imported.errors.contains("lake: 4 of 5 files were not opened"), "\(imported.errors)")
    #expect(imported.errors.contains("`--where` rules out"), "\(imported.errors)")
    #expect(try lines(["count", "t.cairn", "lake"]) == ["80"])
  }

  // MARK: Files

  @Test func whatEnginesLeaveOut() throws {
    try makeTowns()
    for name in [
      "_SUCCESS", "_metadata", ".part-0.parquet.crc", "_x.parquet", "country=FR/.a.parquet",
    ] {
      _ = try scratch.file("lake/\(name)", "PAR1 nothing")
    }
    for name in ["_temporary/0", ".hidden", "country=CH/_old"] {
      try FileManager.default.createDirectory(
        atPath: scratch["lake/\(name)"], withIntermediateDirectories: true)
      _ = try scratch.file("lake/\(name)/a.parquet", "PAR1 nothing")
    }
    _ = try scratch.file("lake/README.md", "text")
    #expect(try lines(["count", "lake"]) == ["400"])
    // A link to the folder itself does not repeat its rows.
    try FileManager.default.createSymbolicLink(
      atPath: scratch["lake/country=CH/again"], withDestinationPath: "..")
    #expect(try lines(["count", "lake"]) == ["400"])
  }

  @Test func aSubfolderStatesItsValue() throws {
    try makeTowns()
    #expect(try lines(["count", "lake/country=CH"]) == ["80"])
    #expect(
      try lines(["count", "lake/country=CH/", "--by", "country", "--format", "csv"])
        == ["country,count", "CH,80"])
    _ = try lines(["import", "t.cairn", "lake/country=CH", "lake/country=FR", "--quiet"])
    #expect(
      try lines(["count", "t.cairn", "lake", "--by", "country", "--format", "csv"])
        == ["country,count", "CH,80", "FR,80"])
  }

  /// A folder with the name of a file is one class, as Spark writes it; another one has a class for each file,
  /// which an import reads as one.
  @Test func filesSideBySide() throws {
    try makeTowns()
    for folder in ["towns.parquet", "plain"] {
      try FileManager.default.createDirectory(
        atPath: scratch[folder], withIntermediateDirectories: false)
      for (name, country) in [("a", "CH"), ("b", "FR")] {
        try FileManager.default.copyItem(
          atPath: scratch["lake/country=\(country)/part-0.parquet"],
          toPath: scratch["\(folder)/\(name).parquet"])
      }
    }
    #expect(try lines(["count", "towns.parquet"]) == ["160"])
    #expect(try lines(["count", "towns.parquet", "towns"]) == ["160"])
    #expect(try lines(["count", "plain", "a"]) == ["80"])
    _ = try lines(["import", "t.cairn", "plain", "--quiet"])
    #expect(try lines(["count", "t.cairn", "plain"]) == ["160"])
  }

  /// The rules for several files apply: columns of all, and the wider type.
  @Test func columnsOfAllFiles() throws {
    _ = try scratch.file("a.csv", "id,value\n1,2\n")
    _ = try scratch.file("b.csv", "id,value,more\n2,2.5,x\n")
    _ = try scratch.file("c.csv", "id,value,k\n3,9,own\n")
    for (name, value) in [("a", "1"), ("b", "2"), ("c", "3")] {
      let folder = "lake/k=\(value)"
      try FileManager.default.createDirectory(
        atPath: scratch[folder], withIntermediateDirectories: true)
      _ = try lines(["export", "\(name).csv", "-o", "\(folder)/x.parquet"])
    }
    // The path counts for `k`, and not the column of the third file.
    #expect(
      try lines(["query", "lake", "--sort", "id", "--select", "id,value,k,more", "--format", "csv"])
        == ["id,value,k,more", "1,2.0,1,", "2,2.5,2,x", "3,9.0,3,"])
    #expect(try lines(["count", "lake", "k == 3"]) == ["1"])
  }

  @Test func codesAreTexts() throws {
    for (name, texts) in [
      ("codes", ["01", "2"]), ("numbers", ["1", "-2"]), ("mixed", ["1", "x"]),
    ] {
      _ = try scratch.file("\(name).csv", "id,k\n" + texts.map { "7,\($0)\n" }.joined())
      _ = try lines(["import", "s", "\(name).csv", "--type", "k=text", "--no-location", "--quiet"])
      _ = try lines(["export", "s", name, "-o", "lake-\(name)", "--partition-by", "k"])
      let condition = name == "numbers" ? "k == -2" : "k == '\(texts[1])'"
      #expect(try lines(["count", "lake-\(name)", condition]) == ["1"])
    }
    _ = try lines([
      "import", "t", "lake-numbers", "--class", "n", "--type", "k=text", "--no-location", "--quiet",
    ])
    #expect(try lines(["count", "t", "n", "k == '-2'"]) == ["1"])
  }

  /// More folders than a process may have open files.
  @Test func manyFiles() throws {
    _ = try scratch.file("t.csv", "id,k\n" + (0..<300).map { "\($0),\($0)\n" }.joined())
    _ = try lines(["export", "t.csv", "-o", "lake", "--partition-by", "k"])
    let outcome = try Command.shell(
      "ulimit -n 100; cairn count lake && cairn count lake 'k > 289' && cairn import s lake && "
        + "cairn stats s lake --of k --figures sum --format csv", in: scratch.url)
    #expect(outcome.lines.prefix(2) == ["300", "10"], "\(outcome.errors)")
    #expect(outcome.lines.last?.hasSuffix("44850") == true, "\(outcome.output)\(outcome.errors)")
  }

  @Test func mistakes() throws {
    try makeTowns()
    let format = try scratch.run(["import", "t", "lake", "--format", "csv"])
    #expect(format.code == 64 && format.errors.contains("read as Parquet"), "\(format.errors)")
    let layer = try scratch.run(["import", "t", "lake", "--layer", "x"])
    #expect(layer.code == 64, "\(layer.errors)")
    let column = try scratch.run(["count", "lake", "countri == 'CH'"])
    #expect(column.code == 64 && column.errors.contains("country"), "\(column.errors)")
    _ = try scratch.file("lake/country=FR/cut.parquet", "")
    let cut = try scratch.run(["count", "lake"])
    #expect(cut.code == 65 && cut.errors.contains("lake/country=FR/cut.parquet"), "\(cut.errors)")
    try FileManager.default.createDirectory(
      atPath: scratch["lake/_delta_log"], withIntermediateDirectories: false)
    let delta = try scratch.run(["count", "lake"])
    #expect(delta.code == 65 && delta.errors.contains("Delta Lake"), "\(delta.errors)")
    try FileManager.default.createDirectory(
      atPath: scratch["texts"], withIntermediateDirectories: false)
    _ = try scratch.file("texts/a.csv", "a\n1\n")
    let texts = try scratch.run(["import", "t", "texts"])
    #expect(texts.code == 66 && texts.errors.contains("name the files in it"), "\(texts.errors)")
  }

  /// The state of a folder is that of its files.
  @Test func statesOfFoldersDiffer() throws {
    try makeTowns()
    let first = try #require(FileIdentity(of: scratch["lake"]))
    #expect(first == FileIdentity(of: scratch["lake"] + "/"))
    try FileManager.default.copyItem(
      atPath: scratch["lake/country=CH/part-0.parquet"],
      toPath: scratch["lake/country=CH/part-1.parquet"])
    let second = try #require(FileIdentity(of: scratch["lake"]))
    #expect(second != first && second.size > first.size)
    try FileManager.default.removeItem(atPath: scratch["lake/country=CH/part-1.parquet"])
    #expect(FileIdentity(of: scratch["lake"]) == first)
    try damage("lake/country=FR/part-0.parquet")
    #expect(FileIdentity(of: scratch["lake"]) != first)
  }
}
