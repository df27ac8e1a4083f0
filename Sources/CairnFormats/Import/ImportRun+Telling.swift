internal import CairnStorage

// What is told.
extension ImportRun {
  func summary(_ plan: ImportPlan, _ refusals: RefusalLog) -> ImportSummary {
    var summary = ImportSummary()
    summary.className = className
    summary.columns = plan.columns.map { .init(name: $0.name, type: $0.valueType) }
    summary.refused = refusals.count
    summary.refusals = describe(refusals.first)
    summary.refusedByReason = refusals.reasons
    summary.bytes = total
    summary.systems = systems
    summary.notes = notes(plan) + plan.notes
    summary.widened = plan.changes.map(\.text)
    return summary
  }

  /// What was made of the headers.
  private func notes(_ plan: ImportPlan) -> [String] {
    sources.flatMap { source -> [String] in
      guard case .csv(let layout) = source.shape else { return [] }
      let unnamed = layout.properties.filter { $0.isUnnamed && plan.index(of: $0.name) != nil }
      return layout.notes
        + unnamed.map {
          "\(source.input.name):1: column \($0.place + 1) has no name, and becomes `\($0.name)`"
        }
    }
  }

  /// Notes on values that another option would read otherwise.
  func fieldNotes(
    _ plan: ImportPlan, _ findings: Findings, idsDiffer: Bool
  ) -> [String] {
    var notes: [String] = []
    if idsDiffer {
      notes.append(
        "Features have an `id` of their own that differs from their property `id`: it becomes `\(plan.featureId)`"
      )
    }
    if findings.hasFurtherNumbers {
      notes.append("positions have more than three numbers: those behind the altitude are ignored")
    }
    for planned in plan.columns where planned.content == .field(.text) {
      guard plan.forcedTypes[planned.name] == nil, let column = findings.column(planned.name),
        let first = column.suspects.first,
        ![.text, .unknown].contains(column.evidence.subtracting(.suspect).type)
      else { continue }
      let words = column.suspects.map(\.word)
      let place = describe(
        [Refusal(place: first.place, reason: "", detail: "`\(column.name)` is text")]
      ).joined()
      let shown = words.map { "`\($0)`" }.joined(separator: " and ")
      notes.append(
        "\(place) because of \(shown); `--null \(NullWords.shellText(words))` makes \(words.count > 1 ? "them" : "it") null"
      )
    }
    if let note = timeZoneNote(plan, findings) { notes.append(note) }
    return notes
  }

  private func timeZoneNote(_ plan: ImportPlan, _ findings: Findings) -> String? {
    guard !options.hasTimeZone else { return nil }
    let names = plan.columns.filter {
      $0.content == .field(.date) && findings.evidence($0.name)?.contains(.localDate) == true
    }.map { "`\($0.name)`" }
    guard !names.isEmpty else { return nil }
    let have = names.count > 1 ? "have no time zone and are" : "has no time zone and is"
    return "\(names.joined(separator: ", ")) \(have) read as UTC; `--timezone` names another"
  }

  /// Counts all geometries that are no points, when one of them has ended the import.
  private func shapes(like refusal: Refusal) -> String {
    guard ShapeReader.type(ofReason: refusal.reason) != nil,
      let (whole, _) = try? inspect(limit: .max, policy: .skip)
    else { return "" }
    let types = whole.refusals.reasons.compactMap { reason, count in
      ShapeReader.type(ofReason: reason).map { "\(count) \($0)" }
    }
    let total = whole.rows + whole.refusals.count
    return "; of \(total) in all, these are no points: \(types.joined(separator: ", "))"
  }

  /// `FILE:LINE: reason` of each.
  func describe(_ refusals: [Refusal]) -> [String] {
    var texts: [String] = []
    for (file, source) in sources.enumerated() {
      let own = refusals.filter { $0.place.file == file }
      let lines = source.input.lines(of: own.map(\.place.offset), lineEnd: source.lineEnd)
      texts += zip(own, lines).map { "\(source.input.name):\($1): \($0.detail)" }
    }
    return texts
  }

  func describe(_ stop: ParseStop) -> ImportError {
    switch stop {
    case .failed(let error): error
    case .refused(let refusal):
      ImportError(
        .data,
        "\(describe([refusal]).joined())\(shapes(like: refusal)); `--on-error skip` leaves such rows out"
      )
    case .contradiction(let column):
      ImportError(.data, "the values of `\(column)` changed while the files were read")
    }
  }
}

extension Widening.Change {
  /// `population: int -> double`
  fileprivate var text: String {
    switch self {
    case .added(let name, let type): "\(name): new, \(type)?"
    case .retyped(let name, let old, let new): "\(name): \(old) -> \(new)"
    case .optional(let name, let type): "\(name): \(type) -> \(type)?"
    }
  }
}
