import CairnQuery
import CairnStorage
import CairnValues

extension OpenedClass {
  /// The columns that `--search` searches: those with a full-text index.
  var searchedPaths: [PropertyPath] {
    schema.properties.filter(\.isFullText).map { PropertyPath($0.name) }
  }

  /// The condition of `--search`: a column with a full-text index matches the search.
  ///
  /// - Throws: A usage failure with the remedy if no column has such an index.
  func search(_ words: String) throws -> Predicate {
    let columns = schema.properties.filter(\.isFullText)
    guard !columns.isEmpty else {
      let texts = schema.properties.filter { $0.type == .string && $0.collection == .none }
      let example = texts.first?.name ?? "COLUMN"
      throw Failure(
        .badData,
        message: "--search: no column of '\(schema.name)' has a full-text index; "
          + (texts.isEmpty
            ? "it has no texts"
            : remote != nil
              ? "search a column of a database with the condition \"\(example) TEXT '…'\""
              : "make one with 'cairn index STORE \(schema.name) \(example) --full-text', "
                + "or search without one: \"\(example) TEXT '…'\""))
    }
    return Predicate(
      .any(
        columns.map {
          .match(.path(PropertyPath($0.name)), .search, .value(.string(words)), [])
        }))
  }
}
