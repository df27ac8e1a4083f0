import ArgumentParser
import CairnIO
import CairnMaps
import CairnValues

/// The options for the rows on a map.
struct PictureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Colour the rows of an SVG or HTML map by this column: numbers and dates in steps, texts each.",
      valueName: "col"), completion: StoreCompletion.columns(of: "--colour-by"))
  var colourBy: String?

  @Option(
    help: ArgumentHelp(
      "Draw the points of an SVG or HTML map in sizes by this column of numbers.",
      valueName: "col"), completion: StoreCompletion.columns(of: "--size-by"))
  var sizeBy: String?

  /// The columns that the map shows, with their options.
  var columns: [(option: String, name: String)] {
    [("--colour-by", colourBy), ("--size-by", sizeBy)].compactMap { option, name in
      name.map { (option, $0) }
    }
  }

  /// - Throws: A usage failure if another format is given these options, or a column that it cannot
  ///   show.
  func check(_ format: OutputFormat, columns chosen: [OutputColumn]) throws {
    for (option, name) in columns {
      guard format == .svg || format == .html else {
        throw Failure(.usage, message: "\(option) applies only to the formats svg and html")
      }
      guard let column = chosen.first(where: { $0.name == name }), !column.isSpatial else {
        throw Failure(.usage, message: "\(option) takes one column of numbers, dates or texts")
      }
      if option == "--size-by", !column.isQuantity || column.type == .date {
        throw Failure(.usage, message: "--size-by takes a column of numbers; '\(name)' has none")
      }
    }
  }
}
