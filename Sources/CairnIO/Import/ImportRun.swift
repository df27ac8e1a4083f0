internal import CairnQuery
internal import CairnStorage
import CairnSystem
internal import CairnValues

/// One import, from opening the files to the last commit.
struct ImportRun {
  let options: ImportOptions
  let className: String
  let sources: [ImportSource]
  /// The files of folders that are not read.
  private(set) var unopened: UnopenedFiles?
  /// The names of the files' coordinate systems other than WGS 84.
  let systems: [String]
  /// Notes on the files whose datum was assumed, and on those without coordinates.
  let assumptions: [ImportMessage]
  let planner: ImportPlanner
  let cancellation: Cancellation
  let progress: (ImportProgress) -> Void

  /// Opens the files and prepares the import.
  ///
  /// - Parameter store: The store that may have the class; nil if it does not exist yet.
  init(
    files: [String], store: Store?, options: ImportOptions, cancellation: Cancellation,
    progress: @escaping (ImportProgress) -> Void
  ) throws(ImportError) {
    guard let first = files.first else {
      throw ImportError(.usage, message: "no file to import was named")
    }
    guard let className = options.className ?? options.layer ?? Self.className(first) else {
      throw ImportError(
        .usage,
        message: "standard input has no name; "
          + "name the class with \(option: .className, "NAME")")
    }
    guard files.filter({ $0 == "-" }).count <= 1 else {
      throw ImportError(.usage, message: "standard input can be imported only once")
    }
    var found = try ImportFile.all(files, options: options)
    let unopened = UnopenedFiles(of: &found, options: options) { (file) throws(ImportError) in
      try ImportRun(
        [file], into: className, of: store, options: options, cancellation: cancellation,
        progress: { _ in })
    }
    try self.init(
      found, into: className, of: store, options: options, cancellation: cancellation,
      progress: progress)
    self.unopened = unopened
  }

  private init(
    _ files: [ImportFile], into className: String, of store: Store?, options: ImportOptions,
    cancellation: Cancellation, progress: @escaping (ImportProgress) -> Void
  ) throws(ImportError) {
    var options = try options.resolved()
    options.spoolDirectory = options.spoolDirectory ?? store.map { Self.folder(of: $0.path) }
    var sources: [ImportSource] = []
    for file in files {
      sources.append(
        try ImportSource(file, options: options) { (read, total) throws(ImportError) in
          try cancellation.check()
          progress(ImportProgress(phase: .unpacking, bytesRead: read, bytesTotal: total, rows: 0))
        })
    }
    self.options = options
    self.className = className
    self.sources = sources
    self.cancellation = cancellation
    self.progress = progress
    let mappings = CoordinateMappings(sources)
    systems = try mappings.systems()
    let existing = try store.flatMap { (store) throws(ImportError) in
      try ExistingClass(
        className, options: options, in: store, sources: sources)
    }
    planner = ImportPlanner(
      options: options, className: className, existing: existing,
      spatial: Self.spatialSources(sources, options))
    assumptions = try mappings.assumptions() + planner.tableNotes(sources)
    try planner.checkTypes()
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func className(_ file: String) -> String? {
    file == "-" ? nil : ImportSource.className(of: file)
  }

  /// Returns the sources of locations and geometries in the files, with the index of each among the
  /// columns of a class made from CSV or plain JSON: that of its first coordinate column.
  private static func spatialSources(
    _ sources: [ImportSource], _ options: ImportOptions
  ) -> [(source: SpatialSource, index: Int?)] {
    var found: [(source: SpatialSource, index: Int?)] = []
    for (file, source) in sources.enumerated() {
      let own: [(source: SpatialSource, index: Int?)] =
        switch source.content {
        case .csv(let layout): layout.spatialIndexes
        case .json(_, let layout, _): layout.location == .none ? [] : [(.only, layout.firstMember)]
        case .layer(let input):
          input.columns.hasLocations && ImportPlanner.readsLocations(of: input, options)
            ? [(.only, nil)] : []
        case .geojson: [(.only, nil)]
        }
      for (name, index) in own where !found.contains(where: { $0.source == name }) {
        found.append((name, file == 0 ? index : nil))
      }
    }
    return found
  }

  /// The number of blocks of each file whose inferred types are assumed for the whole, until a
  /// value contradicts them.
  private static let sampleBlocks = 2

  var total: Int64 { sources.reduce(0) { $0 + $1.input.size } }

  /// Imports the files and returns a summary.
  func run(into store: Store) throws(ImportError) -> ImportSummary {
    try planned { (plan) throws(ParseAbort) in try load(plan, into: store) }
  }

  /// Calls `pass` with a plan based on the first blocks. If a later value contradicts the inferred
  /// types, infers them from the whole input and calls `pass` again.
  func planned<R>(
    _ pass: (ImportPlan) throws(ParseAbort) -> PassResult<R>
  ) throws(ImportError) -> R {
    do throws(ParseAbort) {
      var (schema, isComplete) = try firstSchema()
      while true {
        let plan: ImportPlan
        do throws(ParseAbort) {
          plan = try self.plan(schema.inferred, isComplete: isComplete)
        } catch {
          // A formula may read a column that only later records have, or fill.
          guard !isComplete, !options.formulas.isEmpty else { throw error }
          (schema, isComplete) = (try inspect(limit: .max).0, true)
          continue
        }
        switch try pass(plan) {
        case .finished(let value): return value
        case .contradicted(let column):
          // The types of the whole input cannot be contradicted, unless a file changes meanwhile.
          if isComplete { throw .contradiction(column: column) }
          schema = try inspect(limit: .max).0
          isComplete = true
        }
      }
    } catch { throw describe(error) }
  }

  /// Infers the types of the first blocks; those of the whole input if the options name a column that
  /// the first blocks do not have.
  func firstSchema() throws(ParseAbort) -> (schema: InferredSchema, isComplete: Bool) {
    try ParseAbort.on { () throws(ImportError) in try checkCoordinates() }
    var (schema, isComplete) = try inspect(limit: Self.sampleBlocks)
    if let name = unknownColumn(schema.inferred) {
      if !isComplete { (schema, isComplete) = (try inspect(limit: .max).0, true) }
      if unknownColumn(schema.inferred) == name {
        throw .failed(planner.unknownColumn(name, of: schema.inferred.withOwnIds))
      }
    }
    return (schema, isComplete)
  }

  /// Plans the columns for inferred types.
  func plan(_ inferred: InferredColumns, isComplete: Bool) throws(ParseAbort) -> ImportPlan {
    try ParseAbort.on { () throws(ImportError) in
      let featureId = inferred.featureIdName
      let idsDiffer = inferred.idsDiffer
      let ignored = ignoredNotes(inferred)
      let all = inferred.withOwnIds
      let inferred = try all.selected(options.selection)
      var plan = try planner.plan(all, isComplete: isComplete)
      plan.featureId = featureId
      plan.notes = fieldNotes(plan, inferred: inferred, idsDiffer: idsDiffer) + ignored
      let limit = isComplete ? Int.max : Self.sampleBlocks
      if let rejection = rejection(plan, inferred: inferred, limit: limit) { throw rejection }
      return plan
    }
  }

  /// Throws if the options drop, rename or compute coordinates.
  private func checkCoordinates() throws(ImportError) {
    let names = sources.flatMap(\.coordinateColumns)
    let changed = options.selection.dropped + options.selection.renamed.keys.sorted()
    if let name = changed.first(where: names.contains) {
      throw ImportError(
        .usage, message: "`\(name)` holds coordinates, which are neither left out nor renamed")
    }
    if let name = options.formulas.map(\.name).first(where: names.contains) {
      throw ImportError(
        .usage,
        message: "\(option: .formulas, name): `\(name)` holds coordinates, which are not computed")
    }
    for formula in options.formulas {
      guard let name = formula.formula.names.sorted().first(where: names.contains) else { continue }
      throw ImportError(
        .usage,
        message: "\(option: .formulas, formula.name): `\(name)` holds coordinates; a formula reads "
          + "them as `location.latitude` and `location.longitude`")
    }
  }

  /// Returns a column that the options name and the files do not have.
  private func unknownColumn(_ inferred: InferredColumns) -> String? {
    let names = inferred.withOwnIds.columns.map(\.name) + sources.flatMap(\.coordinateColumns)
    return options.selection.unknown(among: Set(names))
  }

  func inspect(
    limit: Int, policy: RejectPolicy? = nil
  ) throws(ParseAbort) -> (InferredSchema, isComplete: Bool) {
    let makeWorker = inferenceWorkers(policy)
    let run = BlockRun(
      sources: sources, threads: options.threads, blockSize: options.blockSize, limit: limit,
      cancellation: cancellation)
    let result = try run.run { () throws(ImportError) in
      makeWorker().handle
    } progress: {
      if limit == .max { tell(.inspecting, bytes: $0) }
    }
    switch result {
    case .contradicted(let column): throw .contradiction(column: column)
    case .finished(let (products, isComplete)):
      return (products.reduce(into: InferredSchema(inferred: headers)) { $0.add($1) }, isComplete)
    }
  }

  /// Returns a function that makes a worker that infers the columns of blocks, for use on any thread.
  func inferenceWorkers(
    _ policy: RejectPolicy? = nil
  ) -> @Sendable () -> InferenceWorker {
    var options = options
    options.onError = policy ?? options.onError
    options.types = options.selection.columns(of: options.types)
    let required = Set(planner.required.compactMap { options.selection.column(of: $0) })
    let (sources, chosen, form) = (sources, options, planner.inferenceForm)
    return { InferenceWorker(sources, required: required, form: form, options: chosen) }
  }

  /// The columns of the CSV files and of the layers, which exist even without rows.
  var headers: InferredColumns {
    sources.reduce(into: InferredColumns()) { inferred, source in
      if case .layer(let input) = source.content { inferred.add(input.columns.inferred(options)) }
      guard case .csv(let layout) = source.content else { return }
      let columns = layout.properties.map {
        InferredColumns.Column(name: $0.name, evidence: [], isUnnamed: $0.isUnnamed)
      }
      inferred.add(InferredColumns(columns: columns))
    }
  }

  func tell(_ phase: ImportProgress.Phase, bytes: Int64, rows: Int = 0) {
    progress(ImportProgress(phase: phase, bytesRead: bytes, bytesTotal: total, rows: rows))
  }

  private func load(
    _ plan: ImportPlan, into store: Store
  ) throws(ParseAbort) -> PassResult<ImportSummary> {
    let sieve = try sieve(plan)
    let selection = try selection(plan)
    let load = try ParseAbort.onStore { () throws(StoreError) in
      try RowDestination(store, className: className, plan: plan, options: options)
    }
    do throws(ParseAbort) {
      let products: [LoadWorker.Product]
      switch try fill(load, plan: plan, sieve: sieve, selection) {
      case .finished(let all): products = all
      case .contradicted(let column):
        load.cancel()
        return .contradicted(column: column)
      }
      try ParseAbort.on { () throws(ImportError) in try cancellation.check() }
      tell(.indexing, bytes: total, rows: products.reduce(0) { $0 + $1.rows })
      let stored = try load.finish { repeated($0, positions: $1) }
      var summary = summary(
        plan, rejects: products.reduce(into: RecordLog()) { $0.add($1.rejects) })
      summary.add(stored)
      summary.add(products.map(\.skipped), selection)
      if planner.existing != nil {
        summary.rowsInClass = try? store.snapshot().table(className)?.liveCount
      }
      return .finished(summary)
    } catch {
      load.cancel()
      throw error
    }
  }

  /// Prepares the removal of rows, which starts afresh with each pass.
  func sieve(_ plan: ImportPlan) throws(ParseAbort) -> RowSieve {
    let table = try ParseAbort.on { () throws(ImportError) in try planner.existing?.table() }
    return try ParseAbort.on { () throws(ImportError) in
      try RowSieve(options, plan: plan, table: table)
    }
  }

  /// The number of threads that read rows: one if their order matters.
  private var threads: Int { options.spacing == nil ? options.threads : 1 }

  private func fill(
    _ load: RowDestination, plan: ImportPlan, sieve: RowSieve, _ selection: RowSelection
  ) throws(ParseAbort) -> PassResult<[LoadWorker.Product]> {
    let run = BlockRun(
      sources: sources, threads: threads, blockSize: options.blockSize, selection: selection,
      cancellation: cancellation)
    let rows = Mutex(0)
    return try run.run { [sources] () throws(ImportError) in
      LoadWorker(sources, plan: plan, sieve: sieve, load: load, rows: rows).handle
    } progress: { bytes in
      tell(.importing, bytes: bytes, rows: rows.withLock { $0 })
    }.map { (result) throws(ParseAbort) in result.products }
  }
}

// A dry run.
extension ImportRun {
  /// Reads everything, stores nothing, and returns the result that an import would have.
  func preview() throws(ImportError) -> ImportPreview {
    try planned { (plan) throws(ParseAbort) in
      let sieve = try sieve(plan)
      let selection = try selection(plan)
      let run = BlockRun(
        sources: sources, threads: threads, blockSize: options.blockSize, selection: selection,
        cancellation: cancellation)
      return try run.run { [sources] () throws(ImportError) in
        PreviewWorker(sources, plan: plan, sieve: sieve).handle
      } progress: {
        tell(.inspecting, bytes: $0)
      }.map { (result) throws(ParseAbort) in
        preview(plan, products: result.products, selection)
      }
    }
  }

  private func preview(
    _ plan: ImportPlan, products: [PreviewWorker.Product], _ selection: RowSelection
  ) -> ImportPreview {
    let columns = plan.storedColumns
    var digests = columns.map { _ in ColumnDigest() }
    for product in products {
      for index in digests.indices { digests[index].add(product.columns[index]) }
    }
    var preview = ImportPreview()
    preview.summary = summary(
      plan, rejects: products.reduce(into: RecordLog()) { $0.add($1.rejects) })
    preview.summary.inserted = products.reduce(0) { $0 + $1.rows }
    preview.summary.add(products.map(\.skipped), selection)
    preview.extendsClass = planner.existing != nil
    preview.firstRows = Array(products.flatMap(\.firstRows).prefix(PreviewWorker.shownRows))
    preview.columns = columns.indices.map { index in
      let column = columns[index]
      return ImportPreview.Column(
        name: column.name, type: column.storedType, isKey: index == plan.primaryKey,
        isIndexed: isIndexed(column.name), isFullText: isFullText(column.name),
        nulls: digests[index].nulls,
        least: digests[index].least, most: digests[index].most)
    }
    return preview
  }

  private func isFullText(_ name: String) -> Bool {
    planner.existing?.schema.column(named: name).map(\.isFullText)
      ?? options.fullText.contains(name)
  }

  private func isIndexed(_ name: String) -> Bool {
    planner.existing?.schema.column(named: name).map(\.isIndexed) ?? options.indexed.contains(name)
  }
}
