import ArgumentParser

/// `cairn watch STORE CLASS [PREDICATE]`
struct WatchCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "watch",
      abstract: "Print a JSON object for each row that other programs add, change or remove.",
      discussion: """
        The event is enter, change or leave, as seen through the filters. With
        --fences, rows enter and leave the geometries of another class. The command
        runs until it is interrupted.

        EXAMPLES:
          cairn watch world.cairn cities
          cairn watch world.cairn quakes "mag > 5" --near 38,-118 --radius 100km
          cairn watch fleet.cairn ships --fences harbours
          cairn watch world.cairn cities --exec 'logger -t cities'
          cairn watch world.cairn cities --since 17-2c4a1 --select name,population
        """)
  }

  @OptionGroup var target: TargetArguments
  @OptionGroup var area: AreaOptions
  @OptionGroup var options: WatchOptions

  func validate() throws { try area.requireRadius() }

  func run() throws { try RowWatch(target.arguments(area), options: options).run() }
}
