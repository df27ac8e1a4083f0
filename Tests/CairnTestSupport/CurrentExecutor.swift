import Foundation
import Testing

extension Trait where Self == ConditionTrait {
  /// Skips a test of what takes the runtime's knowledge of the current actor, where `CAIRN_PLAIN=1`
  /// forces the fallback, which does not have it. See `docs/toolchain.md`.
  public static var currentExecutor: Self {
    .enabled(
      if: ProcessInfo.processInfo.environment["CAIRN_PLAIN"] != "1",
      "CAIRN_PLAIN=1: Swift has no public function for the current actor")
  }
}
