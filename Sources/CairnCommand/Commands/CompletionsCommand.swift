import ArgumentParser
import CairnFormats

/// `cairn completions bash|zsh|fish`
struct CompletionsCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "completions",
      abstract: "Write what lets a shell complete commands, options, classes and columns.",
      discussion: """
        Put it where the shell looks for completions, or read it in where a shell begins.

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

/// The shells for which there are completions.
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
