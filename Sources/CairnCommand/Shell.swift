import ArgumentParser
import CairnGDAL
import CairnIO
import CairnStorage
import CairnSystem

/// The command `cairn`.
package enum Shell {
  /// Runs the command line, and ends the process with its exit code.
  package static func main() -> Never {
    Supervisor.start()
    do { try ProcessSetup.run() } catch { exit(report(error)) }
    let arguments = Array(CommandLine.arguments.dropFirst())
    if let code = GDALWorker.run(arguments) { exit(code) }
    if let code = CrashGuard.report(arguments, by: { report($0) }) { exit(code) }
    CrashGuard.isEnabled = true
    exit(run(arguments))
  }

  /// Runs a command line.
  ///
  /// - Returns: The exit code.
  package static func run(_ arguments: [String]) -> Int32 {
    var runs = 1
    // A command that fails with a part of a file runs again.
    DataStores.mayReadParts(namesOnlyFiles(arguments))
    while true {
      do {
        try runOnce(arguments)
        return 0
      } catch OutputError.closed {
        // The reader, such as `head`, has read enough.
        return 0
      } catch {
        guard runs < maxRuns, canRepeat(arguments, after: error) else {
          let error = UsedFiles.explanation(of: error)
          if Failure.isNumberTaken(error) { Supervisor.restart() }
          return report(error, of: arguments)
        }
        runs += 1
      }
    }
  }

  /// The number of times a command runs whose store is replaced again and again.
  private static let maxRuns = 20

  /// Runs a command line, and writes the output that it kept once it holds no snapshot any more.
  private static func runOnce(_ arguments: [String]) throws {
    UsedFiles.removeAll()
    do { try holdingSnapshots(arguments) } catch {
      try? OutputSpools.complete()
      throw error
    }
    try OutputSpools.complete()
    try UsedFiles.requireKept()
  }

  private static func holdingSnapshots(_ arguments: [String]) throws {
    if let count = RowCount(plain: arguments) { return try count.write() }
    var command = try parse(arguments)
    try command.run()
  }

  /// Whether a command may run again after an error, before which it has written nothing: its store was
  /// replaced, as by an online compaction, or it may have read too little of a file of data.
  private static func canRepeat(_ arguments: [String], after error: any Error) -> Bool {
    if DataStores.refuseParts(after: error) { return true }
    let cause = error as? StoreError ?? (error as? ImportError)?.storeError
    return cause?.kind == .replaced && arguments.count > 1 && System.exists(arguments[1])
      && namesOnlyFiles(arguments)
  }

  /// Whether all input that a command line names can be read again, unlike standard input and pipes.
  static func namesOnlyFiles(_ arguments: [String]) -> Bool {
    var last = ""
    return arguments.allSatisfy { word in
      defer { last = word }
      let isOption = word.hasPrefix("--")
      let option = isOption ? String(word.prefix { $0 != "=" }) : last
      if ["--output", "-o"].contains(option) { return true }
      let value = isOption ? word.dropFirst(option.count + 1) : word[...]
      let path = String(value.hasPrefix("@") ? value.dropFirst() : value)
      return path != "-" && !System.isDevice(path)
    }
  }

  /// Parses a command line.
  ///
  /// Setting up the tree of all commands is slow (0.7 ms of a cold start of 4.4 ms), so a command
  /// that is spelled right is parsed alone. Anything else goes through the tree, whose messages
  /// name the full command.
  static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    let known = arguments.first.flatMap(CairnTool.command)
    let words = arguments.dropFirst()
    try rejectDashedNames(arguments)
    if known == nil { try rejectUnknownCommand(arguments) }
    let command =
      try known.flatMap { try? $0.parse(Array(words)) } ?? CairnTool.parseAsRoot(arguments)
    if let known { try RepeatedOptions.reject(in: words, of: known) }
    return command
  }

  /// Rejects a file name that begins with a dash: the parser would read its letters as options,
  /// such as h for help.
  private static func rejectDashedNames(_ arguments: [String]) throws {
    var last = ""
    for word in arguments.prefix(while: { $0 != "--" }) {
      let letters = word.dropFirst()
      if word.hasPrefix("-"), letters.count > 1, letters.first?.isLetter == true,
        !last.hasPrefix("--")
      {
        throw Failure(
          .usage,
          message:
            "'\(word)' is not an option; for a file whose name begins with a dash, write ./\(word)")
      }
      last = word
    }
  }

  private static func rejectUnknownCommand(_ arguments: [String]) throws {
    let word = arguments.first
    guard let word, !word.hasPrefix("-") else { return }
    if word != "help" { throw CairnTool.unknown(word) }
    guard arguments.count > 1, !arguments[1].hasPrefix("-"), arguments[1] != "help",
      CairnTool.command(named: arguments[1]) == nil
    else { return }
    throw CairnTool.unknown(arguments[1])
  }

  /// Prints an error.
  ///
  /// - Parameter arguments: The command line.
  /// - Returns: The exit code.
  static func report(_ error: any Error, of arguments: [String] = []) -> Int32 {
    if let failure = Failure(error) {
      Console.printError(failure.description)
      return failure.code.rawValue
    }
    return reportParsing(error, arguments: arguments)
  }

  /// Prints help and version to standard output, and errors of the parser to standard error.
  private static func reportParsing(_ error: any Error, arguments: [String]) -> Int32 {
    let code = CairnTool.exitCode(for: error).rawValue
    let message = CairnTool.fullMessage(for: error)
    if code == 0 {
      do { try OutputTarget.print(message + "\n") } catch OutputError.closed {} catch {
        return report(error)
      }
    } else {
      Console.printMessage(ParserMessage.withSuggestion(message, arguments: arguments))
    }
    return code
  }
}
