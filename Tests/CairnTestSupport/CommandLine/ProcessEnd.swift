/// How a process ended.
public enum ProcessEnd: Codable, Hashable, Sendable {
  /// It exited with a code.
  case exit(Int32)
  /// A signal ended it.
  case signal(Int32)
}
