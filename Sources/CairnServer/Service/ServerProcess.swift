import CairnSystem

/// The process of a server program, which may be the first one of a container.
///
/// The processes that have a store open need different numbers, also if they belong to different
/// containers; the first process of every container has the number 1. A program that calls
/// ``start()`` and ``restart(after:)`` gets another number where its own is taken.
///
/// ```swift
/// ServerProcess.start()
/// do {
///   service = try Service(path: "world.cairn")
/// } catch {
///   ServerProcess.restart(after: error)
///   throw error
/// }
/// ```
public enum ServerProcess {
  /// Runs the program in a child process if this is the first process of a container. The first
  /// process passes signals on to the child, reaps processes that lost their parents, and exits as
  /// the child does.
  ///
  /// Call this at the beginning of the program, before it starts threads or opens files. On systems
  /// other than Linux it has no effect.
  public static func start() { Supervisor.start() }

  /// Runs the program from its beginning under another number if a store cannot be opened because a
  /// process of another container has the number of this one. Returns if that is not the reason, or
  /// if 200 numbers are taken.
  ///
  /// - Parameter error: The error of the first store that the program opens.
  public static func restart(after error: any Error) {
    if (error as? ServiceError)?.isNumberTaken == true { Supervisor.restart() }
  }
}
