import ArgumentParser

/// The option for the columns of rows that get a further one.
struct SelectionOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The columns to write with the one that is added; * for all, and formulas with a name, as in \
      "population / area AS density".
      """,
      valueName: "col,..."), completion: StoreCompletion.selection)
  var select: [String] = []
}
