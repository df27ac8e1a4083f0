#if Server
import ArgumentParser
import CairnServer
import HummingbirdCore
import Logging
import Metrics
import NIOCore
import NIOPosix
import ServiceLifecycle
import UnixSignals

/// The options of the server.
@available(macOS 14, *)
struct ServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cairn-server",
    abstract: "Serve a store over HTTP as OGC API – Features.",
    discussion: """
      QGIS, GDAL and other programs read the collections at the URL that the server prints;
      a browser shows them as pages. Interrupt the command to stop it.

      EXAMPLES:
        cairn serve world.cairn
        cairn serve world.cairn --port 9000 --cors '*'
        cairn serve world.cairn --writable --token-file token.txt
        cairn serve world.cairn --hook 'cities=https://example.org/changes'
        cairn serve world.cairn --host 0.0.0.0 --base-url https://maps.example.org
      """)

  @Argument(help: "The store.", completion: .file())
  var store: String

  @Option(help: "The address to listen on. Only this machine reaches 127.0.0.1.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on; 0 for a free one.")
  var port = 8080

  @Option(help: ArgumentHelp("The title of the landing page.", valueName: "text"))
  var title: String?

  @Option(
    name: .customLong("base-url"),
    help: ArgumentHelp("The URL under which clients reach the server.", valueName: "url"))
  var baseURL: String?

  @Flag(help: "Take the base of links from the header Host.")
  var trustHost = false

  @Flag(help: "Take the base of links from X-Forwarded-Host, -Proto and -Prefix.")
  var behindProxy = false

  @Option(
    help: ArgumentHelp(
      "Let pages of another site read responses; '*' for all sites.", valueName: "origin"))
  var cors: String?

  @Option(
    help: ArgumentHelp(
      "Offer another coordinate system, as EPSG:25832. May be repeated.", valueName: "code"))
  var crs: [String] = []

  @Option(
    help: ArgumentHelp("Items per page unless the client asks otherwise.", valueName: "n"))
  var limit = 100

  @Option(help: ArgumentHelp("The maximum number of items per page.", valueName: "n"))
  var maxLimit = 10_000

  @Option(
    help: ArgumentHelp(
      "The maximum number of connections at once; others get 503.", valueName: "n"))
  var maxConnections = 512

  @Option(
    help: ArgumentHelp(
      "The maximum number of requests at once; others get 503.", valueName: "n"))
  var maxRequests = 64

  @Option(
    help: ArgumentHelp(
      "The maximum number of requests of one client at once; others get 429.", valueName: "n"))
  var maxClientRequests: Int?

  @Option(
    help: ArgumentHelp(
      "The maximum number of requests of one client in a second; others get 429.",
      valueName: "n"))
  var maxClientRate: Double?

  @Option(
    help: ArgumentHelp(
      "End queries that take longer; their clients get 503.", valueName: "seconds"))
  var queryTimeout = 30.0

  @Option(
    help: ArgumentHelp(
      "Log the plans of queries that take at least this long.", valueName: "seconds"))
  var slowQuery = 1.0

  @Option(
    help: ArgumentHelp(
      "Close connections that are idle, or too slow, for this long.", valueName: "seconds"))
  var timeout = 60

  @Flag(help: "Let clients with the token create, change and delete items.")
  var writable = false

  @Option(
    name: .customLong("token-file"),
    help: ArgumentHelp(
      "The file with the token for --writable, of 16 characters or more.", valueName: "file"),
    completion: .file())
  var tokenFile: String?

  @Option(
    name: .customLong("hook"),
    help: ArgumentHelp(
      """
      Post the changes of a class to a URL, as JSON. The class may have parameters of \
      its live changes, as in ships?fences=harbours. May be repeated.
      """, valueName: "class=url"))
  var hooks: [String] = []

  @Option(
    help: ArgumentHelp(
      "The file with the state of the hooks (default: the store with -hooks).",
      valueName: "file"),
    completion: .file())
  var hookState: String?

  @Option(
    help: ArgumentHelp(
      "Send changes again if the answer takes longer.", valueName: "seconds"))
  var hookTimeout = 30

  @Flag(help: "Do not compress responses.")
  var noGzip = false

  @Flag(help: "Check the whole store first, if it comes from somebody else.")
  var untrusted = false

  @Flag(help: "Do not log requests.")
  var quiet = false

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port is a number from 0 to 65535")
    }
    for (name, value) in [
      ("--limit", limit), ("--max-limit", maxLimit), ("--max-connections", maxConnections),
      ("--max-requests", maxRequests), ("--timeout", timeout),
    ] where value < 1 {
      throw ValidationError("\(name) must be at least 1")
    }
    if let maxClientRequests, maxClientRequests < 1 {
      throw ValidationError("--max-client-requests must be at least 1")
    }
    if let maxClientRate, !(maxClientRate > 0) {
      throw ValidationError("--max-client-rate must be more than 0")
    }
    for text in hooks { _ = try Hook(argument: text) }
    if hookState != nil, hooks.isEmpty {
      throw ValidationError("--hook-state belongs to --hook, which names a receiver")
    }
    guard hookTimeout > 0 else { throw ValidationError("--hook-timeout must be at least 1") }
    guard queryTimeout > 0 else { throw ValidationError("--query-timeout must be more than 0") }
    guard slowQuery >= 0 else { throw ValidationError("--slow-query must be at least 0") }
    if writable != (tokenFile != nil) {
      throw ValidationError("--writable and --token-file belong together")
    }
    if trustHost, behindProxy {
      throw ValidationError("--trust-host and --behind-proxy name different headers; choose one")
    }
    if let baseURL, !baseURL.hasPrefix("http://"), !baseURL.hasPrefix("https://") {
      throw ValidationError("--base-url begins with http:// or https://")
    }
  }

  func run() async throws {
    let registry = MetricsRegistry()
    MetricsSystem.bootstrap(registry)
    var logger = Logger(label: "cairn-server") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = quiet ? .error : .info
    let service: CairnServer.Service
    let hooks: HookService?
    var options = options
    options.slowQuerySeconds = slowQuery
    options.reportSlowQuery = { [logger] query in
      Counter(label: "cairn_slow_queries_total").increment()
      let plan = query.plan.split(separator: "\n").joined(separator: "\n  ")
      logger.warning("slow query, \(Int((query.seconds * 1e3).rounded())) ms\n  \(plan)")
    }
    DamageGuard.watch(store)
    do {
      options.writeToken = try tokenFile.map(WriteTokenFile.token)
      service = try Service(path: store, options: options, untrusted: untrusted)
      hooks = try await hookService(of: service, logger: logger)
    } catch {
      if tokenFile.map(WriteTokenFile.isLasting) ?? true { ServerProcess.restart(after: error) }
      Console.printError("\(error)")
      throw ExitCode(74)
    }
    let responder = ServiceResponder(
      service: service, registry: registry, logger: logger, isBehindProxy: behindProxy)
    var services: [any ServiceLifecycle.Service] = [SnapshotService(service, logger: logger)]
    if let hooks { services.append(hooks) }
    services.append(try server(responder))
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: services, gracefulShutdownSignals: [.sigterm, .sigint],
        logger: Self.quietLogger))
    do {
      try await group.run()
    } catch {
      Console.printError("cannot listen on \(Self.authority(host, port: port)): \(error)")
      throw ExitCode(74)
    }
  }

  /// The part that listens.
  private func server(_ responder: ServiceResponder) throws -> any ServiceLifecycle.Service {
    let (host, store) = (host, store)
    let patience = TimeAmount.seconds(Int64(timeout))
    let connections = ConnectionLimit(maxConnections)
    let builder = HTTPServerBuilder.http1(
      configuration: .init(
        additionalChannelHandlers: [
          OldClientHandler.makeInstaller(), connections.makeHandler(),
          StalledReaderHandler(timeout: patience), SlowSenderHandler(timeout: patience),
        ],
        idleTimeout: patience))
    return try builder.buildServer(
      configuration: ServerConfiguration(
        address: .hostname(host, port: port),
        availableConnectionsDelegate: MaximumAvailableConnections(connections.maxAccepted)),
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: Self.quietLogger,
      responder: { request, writer, channel in
        try await responder.respond(to: request, writer: writer, channel: channel)
      },
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? 0
        Console.printMessage("serving \(store) at http://\(Self.authority(host, port: port))/")
      })
  }

  /// The delivery to hooks; nil without hooks.
  private func hookService(
    of service: CairnServer.Service, logger: Logger
  ) async throws -> HookService? {
    guard !hooks.isEmpty else { return nil }
    let client = try HookClient(timeout: Double(hookTimeout))
    let hookOptions = HookOptions(statePath: hookState ?? store + "-hooks")
    let deliveries = try await service.deliveries(
      to: hooks.map { text in try Hook(text) }, options: hookOptions)
    return HookService(deliveries, client: client, logger: logger)
  }

  /// The framework's own logger, which reports only what goes wrong.
  private static var quietLogger: Logger {
    var logger = Logger(label: "hummingbird") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .error
    return logger
  }

  private static func authority(_ host: String, port: Int) -> String {
    (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
  }

  private var options: ServiceOptions {
    var options = ServiceOptions()
    options.title = title
    let shown = host == "0.0.0.0" || host == "::" ? "127.0.0.1" : host
    let own = "http://\(Self.authority(shown, port: port))"
    let base = baseURL ?? own
    options.baseURL = base.hasSuffix("/") ? String(base.dropLast()) : base
    // The number of a free port is not known before the server listens.
    options.baseSource =
      behindProxy ? .forwarded : trustHost || port == 0 && baseURL == nil ? .host : .fixed
    options.allowedOrigin = cors
    options.systems += crs
    options.defaultLimit = min(limit, maxLimit)
    options.maxLimit = maxLimit
    options.compresses = !noGzip
    options.maxStreamSeconds = Double(timeout)
    options.maxRequests = maxRequests
    options.maxClientRequests = maxClientRequests
    options.maxClientRate = maxClientRate
    options.maxQuerySeconds = queryTimeout
    options.maxWriteWaitSeconds = queryTimeout
    return options
  }
}

extension Hook {
  /// Parses the value of an option.
  fileprivate init(argument text: String) throws {
    do { try self.init(text) } catch { throw ValidationError("--hook: \(error)") }
  }
}
#endif
