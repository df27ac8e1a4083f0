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
        Each piece becomes a row with the columns of the rows that it comes from. The
        geometries of the right class are polygons. With
        --share, numbers are shared out by area, or by length along lines: a piece with a
        third of the area gets a third of the number.

        EXAMPLES:
          cairn overlay world.cairn cells countries --share population --into pieces
          cairn overlay world.cairn land lakes --how difference -o dry.geojson
          cairn overlay world.cairn zones soils --how union --output all.gpkg
        """)
  }

  @OptionGroup var classes: ClassPairArguments

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

  @OptionGroup var destination: DestinationOptions
  @OptionGroup var checking: CheckingOptions

  func run() throws {
    let overlay = try OverlayRun(
      classes, how, share: share, isUntrusted: checking.untrusted,
      into: destination.newClass.target(besides: classes.store))
    try destination.write(overlay, of: classes.store)
  }
}

extension OverlayPieces: WordArgument {}
