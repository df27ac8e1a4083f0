internal import CairnStorage

// What would be made.
extension ImportRun {
  /// Reads everything, stores nothing, and tells what an import would make.
  func preview() throws(ImportError) -> ImportPreview {
    try planned { (plan) throws(ParseStop) in
      let run = SectionRun(
        sources: sources, threads: options.threads, sectionSize: options.sectionSize)
      let products = try run.run { [sources] () throws(ImportError) in
        PreviewWorker(sources, plan: plan).handle
      } progress: {
        tell(.inspecting, $0)
      }.products
      return preview(plan, products)
    }
  }

  private func preview(_ plan: ImportPlan, _ products: [PreviewWorker.Product]) -> ImportPreview {
    var digests = plan.columns.map { _ in ColumnDigest() }
    for product in products {
      for place in digests.indices { digests[place].add(product.columns[place]) }
    }
    var preview = ImportPreview()
    preview.summary = summary(
      plan, products.reduce(into: RefusalLog()) { $0.add($1.refusals) })
    preview.summary.inserted = products.reduce(0) { $0 + $1.rows }
    preview.extendsClass = planner.existing != nil
    preview.firstRows = Array(products.flatMap(\.firstRows).prefix(PreviewWorker.shownRows))
    preview.columns = plan.columns.indices.map { place in
      let column = plan.columns[place]
      return ImportPreview.Column(
        name: column.name, type: column.valueType, isKey: place == plan.primaryKey,
        isIndexed: isIndexed(column.name), nulls: digests[place].nulls,
        least: digests[place].least, most: digests[place].most)
    }
    return preview
  }

  private func isIndexed(_ name: String) -> Bool {
    planner.existing?.schema.column(named: name).map(\.isIndexed) ?? options.indexed.contains(name)
  }
}
