import ArgumentParser
import CairnSystem

/// `cairn serve STORE|FILE... [options]`
struct ServeCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "serve",
      abstract: "Serve a store over HTTP, for QGIS, web maps and browsers.",
      discussion: """
        The command starts the program cairn-server with the same arguments, which
        prints the address that it listens on, and runs until it is interrupted.

        THE OPTIONS THAT MOST NEED:
        --host (default: 127.0.0.1, which only this machine reaches), --port (default:
        8080), --title, --limit (items per page), --crs, --cors, --writable with
        --token-file, --behind-proxy, --untrusted, --quiet. cairn-server --help has all.

        EXAMPLES:
          cairn serve world.cairn
          cairn serve world.cairn --port 9000 --title 'The world'
          cairn serve cities.csv countries.geojson
          cairn serve folder/
        """)
  }

  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp(
      "The store, or files or a folder of data, and the options of cairn-server.",
      valueName: "store"),
    completion: .file())
  var arguments: [String]

  func run() throws {
    guard let program = ServerProgram.path else {
      throw Failure(
        .other,
        message: "the program cairn-server is not installed; "
          + "'make server' in Cairn's source builds it, and the Debian package contains it")
    }
    ServerProgram.replaceProcess(program, arguments: try servedArguments())
    throw Failure(.other, message: "cannot start \(program): \(System.errorText())")
  }
}

extension ServeCommand {
  /// The arguments of the server, with a store in place of files of data, which gets their title.
  private func servedArguments() throws -> [String] {
    let words = arguments.prefix { !$0.hasPrefix("-") || $0 == "-" }
    let files = words.filter { DataFile($0) != nil }
    let others = arguments.dropFirst(words.count)
    if files.isEmpty {
      if words.isEmpty, let last = others.last, DataFile(last) != nil {
        throw Failure(
          .usage, message: "files of data come before the options: cairn serve \(last) …")
      }
      return arguments
    }
    if let store = words.first(where: { DataFile($0) == nil }) {
      throw Failure(
        .usage,
        message:
          "\(store) cannot be served together with \(files[0]); serve a store alone, or files of data"
      )
    }
    if others.contains("--writable") {
      throw Failure(
        .usage,
        message: "--writable needs a store, and \(files[0]) is data: import it into one first")
    }
    let path = try DataStores.path(of: files.compactMap { DataFile($0) })
    let hasTitle = others.contains { $0 == "--title" || $0.hasPrefix("--title=") }
    return [path] + others + (hasTitle ? [] : ["--title", files.joined(separator: ", ")])
  }
}

/// The program that serves a store.
enum ServerProgram {
  private static let name = "cairn-server"

  /// The path of the program: beside this one, in `libexec`, or on the PATH. Nil if it is missing.
  static var path: String? {
    let own = System.executable.map { folder(of: resolvedPath($0)) }
    let near = own.map { ["\($0)/\(name)", "\($0)/../libexec/\(name)"] } ?? []
    let folders = System.environment("PATH")?.split(separator: ":") ?? []
    return (near + folders.map { "\($0)/\(name)" }).first { access($0, X_OK) == 0 }
  }

  /// Runs a program in place of this one. Returns only if that fails, with the reason in `errno`.
  static func replaceProcess(_ path: String, arguments: [String]) {
    var words = ([path] + arguments).map { strdup($0) }
    words.append(nil)
    Supervisor.passOn()
    execv(path, &words)
    let code = errno
    for word in words { free(word) }
    errno = code
  }
}
