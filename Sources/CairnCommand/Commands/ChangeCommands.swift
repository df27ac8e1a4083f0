import ArgumentParser
import CairnQuery
import CairnRequest
import CairnStorage

/// `cairn delete STORE CLASS PREDICATE|--all`
struct DeleteCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "delete",
      abstract: "Delete the matching rows of a class, all or none.",
      discussion: """
        All filters must match. The rows disappear in one transaction; 'cairn compact'
        frees their space.

        EXAMPLES:
          cairn delete world.cairn cities "population == 0"
          cairn delete world.cairn cities --within lesotho.geojson --dry-run
          cairn delete world.cairn quakes "mag < 2" --near 38,-118 --radius 50km
          cairn delete world.cairn cities --all
        """)
  }

  @OptionGroup var target: TargetArguments
  @OptionGroup var area: AreaOptions

  @Flag(help: "Delete every row; the class remains.")
  var all = false

  @OptionGroup var options: ChangeOptions

  func validate() throws { try RowSelection.validate(target, area: area, all: all) }

  func run() throws {
    let selection = try RowSelection(target.arguments(area))
    try StoreChange(selection.source.store, options: options).run { transaction in
      let keys = try selection.rows().keys
      let writer = try transaction.writer(selection.source.schema.name, of: selection.source.store)
      writer.delete(keys)
      if keys.isEmpty { try selection.noteIfSwapped() }
      let left = Quantity.grouped(writer.table.liveCount)
      return StoreChange.Summary(
        subject: Quantity.counted(keys.count, noun: "row"), verb: "deleted",
        rest: "from \(selection.source.schema.name), \(left) left")
    }
  }
}

/// `cairn update STORE CLASS PREDICATE|--all --set COLUMN=FORMULA`
struct UpdateCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "update",
      abstract: "Change values in the matching rows of a class, all or none.",
      discussion: """
        A formula has columns, numbers, 'texts', dates, null, + - * /, || to join
        texts, parentheses, and abs, round, floor and ceil. All formulas read the
        values before the change.

        EXAMPLES:
          cairn update world.cairn cities "id == 7" --set "name = 'Brisbane'"
          cairn update world.cairn cities --all --add --set "m = population / 1e6"
          cairn update world.cairn sites "id == 3" --set "location = '47.56,7.59'"
          cairn update world.cairn cities --bbox 5,45,11,48 --set "country = null"
        """)
  }

  @OptionGroup var target: TargetArguments
  @OptionGroup var area: AreaOptions

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("A column and its new value. May be repeated.", valueName: "col=formula"),
    completion: StoreCompletion.assignments)
  var set: [String] = []

  @Flag(help: "Add columns that the class does not have.")
  var add = false

  @Flag(help: "Change every row.")
  var all = false

  @OptionGroup var options: ChangeOptions

  func validate() throws {
    try RowSelection.validate(target, area: area, all: all)
    if set.isEmpty { throw ValidationError("give at least one --set, as in --set \"name = 'x'\"") }
  }

  func run() throws {
    let selection = try RowSelection(target.arguments(area))
    let assignments = try Assignments(set, of: selection.source, adding: add)
    let change = StoreChange(selection.source.store, options: options)
    try assignments.explainingKeys {
      try change.run { transaction in
        let (source, keys) = try selection.rows()
        let count = try assignments.apply(to: keys, of: source, in: transaction)
        if keys.isEmpty { try selection.noteIfSwapped() }
        return StoreChange.Summary(
          subject: Quantity.counted(count, noun: "row"), verb: "updated",
          rest: "in \(source.schema.name)" + assignments.addition)
      }
    }
  }
}
