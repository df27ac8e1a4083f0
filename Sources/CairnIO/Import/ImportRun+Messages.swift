internal import CairnStorage
internal import CairnValues

// Summaries, notes and messages.
extension ImportRun {
  func summary(_ plan: ImportPlan, rejects: RecordLog) -> ImportSummary {
    var summary = ImportSummary()
    summary.className = className
    summary.updateKey = options.updateKey
    summary.columns = plan.storedColumns.map { .init(name: $0.name, type: $0.storedType) }
    summary.rejected = rejects.count
    summary.rejects = describe(rejects.first)
    summary.rejectedByReason = rejects.reasons.map { ($0.reason.text, $0.count) }
    summary.bytes = total
    summary.systems = systems
    summary.notes =
      assumptions + notes(plan) + plan.notes + layerNotes + rejects.changes.notes
      + (unopened?.notes ?? [])
    summary.widened = plan.changes.map(\.text)
    return summary
  }

  /// Notes on changes to the names of the headers.
  private func notes(_ plan: ImportPlan) -> [ImportMessage] {
    sources.flatMap { source -> [ImportMessage] in
      guard case .csv(let layout) = source.content else { return [] }
      let unnamed = layout.properties.filter { $0.isUnnamed && plan.index(of: $0.name) != nil }
      return layout.notes.map { ImportMessage($0) }
        + unnamed.map {
          "\(source.input.name):1: column \($0.index + 1) has no name and becomes `\($0.name)`"
        }
    }
  }

  /// Notes on the layers; of the files of a folder, on the first that has some.
  private var layerNotes: [ImportMessage] {
    var folders: Set<String> = []
    return sources.flatMap { source -> [ImportMessage] in
      guard case .layer(let input) = source.content else { return [] }
      let notes = input.notes(options)
      guard !notes.isEmpty, let folder = source.folder else { return notes }
      return folders.insert(folder).inserted ? notes : []
    }
  }

  /// Notes on values that another option would read differently.
  func fieldNotes(
    _ plan: ImportPlan, inferred: InferredColumns, idsDiffer: Bool
  ) -> [ImportMessage] {
    var notes: [ImportMessage] = []
    if idsDiffer {
      notes.append(
        "Features have an `id` of their own that differs from their property `id`; "
          + "it becomes `\(plan.featureId)`"
      )
    }
    if inferred.hasFurtherNumbers {
      notes.append("positions have more than three numbers; those after the altitude are ignored")
    }
    notes += otherDateNotes(plan, inferred: inferred)
    for planned in plan.columns where planned.content == .field(.text) {
      guard plan.forcedTypes[planned.name] == nil, let column = inferred.column(planned.name),
        ![.text, .unknown].contains(column.evidence.subtracting([.suspect, .hugeInt]).type)
      else { continue }
      let isNumber = { (word: SuspectWord) in FieldEvidence.isHugeInt(word.word.utf8) }
      notes += textNote(column.name, because: column.suspects.filter(isNumber)) { _ in
        "; \(option: .types, "\(column.name)=\(FieldType.decimal.valueType)") reads integers beyond 64 bits"
      }
      notes += textNote(column.name, because: column.suspects.filter { !isNumber($0) }) { words in
        "; \(option: .nulls, words.joined(separator: ",")) makes \(words.count > 1 ? "them" : "it") null"
      }
    }
    if let note = timeZoneNote(plan, inferred: inferred) { notes.append(note) }
    return notes
  }

  /// Notes on text columns all of whose values are dates in another form.
  private func otherDateNotes(
    _ plan: ImportPlan, inferred: InferredColumns
  ) -> [ImportMessage] {
    func names(_ evidence: FieldEvidence) -> String {
      plan.columns.filter {
        $0.content == .field(.text) && plan.forcedTypes[$0.name] == nil
          && inferred.evidence($0.name) == evidence
      }.map { "`\($0.name)`" }.joined(separator: ", ")
    }
    var notes: [ImportMessage] = []
    let (dotted, slashed) = (names(.dottedDate), names(.slashedDate))
    if !dotted.isEmpty {
      notes.append("\(dotted) is text; \(option: .dateFormat, "%d.%m.%Y") reads its dates")
    }
    if !slashed.isEmpty {
      notes.append(
        "\(slashed) is text; \(option: .dateFormat, "%d/%m/%Y") reads its dates, or with the month "
          + "first \(option: .dateFormat, "%m/%d/%Y")")
    }
    return notes
  }

  /// A note on a column that some values make text, with advice; none without such values.
  private func textNote(
    _ name: String, because suspects: [SuspectWord], advice: ([String]) -> ImportMessage
  ) -> [ImportMessage] {
    guard let first = suspects.first else { return [] }
    let words = suspects.map(\.word)
    let isText = RejectedRecord(
      position: first.position, reason: "", detail: "`\(name)` is text")
    let shown = words.map { "`\($0)`" }.joined(separator: " and ")
    return describe([isText]).map { "\($0.text) because of \(shown)\(advice(words))" }
  }

  /// A note on the columns that a declared class has no property for.
  func ignoredNotes(_ inferred: InferredColumns) -> [ImportMessage] {
    guard options.declaredClass != nil else { return [] }
    let selection = options.selection
    var names = inferred.withoutBlanks.columns.map(\.name).filter { name in
      (selection.kept?.contains(name) ?? true) && !selection.dropped.contains(name)
        && !selection.isKept(name)
    }
    if planner.ignoresAltitude, inferred.hasAltitude { names.append("altitude") }
    guard !names.isEmpty else { return [] }
    let list = names.map { "`\($0)`" }.joined(separator: ", ")
    let fate = names.count == 1 ? "it is" : "they are"
    return ["the class \(className) has no property for \(list); \(fate) left out"]
  }

  private func timeZoneNote(_ plan: ImportPlan, inferred: InferredColumns) -> ImportMessage? {
    guard options.timeZone == nil else { return nil }
    let names = plan.columns.filter {
      $0.content == .field(.date) && inferred.evidence($0.name)?.contains(.localDate) == true
    }.map { "`\($0.name)`" }
    guard !names.isEmpty else { return nil }
    let have = names.count > 1 ? "have no time zone and are" : "has no time zone and is"
    return
      "\(names.joined(separator: ", ")) \(have) read as UTC; \(option: .timeZone) names another"
  }

  /// Counts all geometries that are not points, after one of them has aborted the import.
  private func geometryCounts(like rejection: RejectedRecord) -> String {
    guard case .geometryType = rejection.reason,
      let (whole, _) = try? inspect(limit: .max, policy: .skip)
    else { return "" }
    let types = whole.rejects.reasons.compactMap { reason, count in
      if case .geometryType(let type) = reason { "\(count) \(type)" } else { nil }
    }
    let total = whole.rows + whole.rejects.count
    guard !types.isEmpty else { return "" }
    return "; of \(total) in all, these are not points: \(types.joined(separator: ", "))"
  }

  /// Locates records in their files; the rows of a layer have no lines, but numbers.
  func describe(_ rejects: [RejectedRecord]) -> [RejectedRow] {
    var rows: [RejectedRow] = []
    for (file, source) in sources.enumerated() {
      let own = rejects.filter { $0.position.file == file }
      if case .layer(let input) = source.content {
        rows += own.map {
          RejectedRow($0, file: input.name, line: nil, feature: Int($0.position.offset) + 1)
        }
        continue
      }
      let lines = source.input.lines(of: own.map(\.position.offset), lineEnd: source.lineEnd)
      rows += zip(own, lines).map {
        RejectedRow($0, file: source.input.name, line: $1, feature: nil)
      }
    }
    return rows
  }

  func describe(_ stop: ParseAbort) -> ImportError {
    switch stop {
    case .failed(let error): error
    case .unstorable(let record): unstorable(record)
    case .rejected(let rejection): error(of: rejection, counts: geometryCounts(like: rejection))
    case .contradiction(let column):
      ImportError(.data, message: "the values of `\(column)` changed while the files were read")
    }
  }

  /// The error for two records with the same value of the property that rows are found by.
  func repeated(_ value: Value, positions: [InputPosition]) -> ImportError {
    let detail = ImportMessage("`\(options.updateKey ?? "")` is \(value.plainText)")
    let rows = describe(
      positions.map { RejectedRecord(position: $0, reason: "", detail: detail) })
    return ImportError(
      .data,
      message:
        "\(ImportMessage.joined(rows.map(\.text), separator: ", and ")); a value may occur once")
  }

  private func unstorable(_ record: RejectedRecord) -> ImportError {
    let row = describe([record]).first
    return ImportError(.data, message: row?.text ?? record.detail, row: row)
  }

  /// The error for a record that cannot be stored.
  ///
  /// - Parameter counts: The numbers of such records, as text.
  func error(of rejection: RejectedRecord, counts: String = "") -> ImportError {
    let row = describe([rejection]).first
    let text = row?.text ?? rejection.detail
    return ImportError(
      .data,
      message: "\(text)\(counts); "
        + "\(option: .onError, "skip") leaves such rows out", row: row)
  }
}

extension Widening.Change {
  /// The change as text, such as `population: int -> double`.
  var text: String {
    switch self {
    case .added(let name, let type): "\(name): new, \(type)?"
    case .retyped(let name, let old, let new): "\(name): \(old) -> \(new)"
    case .optional(let name, let type): "\(name): \(type) -> \(type)?"
    }
  }
}
