import ArgumentParser
import CairnIO

/// `cairn man [COMMAND]`
struct ManCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "man",
      abstract: "Print the manual page of a command, or of cairn itself.",
      discussion: """
        'make install' installs the pages for 'man'.

        EXAMPLES:
          cairn man query | man -l -
          cairn man import > cairn-import.1
        """)
  }

  @Argument(
    help: ArgumentHelp("The command (default: cairn itself).", valueName: "command"),
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

/// `cairn completions bash|zsh|fish`
struct CompletionsCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "completions",
      abstract: "Print a completion script for commands, options, classes and columns.",
      discussion: """
        Save it where the shell looks for completions, or source it when a shell
        starts.

        EXAMPLES:
          cairn completions bash > ~/.local/share/bash-completion/completions/cairn
          cairn completions zsh > ~/.zfunc/_cairn
          cairn completions fish > ~/.config/fish/completions/cairn.fish
        """)
  }

  @Argument(help: "The shell.")
  var shell: ShellName

  func run() throws {
    let script = CairnTool.completionScript(for: shell.completionShell)
    try OutputTarget.print((shell == .bash ? BashScript.joiningWords(script) : script) + "\n")
  }
}

/// The shells that have a completion script.
enum ShellName: String, WordArgument {
  case bash
  case zsh
  case fish

  fileprivate var completionShell: CompletionShell {
    switch self {
    case .bash: .bash
    case .zsh: .zsh
    case .fish: .fish
    }
  }
}
