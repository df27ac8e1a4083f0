internal import CairnStorage
internal import CairnValues

/// One import, from opening the files to the last commit.
struct ImportRun {
  private let store: Store
  private let options: ImportOptions
  private let className: String
  private let sources: [ImportSource]
  /// Names of the coordinate systems that the files are in, where it is not WGS 84.
  private let systems: [String]
  private let planner: ImportPlanner
  private let progress: (ImportProgress) -> Void

  init(
    files: [String], store: Store, options: ImportOptions,
    progress: @escaping (ImportProgress) -> Void
  ) throws(ImportError) {
    guard let first = files.first else { throw ImportError(.usage, "there is no file to import") }
    guard let className = options.className ?? Self.className(first) else {
      throw ImportError(.usage, "standard input has no name: name the class with `--class NAME`")
    }
    guard files.filter({ $0 == "-" }).count <= 1 else {
      throw ImportError(.usage, "standard input can be imported once, not twice")
    }
    var options = options
    options.spoolDirectory = options.spoolDirectory ?? Self.folder(of: store.path)
    var sources: [ImportSource] = []
    for file in files { sources.append(try ImportSource(path: file, options: options)) }
    self.store = store
    self.options = options
    self.className = className
    self.sources = sources
    self.progress = progress
    systems = try Placements(sources).systems()
    let existing = try Self.existing(className, store)
    planner = ImportPlanner(
      options: options, className: className, existing: existing,
      locationPlace: Self.locationPlace(sources))
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func className(_ file: String) -> String? {
    file == "-" ? nil : ImportSource.className(of: file)
  }

  private static func existing(_ name: String, _ store: Store) throws(ImportError) -> TableSchema? {
    do throws(StoreError) {
      return try store.snapshot().schema.table(named: name)
    } catch { throw ImportError(error) }
  }

  /// In a class made from CSV, the location stands where the first of its columns stood.
  private static func locationPlace(_ sources: [ImportSource]) -> Int? {
    guard case .csv(let layout)? = sources.first?.shape else { return nil }
    return min(layout.latitude, layout.longitude)
  }

  /// Sections of each file whose types are taken for those of the whole, until a value says
  /// otherwise.
  private static let sampleSections = 2

  private var total: Int64 { sources.reduce(0) { $0 + $1.input.size } }

  /// Reads, stores, and tells what was done.
  func run() throws(ImportError) -> ImportSummary {
    do throws(ParseStop) {
      var (findings, isComplete) = try inspect(limit: Self.sampleSections)
      do throws(ParseStop) {
        return try load(findings, isComplete)
      } catch {
        // A later section holds what the first ones did not: with the types of the whole file it
        // goes again.
        guard case .contradiction = error, !isComplete else { throw error }
        (findings, isComplete) = try inspect(limit: .max)
        return try load(findings, isComplete)
      }
    } catch { throw describe(error) }
  }

  private func inspect(limit: Int) throws(ParseStop) -> (Findings, isComplete: Bool) {
    let run = SectionRun(
      sources: sources, threads: options.threads, sectionSize: options.sectionSize, limit: limit)
    let (sources, required, policy) = (sources, planner.required, options.onError)
    let (products, isComplete) = try run.run { () throws(ImportError) in
      InferenceWorker(sources, required: required, policy: policy).handle
    } progress: {
      if limit == .max { tell(.inspecting, $0) }
    }
    return (products.reduce(into: headers) { $0.add($1) }, isComplete)
  }

  /// The columns of the CSV files: they are there even when no row is.
  private var headers: Findings {
    sources.reduce(into: Findings()) { findings, source in
      guard case .csv(let layout) = source.shape else { return }
      let columns = layout.properties.map { Findings.Column(name: $0.name, evidence: []) }
      findings.add(Findings(columns: columns, hasAltitude: false))
    }
  }

  private func tell(_ phase: ImportProgress.Phase, _ bytes: Int64, rows: Int = 0) {
    progress(ImportProgress(phase: phase, bytesRead: bytes, bytesTotal: total, rows: rows))
  }

  private func load(_ findings: Findings, _ isComplete: Bool) throws(ParseStop) -> ImportSummary {
    let plan = try ParseStop.on { () throws(ImportError) in
      try planner.plan(findings, isComplete: isComplete)
    }
    let load = try ParseStop.onStore { () throws(StoreError) in
      try BulkLoad(
        store: store, table: className, columns: plan.bulkColumns, location: plan.location,
        primaryKey: plan.primaryKey, indexed: options.indexed.compactMap { plan.index(of: $0) },
        onConflict: options.onConflict)
    }
    do throws(ParseStop) {
      let products = try fill(load, plan)
      tell(.indexing, total, rows: products.reduce(0) { $0 + $1.rows })
      let stored = try ParseStop.onStore { () throws(StoreError) in try load.finish() }
      return summary(plan, stored, products)
    } catch {
      load.cancel()
      throw error
    }
  }

  private func fill(_ load: BulkLoad, _ plan: ImportPlan) throws(ParseStop) -> [LoadWorker.Product]
  {
    let run = SectionRun(
      sources: sources, threads: options.threads, sectionSize: options.sectionSize)
    let rows = Mutex(0)
    return try run.run { [sources] () throws(ImportError) in
      LoadWorker(sources, plan: plan, load: load, rows: rows).handle
    } progress: { bytes in
      tell(.importing, bytes, rows: rows.withLock { $0 })
    }.products
  }
}

// What is told.
extension ImportRun {
  private func summary(
    _ plan: ImportPlan, _ stored: BulkSummary, _ products: [LoadWorker.Product]
  ) -> ImportSummary {
    let refusals = products.reduce(into: RefusalLog()) { $0.add($1.refusals) }
    var summary = ImportSummary()
    summary.className = className
    summary.columns = plan.columns.map { .init(name: $0.name, type: $0.valueType) }
    summary.inserted = stored.inserted
    summary.replaced = stored.replaced
    summary.conflictsSkipped = stored.skipped
    summary.refused = refusals.count
    summary.refusals = describe(refusals.first)
    summary.refusedByReason = refusals.byReason.map { (reason: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
    summary.bytes = total
    summary.systems = systems
    return summary
  }

  /// `FILE:LINE: reason` of each.
  private func describe(_ refusals: [Refusal]) -> [String] {
    var texts: [String] = []
    for (file, source) in sources.enumerated() {
      let own = refusals.filter { $0.place.file == file }
      let lines = source.input.lines(of: own.map(\.place.offset))
      texts += zip(own, lines).map { "\(source.input.name):\($1): \($0.detail)" }
    }
    return texts
  }

  private func describe(_ stop: ParseStop) -> ImportError {
    switch stop {
    case .failed(let error): error
    case .refused(let refusal):
      ImportError(
        .data, "\(describe([refusal]).joined()); `--on-error skip` leaves such rows out")
    case .contradiction(let column):
      ImportError(.data, "the values of `\(column)` changed while the files were read")
    }
  }
}
