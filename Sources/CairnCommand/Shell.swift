import ArgumentParser
import CairnFormats

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The command `cairn`.
package enum Shell {
  /// Does what the arguments ask, and ends the process with the code that says how it went.
  package static func main() -> Never {
    do { try ProcessSetup.run() } catch { exit(report(error)) }
    let arguments = Array(CommandLine.arguments.dropFirst())
    if let code = CrashGuard.report(arguments) { exit(code) }
    CrashGuard.isOn = true
    exit(run(arguments))
  }

  /// Does what the arguments ask.
  ///
  /// - Returns: the exit code.
  package static func run(_ arguments: [String]) -> Int32 {
    UsedFiles.removeAll()
    do {
      var command = try parse(arguments)
      try command.run()
      try UsedFiles.requireKept()
      return 0
    } catch OutputError.closed {
      // As when `head` has seen enough.
      return 0
    } catch {
      return report(UsedFiles.explanation(of: error), of: arguments)
    }
  }

  /// The tree of all commands is slow to set up (0.7 ms of a cold start of 4.4), so a command that is
  /// spelled right is parsed alone. Anything else goes through the tree, whose answers name the whole way.
  static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    let known = arguments.first.flatMap(CairnTool.command)
    let words = arguments.dropFirst()
    try refuseDashedNames(arguments)
    if known == nil { try refuseUnknown(arguments) }
    let command =
      try known.flatMap { try? $0.parse(Array(words)) } ?? CairnTool.parseAsRoot(arguments)
    if let known { try RepeatedOptions.refuse(in: words, of: known) }
    return command
  }

  /// Refuses the name of a file that begins with a dash, whose letters the parser would take for options, h for help.
  private static func refuseDashedNames(_ arguments: [String]) throws {
    var last = ""
    for word in arguments.prefix(while: { $0 != "--" }) {
      let letters = word.dropFirst()
      if word.hasPrefix("-"), letters.count > 1, letters.first?.isLetter == true,
        !last.hasPrefix("--")
      {
        throw Failure(
          .usage,
          "'\(word)' is no option; a file whose name begins with a dash is written ./\(word)")
      }
      last = word
    }
  }

  private static func refuseUnknown(_ arguments: [String]) throws {
    let word = arguments.first
    guard let word, !word.hasPrefix("-") else { return }
    if word != "help" { throw CairnTool.unknown(word) }
    guard arguments.count > 1, !arguments[1].hasPrefix("-"), arguments[1] != "help",
      CairnTool.command(named: arguments[1]) == nil
    else { return }
    throw CairnTool.unknown(arguments[1])
  }

  /// Says what went wrong.
  ///
  /// - Parameter arguments: the command line.
  /// - Returns: the exit code.
  static func report(_ error: any Error, of arguments: [String] = []) -> Int32 {
    if let failure = Failure(error) {
      Console.sayError(failure.description)
      return failure.code.rawValue
    }
    return reportParsing(error, arguments)
  }

  /// Help and version go to standard output, what the parser found wrong to standard error.
  private static func reportParsing(_ error: any Error, _ arguments: [String]) -> Int32 {
    let code = CairnTool.exitCode(for: error).rawValue
    let message = CairnTool.fullMessage(for: error)
    if code == 0 {
      do { try OutputTarget.print(message + "\n") } catch OutputError.closed {} catch {
        return report(error)
      }
    } else {
      Console.say(ParserMessage.hinting(message, arguments))
    }
    return code
  }
}
