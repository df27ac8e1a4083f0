import ArgumentParser
import CairnQuery

/// `cairn count STORE CLASS [PREDICATE]`
struct CountCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "count",
      abstract: "Count the rows of a class that fit: one number.",
      discussion: """
        EXAMPLES:
          cairn count world.cairn cities
          cairn count world.cairn cities "population > 1e6" --bbox -10,35,30,60
          cairn count world.cairn cities --near -27.5,153 --radius 50km
        """)
  }

  @OptionGroup var target: TargetArguments
  @OptionGroup var area: AreaOptions

  func validate() throws { try area.requireRadius() }

  func run() throws {
    let source = try Source(target)
    let question = try Question(source, target, area)
    let count = try Execution(question.query, on: source.table).count()
    try OutputTarget.print("\(count)\n")
    if count == 0 { try ExchangedPlace(area, of: question).sayIfMeant() }
  }
}
