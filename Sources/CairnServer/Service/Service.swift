import CairnQuery
import CairnStorage
import CairnSystem

/// An HTTP service that publishes a store as OGC API – Features. It knows no transport: a server
/// hands it requests, and sends the responses.
///
///     let service = try Service(path: "world.cairn")
///     let response = await service.respond(to: Request(target: "/collections"))
///
/// Every request reads the state after the last commit of any process. Any number of tasks may call
/// a service at once.
public final class Service: Sendable {
  let store: ServedStore
  let options: ServiceOptions
  let cache = StateCache()
  /// A part of entity tags, since responses depend on the options and on the program too.
  let epoch = String(UInt64.random(in: 0 ... .max), radix: 36)
  let limits: RequestLimits
  let threads: RequestThreads
  /// The number of clients that follow changes.
  let liveCount = Mutex(0)
  /// Follows the oldest state that a reader holds.
  let monitor = Mutex(SnapshotMonitor())

  /// Opens a store, for reading unless the options have a token for changes.
  ///
  /// - Parameter untrusted: Whether to check the whole file first, so that damage cannot harm the
  ///   process.
  /// - Throws: ``ServiceError`` if the file is not a store that can be read.
  public init(
    path: String, options: ServiceOptions = ServiceOptions(), untrusted: Bool = false
  ) throws(ServiceError) {
    self.options = options
    limits = RequestLimits(options)
    threads = RequestThreads(maxThreads: options.maxThreads)
    do throws(StoreError) {
      store = try ServedStore(
        path, untrusted: untrusted, isWritable: options.writeToken != nil)
    } catch {
      throw ServiceError(description: error.message, isNumberTaken: error.kind == .numberTaken)
    }
  }
}

/// The reason why a service cannot start.
public struct ServiceError: Error, CustomStringConvertible {
  /// The message.
  public let description: String
  /// Whether a process of another container has the store open under the number of this process.
  var isNumberTaken = false
}
