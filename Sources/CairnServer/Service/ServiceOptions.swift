import CairnQuery
import CairnValues

/// The settings of a ``Service``.
public struct ServiceOptions: Sendable {
  /// The headers from which the service takes the base of its links.
  public enum BaseSource: Sendable {
    /// None: the base is always ``ServiceOptions/baseURL``.
    case fixed
    /// `Host`, as the client names the server.
    case host
    /// `X-Forwarded-Host`, `X-Forwarded-Proto` and `X-Forwarded-Prefix`, as a proxy sets them.
    case forwarded
  }

  /// The base of all links, without a slash at the end.
  public var baseURL = "http://127.0.0.1:8080"
  /// The headers that replace the base.
  public var baseSource = BaseSource.fixed
  /// The title of the service; nil for the name of the file.
  public var title: String?
  /// The description of the service.
  public var description = "Features of a Cairn store"
  /// The origin of other sites whose pages may read responses: `*` for all; nil for none.
  public var allowedOrigin: String?
  /// The secret with which clients may create, change and delete items, which they send as a bearer
  /// token; nil for a service that only reads.
  public var writeToken: String?
  /// The number of items of a page if the client does not say.
  public var defaultLimit = 100
  /// The greatest number of items of a page.
  public var maxLimit = 10_000
  /// The greatest length of the path and the query in bytes.
  public var maxTargetLength = 16_384
  /// The greatest length of a body in bytes.
  public var maxBodyLength = 1 << 20
  /// The greatest number of nested conditions in a filter.
  public var maxFilterDepth = 32
  /// The greatest number of requests that are answered at once; further ones get 503.
  public var maxRequests = 64
  /// The greatest number of threads that work on requests, which may be more than the cores: those of
  /// slow queries do not hold up others.
  public var maxThreads = 64
  /// The greatest number of requests of one client that are answered at once; further ones get 429.
  /// Nil for no limit.
  public var maxClientRequests: Int?
  /// The greatest number of requests of one client in a second, on average; further ones get 429.
  /// Nil for no limit.
  public var maxClientRate: Double?
  /// The seconds after which a query ends and its client gets 503.
  public var maxQuerySeconds = 30.0
  /// The seconds from which on a query is passed to ``reportSlowQuery``.
  public var slowQuerySeconds = 1.0
  /// Receives each slow query, on the thread of the query, which waits for it; nil for no report.
  public var reportSlowQuery: (@Sendable (SlowQuery) -> Void)?
  /// The seconds after which a change that waits for another writer gets 503.
  public var maxWriteWaitSeconds = 30.0
  /// The seconds after which a response that a client reads too slowly is cut off, so that it does
  /// not keep old pages of the store from being reused.
  public var maxStreamSeconds = 60.0
  /// The greatest number of clients that follow changes at once.
  public var maxLiveStreams = 256
  /// The coordinate systems other than WGS 84 longitude and latitude, as `EPSG:25832`.
  public var systems = ["EPSG:4326", "EPSG:3857"]
  /// Whether large responses are compressed for clients that accept it.
  public var compresses = true

  /// Creates the default settings.
  public init() {}

  /// The watch of the queries of requests; nil without a report.
  var watch: SlowQueryWatch? {
    reportSlowQuery.map { report in
      SlowQueryWatch(threshold: slowQuerySeconds) { run in
        report(
          SlowQuery(
            collection: run.className, seconds: run.seconds,
            plan: PrintableText.escaped(run.description, keeping: ["\n"])))
      }
    }
  }
}

/// A query that took long.
public struct SlowQuery: Sendable {
  /// The identifier of the collection.
  public let collection: String
  /// The seconds that the query has taken.
  public let seconds: Double
  /// The plan with the figures of the run, in lines without control characters.
  public let plan: String
}
