import ArgumentParser
import CairnFormats

/// `cairn man [COMMAND]`
struct ManCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "man",
      abstract: "Write the manual page of a command, or of cairn itself.",
      discussion: """
        'make install' puts the pages where 'man' looks for them.

        EXAMPLES:
          cairn man query | man -l -
          cairn man import > cairn-import.1
        """)
  }

  @Argument(
    help: ArgumentHelp("The command; else cairn itself.", valueName: "command"),
    completion: .list(CairnTool.names))
  var command: String?

  func run() throws {
    guard let command else {
      return try OutputTarget.print(
        ManualPage(help: CairnTool.helpMessage(columns: ManualPage.columns), nil).text)
    }
    guard let known = CairnTool.command(named: command) else {
      throw CairnTool.unknown(command)
    }
    let help = CairnTool.helpMessage(for: known, columns: ManualPage.columns)
    try OutputTarget.print(ManualPage(help: help, command).text)
  }
}
