import ArgumentParser
import CairnRequest
import CairnStorage

/// `cairn drop STORE CLASS`
struct DropCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "drop",
      abstract: "Remove a class with all its rows.",
      discussion: """
        A class that others link to is not removed. 'cairn compact' frees the space.

        EXAMPLES:
          cairn drop world.cairn cities
          cairn drop world.cairn cities --dry-run
        """)
  }

  @OptionGroup var target: ClassArguments
  @OptionGroup var options: ChangeOptions

  func run() throws {
    let change = try StoreChange(target.store, options: options)
    try change.run { transaction in
      let writer = try transaction.writer(target.className, of: change.store)
      let schema = writer.schema
      let links = transaction.schema.tables.flatMap { other in
        other.id == schema.id
          ? [] : other.properties.filter { $0.target == schema.name }.map { (other, $0) }
      }
      if let (other, column) = links.first {
        throw Failure(
          .badData,
          message: "'\(schema.name)' cannot be dropped: '\(other.name).\(column.name)' links to it")
      }
      let bytes = try change.store.snapshot().storedSizes().bytes(of: schema)
      let rows = writer.table.liveCount
      transaction.removeTable(schema.name)
      return StoreChange.Summary(
        subject: schema.name, verb: "dropped",
        rest: "with \(Quantity.counted(rows, noun: "row")) and \(Quantity.bytes(bytes))")
    }
  }
}

/// `cairn rename STORE CLASS|CLASS.COLUMN NAME`
struct RenameCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "rename",
      abstract: "Rename a class, or a column of a class.",
      discussion: """
        Rows, indexes and links remain the same.

        EXAMPLES:
          cairn rename world.cairn cities towns
          cairn rename world.cairn cities.pop population
        """)
  }

  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Argument(
    help: ArgumentHelp("The class, or the class and the column.", valueName: "class[.column]"),
    completion: StoreCompletion.classesAndColumns)
  var subject: String

  @Argument(help: ArgumentHelp("The new name, without the class.", valueName: "name"))
  var name: String

  @OptionGroup var options: ChangeOptions

  func run() throws {
    let change = try StoreChange(store, options: options)
    try change.run { transaction in
      if transaction.table(subject) != nil {
        try transaction.renameTable(subject, to: name)
      } else {
        let (schema, column) = try self.column(in: transaction, of: change.store)
        try transaction.renameProperty(column.name, of: schema.name, to: name)
      }
      return StoreChange.Summary(subject: subject, verb: "renamed", rest: "to \(name)")
    }
  }

  /// The class and the column of `CLASS.COLUMN`. Both names may contain dots.
  private func column(
    in transaction: WriteTransaction, of store: Store
  ) throws -> (TableSchema, ColumnSchema) {
    var known: (schema: TableSchema, column: String)?
    for dot in subject.indices where subject[dot] == "." {
      guard let schema = transaction.schema.table(named: String(subject[..<dot])) else { continue }
      let name = String(subject[subject.index(after: dot)...])
      if let column = schema.column(named: name) { return (schema, column) }
      known = (schema, name)
    }
    guard let known else {
      throw UnknownClass(name: subject, schema: transaction.schema, path: store.path)
    }
    return (known.schema, try ColumnList.column(known.column, of: known.schema))
  }
}

/// `cairn index STORE CLASS COLUMN...`
struct IndexCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "index",
      abstract: "Add value indexes, which make conditions on columns faster.",
      discussion: """
        Locations and geometries always have an index, and so has the primary key. A
        full-text index finds words in texts, for 'cairn query --search'.

        EXAMPLES:
          cairn index world.cairn cities country
          cairn index world.cairn cities country population --dry-run
          cairn index news.cairn articles text --full-text
        """)
  }

  @OptionGroup var target: ClassArguments

  @Argument(
    help: ArgumentHelp("The columns to index.", valueName: "column"),
    completion: StoreCompletion.nextColumns)
  var columns: [String]

  @Flag(help: "Index the words of texts instead of the values.")
  var fullText = false

  @OptionGroup var options: ChangeOptions

  func run() throws {
    try IndexChange(target, columns: columns, isFullText: fullText, options: options)
      .run(adding: true)
  }
}

/// `cairn unindex STORE CLASS COLUMN...`
struct UnindexCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "unindex",
      abstract: "Remove the value indexes of columns.",
      discussion: """
        EXAMPLES:
          cairn unindex world.cairn cities country
          cairn unindex world.cairn cities country population --quiet
        """)
  }

  @OptionGroup var target: ClassArguments

  @Argument(
    help: ArgumentHelp("The columns to leave without an index.", valueName: "column"),
    completion: StoreCompletion.nextColumns)
  var columns: [String]

  @Flag(help: "Remove full-text indexes instead of value indexes.")
  var fullText = false

  @OptionGroup var options: ChangeOptions

  func run() throws {
    try IndexChange(target, columns: columns, isFullText: fullText, options: options)
      .run(adding: false)
  }
}

/// `cairn key STORE CLASS COLUMN|--none`
struct KeyCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "key",
      abstract: "Make a column the primary key of a class.",
      discussion: """
        Every row must have a value of its own. Imports can then replace rows by key.

        EXAMPLES:
          cairn key world.cairn cities id
          cairn key world.cairn cities --none
        """)
  }

  @OptionGroup var target: ClassArguments

  @Argument(
    help: ArgumentHelp("The column: an int, a text, a UUID or an ObjectId.", valueName: "column"),
    completion: StoreCompletion.nextColumns)
  var column: String?

  @Flag(help: "Remove the primary key; the column remains.")
  var none = false

  @OptionGroup var options: ChangeOptions

  func validate() throws {
    if none == (column != nil) {
      throw ValidationError(
        none ? "give either a column or --none" : "give the column, or --none for no primary key")
    }
  }

  func run() throws {
    try KeyChange(target, column: column, options: options).run()
  }
}
