import ArgumentParser
import CairnIO
import CairnQuery
import CairnStorage

/// `cairn overlay STORE LEFT RIGHT --how intersection|union|difference|identity|symmetric`
struct OverlayCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "overlay",
      abstract: "Cut the geometries of two classes by each other.",
      discussion: """
        Each piece becomes a row with the columns of the rows that it comes from. With
        --share, numbers are shared out by area, or by length along lines: a piece with a
        third of the area gets a third of the number.

        EXAMPLES:
          cairn overlay world.cairn cells countries --share population --into pieces
          cairn overlay world.cairn land lakes --how difference -o dry.geojson
          cairn overlay world.cairn zones soils --how union --output all.gpkg
        """)
  }

  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Argument(
    help: ArgumentHelp("The left class; 'cairn schema' lists them.", valueName: "left"),
    completion: StoreCompletion.classes)
  var left: String

  @Argument(
    help: ArgumentHelp("The right class, whose geometries are polygons.", valueName: "right"),
    completion: StoreCompletion.classes)
  var right: String

  @Option(
    help: """
      The pieces: intersection (common parts), union (these, and what only one class has), \
      difference (what only the left class has), identity (intersection and difference), or \
      symmetric (what only one class has).
      """)
  var how = OverlayPieces.intersection

  @Option(
    help: ArgumentHelp(
      "Share out the numbers of these columns, named as in the output, by area.",
      valueName: "col,..."))
  var share: [String] = []

  @OptionGroup var output: OutputOptions
  @OptionGroup var destination: NewClassOption
  @OptionGroup var progressOptions: ProgressOptions
  @OptionGroup var checking: CheckingOptions

  func validate() throws {
    try destination.reject([
      ("--output", output.file.path != nil), ("--format", output.format != nil),
    ])
  }

  func run() throws {
    let newClass = try destination.target(besides: store)
    let overlay = try OverlayRun(
      store, left: left, right: right, how, share: share,
      isUntrusted: checking.untrusted, mode: newClass?.sourceMode(store) ?? .readOnly)
    let progress = progressOptions.reporter(hasSummary: false)
    if let newClass {
      return try newClass.fill(overlay.columns, from: overlay.origin, hasKey: false) { writer in
        try overlay.write(to: writer, progress)
      }
    }
    try overlay.write(
      output.format ?? .byDefault(for: output.file.path), to: output.file.path, progress)
  }
}

extension OverlayPieces: WordArgument {}
