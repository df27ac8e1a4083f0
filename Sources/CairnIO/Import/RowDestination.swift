internal import CairnStorage
internal import CairnValues

/// The way in which an import stores its rows.
enum RowDestination: Sendable {
  /// Columns, written in bulk.
  case columns(BulkLoad)
  /// Objects, inserted one by one, because they have links or embedded objects.
  case objects(ObjectLoad)
  /// Changes to rows of the class.
  case updates(UpdateLoad)

  /// Prepares the way that a plan needs.
  init(
    _ store: Store, className: String, plan: ImportPlan, options: ImportOptions
  ) throws(StoreError) {
    if let key = options.updateKey {
      self = .updates(
        UpdateLoad(store, className: className, plan: plan, key: key, options: options))
    } else if plan.columns.contains(where: { $0.nested?.isLink == true }) {
      self = .objects(ObjectLoad(store, className: className, plan: plan, options: options))
    } else {
      self = .columns(
        try BulkLoad(
          store: store, table: className, columns: plan.bulkColumns, location: plan.location,
          primaryKey: plan.primaryKey, indexed: options.indexed.compactMap { plan.index(of: $0) },
          fullText: options.fullText.compactMap { plan.index(of: $0) },
          onConflict: options.onConflict.load, classes: options.programClasses))
    }
  }

  /// Whether a batch must not change after it was added.
  var keepsBatches: Bool {
    if case .columns = self { false } else { true }
  }

  /// Adds the rows of a block.
  func add(_ batch: ColumnBatch, of block: InputBlock) throws(ParseAbort) {
    switch self {
    case .columns(let load):
      let hasPositions = batch.columns.count > load.propertyCount
      let rows =
        hasPositions ? ColumnBatch(filled: Array(batch.columns.prefix(load.propertyCount))) : batch
      try ParseAbort.onStore { () throws(StoreError) in try load.add(rows, number: block.number) }
    case .objects(let load): load.add(batch, of: block)
    case .updates(let load): load.add(batch, of: block)
    }
  }

  /// Stores all rows in one commit, or none.
  ///
  /// - Parameter repeated: Returns the error for two records with the same value of the property that
  ///   rows are found by.
  func finish(
    repeated: (Value, [InputPosition]) -> ImportError
  ) throws(ParseAbort) -> BulkSummary {
    switch self {
    case .columns(let load):
      try ParseAbort.onStore { () throws(StoreError) in try load.finish() }
    case .objects(let load): try load.finish()
    case .updates(let load): try load.finish(repeated: repeated)
    }
  }

  /// Ends the load without changing the store.
  func cancel() {
    switch self {
    case .columns(let load): load.cancel()
    case .objects(let load): load.cancel()
    case .updates(let load): load.cancel()
    }
  }
}
