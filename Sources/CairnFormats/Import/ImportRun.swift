internal import CairnStorage
internal import CairnValues

/// One import, from opening the files to the last commit.
struct ImportRun {
  let options: ImportOptions
  let className: String
  let sources: [ImportSource]
  /// Names of the coordinate systems that the files are in, where it is not WGS 84.
  let systems: [String]
  let planner: ImportPlanner
  let progress: (ImportProgress) -> Void

  /// - Parameter store: where the class may be; nil: there is none yet.
  init(
    files: [String], store: Store?, options: ImportOptions,
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
    options.spoolDirectory = options.spoolDirectory ?? store.map { Self.folder(of: $0.path) }
    var sources: [ImportSource] = []
    for file in files {
      sources.append(
        try ImportSource(path: file, options: options) { read, total in
          progress(ImportProgress(phase: .unpacking, bytesRead: read, bytesTotal: total, rows: 0))
        })
    }
    self.options = options
    self.className = className
    self.sources = sources
    self.progress = progress
    systems = try Placements(sources).systems()
    let existing = try store.flatMap { (store) throws(ImportError) in
      try ExistingClass(className, in: store, sources)
    }
    planner = ImportPlanner(
      options: options, className: className, existing: existing,
      locationPlace: Self.locationPlace(sources))
    try planner.checkTypes()
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func className(_ file: String) -> String? {
    file == "-" ? nil : ImportSource.className(of: file)
  }

  /// In a class made from CSV or plain JSON, the location stands where the first of its columns stood.
  private static func locationPlace(_ sources: [ImportSource]) -> Int? {
    switch sources.first?.shape {
    case .csv(let layout): layout.location.places.min()
    case .json(_, let layout, _): layout.place
    case .geojson, nil: nil
    }
  }

  /// Sections of each file whose types are taken for those of the whole, until a value says
  /// otherwise.
  private static let sampleSections = 2

  var total: Int64 { sources.reduce(0) { $0 + $1.input.size } }

  /// Reads, stores, and tells what was done.
  func run(into store: Store) throws(ImportError) -> ImportSummary {
    try planned { (plan) throws(ParseStop) in try load(plan, into: store) }
  }

  /// Does something by the types that the files seem to have, and anew where they turn out to have others.
  func planned<R>(_ body: (ImportPlan) throws(ParseStop) -> R) throws(ImportError) -> R {
    do throws(ParseStop) {
      let (sample, isComplete) = try inspect(limit: Self.sampleSections)
      do throws(ParseStop) {
        return try body(plan(sample.findings, isComplete))
      } catch {
        // A later section holds what the first ones did not: with the types of the whole file it
        // goes again.
        guard case .contradiction = error, !isComplete else { throw error }
        return try body(plan(inspect(limit: .max).0.findings, true))
      }
    } catch { throw describe(error) }
  }

  private func plan(_ findings: Findings, _ isComplete: Bool) throws(ParseStop) -> ImportPlan {
    try ParseStop.on { () throws(ImportError) in
      let featureId = findings.featureIdName
      let (findings, idsDiffer) = (findings.withOwnIds, findings.idsDiffer)
      var plan = try planner.plan(findings, isComplete: isComplete)
      plan.featureId = featureId
      plan.notes = fieldNotes(plan, findings, idsDiffer: idsDiffer)
      let limit = isComplete ? Int.max : Self.sampleSections
      if let refusal = refusal(plan, findings, limit: limit) { throw refusal }
      return plan
    }
  }

  func inspect(
    limit: Int, policy: RefusalPolicy? = nil
  ) throws(ParseStop) -> (Inspection, isComplete: Bool) {
    var options = options
    options.onError = policy ?? options.onError
    let run = SectionRun(
      sources: sources, threads: options.threads, sectionSize: options.sectionSize, limit: limit)
    let (sources, required, chosen) = (sources, planner.required, options)
    let (products, isComplete) = try run.run { () throws(ImportError) in
      InferenceWorker(sources, required: required, options: chosen).handle
    } progress: {
      if limit == .max { tell(.inspecting, $0) }
    }
    let start = Inspection(findings: headers)
    return (products.reduce(into: start) { $0.add($1) }, isComplete)
  }

  /// The columns of the CSV files: they are there even when no row is.
  private var headers: Findings {
    sources.reduce(into: Findings()) { findings, source in
      guard case .csv(let layout) = source.shape else { return }
      let columns = layout.properties.map {
        Findings.Column(name: $0.name, evidence: [], isUnnamed: $0.isUnnamed)
      }
      findings.add(Findings(columns: columns, hasAltitude: false))
    }
  }

  func tell(_ phase: ImportProgress.Phase, _ bytes: Int64, rows: Int = 0) {
    progress(ImportProgress(phase: phase, bytesRead: bytes, bytesTotal: total, rows: rows))
  }

  private func load(_ plan: ImportPlan, into store: Store) throws(ParseStop) -> ImportSummary {
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
      var summary = summary(plan, products.reduce(into: RefusalLog()) { $0.add($1.refusals) })
      summary.inserted = stored.inserted
      summary.replaced = stored.replaced
      summary.conflictsSkipped = stored.skipped
      if planner.existing != nil {
        summary.rowsInClass = try? store.snapshot().table(className)?.liveCount
      }
      return summary
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
