import ArgumentParser
import CairnIO
import CairnPostgres
import CairnQuery
import CairnStorage

/// `cairn stats STORE CLASS [PREDICATE] [--of COL,...] [--by COL,...]`
struct StatsCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "stats",
      abstract: "Summarise columns of the matching rows, or count the rows, optionally by group.",
      discussion: """
        Null values are ignored. Without --of, the rows are counted.

        EXAMPLES:
          cairn stats world.cairn cities --of population
          cairn stats world.cairn cities --by country --sort count:desc -n 10
          cairn stats world.cairn quakes --of mag --figures median,p90,stddev
          cairn stats world.cairn quakes --by 'hour(time)' --timezone Europe/Rome
          cairn stats world.cairn quakes --by 'hex(50km)' --output cells.geojson
          cairn stats world.cairn quakes --of mag --histogram
        """)
  }

  @OptionGroup var target: TargetArguments
  @OptionGroup var area: AreaOptions

  @Option(
    help: ArgumentHelp("The columns to summarise.", valueName: "col,..."),
    completion: StoreCompletion.columns(of: "--of"))
  var of: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      The figures of each column: count, sum, min, max, avg (the default), median, stddev, \
      distinct, and percentiles such as p90.
      """,
      valueName: "figure,..."), completion: .list(Figure.names))
  var figures: [String] = []

  @OptionGroup var grouping: GroupingOptions

  @Flag(help: "Show the distribution as bars, or with --by as a small histogram for each group.")
  var histogram = false

  @Option(
    help: ArgumentHelp("The approximate number of bars of --histogram.", valueName: "n"),
    transform: NumberText.count)
  var bins: Int?

  @Option(
    help: "The width of the bars of --histogram: linear, or log (widths grow by a constant factor)."
  )
  var scale: HistogramScaleKind?

  func validate() throws {
    try area.requireRadius()
    if !histogram, bins != nil || scale != nil {
      throw ValidationError("\(bins != nil ? "--bins" : "--scale") needs --histogram")
    }
    if let bins, !(1...1000).contains(bins) {
      throw ValidationError("--bins must be between 1 and 1000, not \(bins)")
    }
    if of.isEmpty, histogram || !figures.isEmpty {
      throw ValidationError("\(histogram ? "--histogram" : "--figures") needs --of COL,...")
    }
  }

  func run() throws {
    guard histogram else {
      return try StatisticsReport.write(
        target, area: area, grouping: grouping, columns: of, figures: Figure.list(figures))
    }
    let source = try OpenedClass(target, area: area, needs: RowNeeds(grouping, of: of))
      .measuring().computing(formulasOf: grouping.by + of)
    let columns = try ColumnList.columns(of, of: source, option: "--of")
    let report = try StatisticsReport(
      source, target: target, area: area, grouping: grouping, columns: columns,
      figures: try Figure.list(figures))
    try report.writeHistogram(bins: bins, scale: scale)
  }
}

extension HistogramScaleKind: WordArgument {}

/// The work of `stats` and of `count --by`.
struct StatisticsReport {
  private let source: OpenedClass
  private let target: TargetArguments
  private let area: AreaOptions
  private let options: GroupingOptions
  private let columns: [ColumnSchema]
  private let figures: [Figure]
  private let format: OutputFormat

  /// - Parameter columns: The columns to summarise; none to only count rows.
  init(
    _ source: OpenedClass, target: TargetArguments, area: AreaOptions, grouping: GroupingOptions,
    columns: [ColumnSchema] = [], figures: [Figure] = Figure.usual
  ) throws {
    self.source = source
    self.target = target
    self.area = try area.resolved(in: source)
    options = grouping
    self.columns = columns
    self.figures = figures
    format = try grouping.outputFormat()
    try source.rejectOutput(to: grouping.target.file.path)
  }

  /// Writes the figures of each group.
  func write() throws {
    if let features = try FeatureGrouping(source, target: target, area: area, grouping: options) {
      var statistics = try Statistics(features, of: columns, figures: figures)
      try statistics.arrange(options)
      return try write(statistics, subject: MapSubject())
    }
    let grouping = try Grouping(options, of: source, geometry: area.geometry)
    let request = try QueryRequest(source, target: target, area: area)
    let statistics = try Statistics(
      request.execution(), of: columns, figures: figures, by: grouping)
    try request.source.requireComputed()
    try write(statistics, request: request)
  }

  /// Writes the figures that a database has computed.
  func write(_ groups: [PostgresSource.FigureGroup], by grouping: Grouping) throws {
    var statistics = Statistics(groups, of: columns, figures: figures, by: grouping)
    try statistics.arrange(options)
    try write(statistics, subject: MapSubject())
  }

  private func write(_ statistics: Statistics, request: QueryRequest) throws {
    var statistics = statistics
    try statistics.arrange(options)
    try write(statistics, subject: request.subject(area))
    if statistics.isEmpty, options.limit != 0 {
      try SwappedCoordinates(area, of: request).printNoteIfMatching()
    }
  }

  private func write(_ statistics: Statistics, subject: MapSubject) throws {
    try statistics.write(
      format, to: options.target.file.path, subject: subject, holding: source.snapshot)
  }

  /// Writes the distribution of each column: as bars, as a small histogram for each group of a table,
  /// or as a row for each bin.
  func writeHistogram(bins: Int?, scale: HistogramScaleKind?) throws {
    let grouping =
      try FeatureGrouping(source, target: target, area: area, grouping: options) == nil
      ? Grouping(options, of: source, geometry: area.geometry) : nil
    guard let grouping, let groups = grouping.columns else {
      throw Failure(.usage, message: "--histogram takes only columns of the class in --by")
    }
    let request = try QueryRequest(source, target: target, area: area)
    let execution = try request.execution()
    let builder = HistogramBuilder(
      execution: execution, binCount: bins ?? (groups.isEmpty ? 12 : 16), kind: scale)
    if !groups.isEmpty, format == .table {
      let statistics = try Statistics(
        execution, of: columns, figures: figures, by: grouping, histograms: builder)
      try request.source.requireComputed()
      return try write(statistics, request: request)
    }
    guard options.sort.isEmpty, options.limit == nil else {
      let option = options.sort.isEmpty ? "--limit" : "--sort"
      throw Failure(.usage, message: "\(option) does not apply to the bars of --histogram")
    }
    let report = try HistogramReport(builder, of: columns, by: groups)
    try request.source.requireComputed()
    try report.write(format, to: options.target.file.path, holding: source.snapshot)
    if report.isEmpty { try SwappedCoordinates(area, of: request).printNoteIfMatching() }
  }
}
