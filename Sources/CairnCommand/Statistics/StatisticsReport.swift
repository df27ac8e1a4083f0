import CairnIO
import CairnQuery
import CairnRequest
import CairnStorage

/// The work of `stats` and of `count --by`.
struct StatisticsReport {
  private var source: OpenedClass
  /// The request with the rows of a database; nil for a store.
  private var fetched: QueryRequest?
  private let arguments: RowArguments
  private let options: GroupingOptions
  private let columns: [ColumnSchema]
  private let figures: [Figure]
  /// The columns that a database has to send, or a file to be read for.
  private let needs: RowNeeds
  private let format: OutputFormat

  /// Opens the class.
  ///
  /// - Parameter names: The columns to summarise; none to only count rows.
  init(
    _ arguments: RowArguments, grouping: GroupingOptions, columns names: [String] = [],
    figures: [Figure] = Figure.usual
  ) throws {
    needs = RowNeeds(grouping, of: names)
    var arguments = arguments
    arguments.reads = needs
    source = try OpenedClass(describing: arguments).measuring()
      .computing(formulasOf: grouping.by + names)
    self.arguments = try arguments.resolved(in: source)
    options = grouping
    columns = try ColumnList.columns(names, of: source, option: "--of")
    self.figures = figures
    format = try grouping.outputFormat()
    try source.rejectOutput(to: grouping.target.file.path)
  }

  /// The report on the rows of a request.
  private func on(_ request: QueryRequest) -> StatisticsReport {
    var report = self
    (report.source, report.fetched) = (request.source, request)
    return report
  }

  /// The request, whose shapes are read now unless they were before.
  private func request() throws -> QueryRequest {
    try fetched ?? QueryRequest(source, arguments)
  }

  /// Writes the figures of each group: those that a database computes, so that no row travels, or those
  /// of the rows.
  func write() throws {
    if source.backend.holdsAllRows { return try writeRows() }
    let request = try request()
    if figures.allSatisfy(Figure.usual.contains),
      let keys = try? Grouping(options, of: source, geometry: arguments.area.geometry),
      let names = keys.columns?.map(\.name),
      let groups = try source.backend.groups(
        by: names, summarising: columns.map(\.name), where: request.condition)
    {
      return try write(groups, by: keys)
    }
    try on(request.fetched(needs)).writeRows()
  }

  private func writeRows() throws {
    if let features = try FeatureGrouping(source, arguments, grouping: options) {
      var statistics = try Statistics(features, of: columns, figures: figures)
      try statistics.arrange(options)
      return try write(statistics, subject: MapSubject())
    }
    let grouping = try Grouping(options, of: source, geometry: arguments.area.geometry)
    let request = try request()
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
    if !source.backend.holdsAllRows, fetched == nil {
      return try on(request().fetched(needs)).writeHistogram(bins: bins, scale: scale)
    }
    let grouping =
      try FeatureGrouping(source, arguments, grouping: options) == nil
      ? Grouping(options, of: source, geometry: arguments.area.geometry) : nil
    guard let grouping, let groups = grouping.columns else {
      throw Failure(.usage, message: "--histogram takes only columns of the class in --by")
    }
    let request = try request()
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
  fileprivate init(_ grouping: GroupingOptions, of columns: [String] = []) {
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
