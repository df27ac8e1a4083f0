import CairnIO
import CairnQuery
import CairnRequest
import CairnStorage

/// The work of `stats` and of `count --by`.
struct StatisticsReport {
  private let source: OpenedClass
  private let arguments: RowArguments
  private let options: GroupingOptions
  private let columns: [ColumnSchema]
  private let figures: [Figure]
  private let format: OutputFormat

  /// - Parameter columns: The columns to summarise; none to only count rows.
  init(
    _ source: OpenedClass, _ arguments: RowArguments, grouping: GroupingOptions,
    columns: [ColumnSchema] = [], figures: [Figure] = Figure.usual
  ) throws {
    self.source = source
    self.arguments = try arguments.resolved(in: source)
    options = grouping
    self.columns = columns
    self.figures = figures
    format = try grouping.outputFormat()
    try source.rejectOutput(to: grouping.target.file.path)
  }

  /// Opens a class, and writes the figures of each group: those that its source computes, so that no row
  /// travels, or those of its rows.
  ///
  /// - Parameter columns: The names of the columns to summarise.
  static func write(
    _ arguments: RowArguments, grouping: GroupingOptions, columns names: [String] = [],
    figures: [Figure] = Figure.usual
  ) throws {
    let described = try OpenedClass(describing: arguments).measuring()
      .computing(formulasOf: grouping.by + names)
    let columns = try ColumnList.columns(names, of: described, option: "--of")
    func report(_ source: OpenedClass) throws -> StatisticsReport {
      try StatisticsReport(
        source, arguments, grouping: grouping, columns: columns, figures: figures)
    }
    if !described.backend.holdsAllRows, figures.allSatisfy(Figure.usual.contains),
      let keys = try? Grouping(grouping, of: described, geometry: arguments.area.geometry),
      let names = keys.columns?.map(\.name),
      let groups = try described.backend.groups(
        by: names, summarising: columns.map(\.name),
        where: QueryRequest(described, arguments).condition)
    {
      return try report(described).write(groups, by: keys)
    }
    try report(described.selected(arguments, RowNeeds(grouping, of: names))).write()
  }

  /// Writes the figures of each group.
  private func write() throws {
    if let features = try FeatureGrouping(source, arguments, grouping: options) {
      var statistics = try Statistics(features, of: columns, figures: figures)
      try statistics.arrange(options)
      return try write(statistics, subject: MapSubject())
    }
    let grouping = try Grouping(options, of: source, geometry: arguments.area.geometry)
    let request = try QueryRequest(source, arguments)
    let statistics = try Statistics(
      request.execution(), of: columns, figures: figures, by: grouping)
    try request.source.requireComputed()
    try write(statistics, request: request)
  }

  /// Writes the figures that a database has computed.
  private func write(_ groups: [Group], by grouping: Grouping) throws {
    var statistics = Statistics(groups, of: columns, figures: figures, by: grouping)
    try statistics.arrange(options)
    try write(statistics, subject: MapSubject())
  }

  private func write(_ statistics: Statistics, request: QueryRequest) throws {
    var statistics = statistics
    try statistics.arrange(options)
    try write(statistics, subject: request.subject)
    if statistics.isEmpty, options.limit != 0 {
      try SwappedCoordinates(of: request).printNoteIfMatching()
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
      try FeatureGrouping(source, arguments, grouping: options) == nil
      ? Grouping(options, of: source, geometry: arguments.area.geometry) : nil
    guard let grouping, let groups = grouping.columns else {
      throw Failure(.usage, message: "--histogram takes only columns of the class in --by")
    }
    let request = try QueryRequest(source, arguments)
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
    if report.isEmpty { try SwappedCoordinates(of: request).printNoteIfMatching() }
  }
}

extension RowNeeds {
  /// The needs of `stats`, and of `count --by`.
  init(_ grouping: GroupingOptions, of columns: [String] = []) {
    // Groups by location or by the features of a file name no location.
    needsLocation = !grouping.by.isEmpty
    texts = grouping.by + columns
  }
}

extension Grouping {
  /// The keys of `--by`.
  init(_ options: GroupingOptions, of source: OpenedClass, geometry: String?) throws {
    try self.init(
      options.by, in: options.timezone?.rules, of: source, geometry: geometry)
  }
}
