import Foundation
import Measuring

/// Measures and tests the events of fences: a server, a writer as another process, and a client.
///
///     live-bench SERVER FOLDER [MOVES [SECONDS [STEP [VEHICLES [FENCES [BATCH]]]]]]
///     live-bench kill SERVER FOLDER [SECONDS [SEED]]
///     live-bench write STORE MOVES BATCH SECONDS STEP      (the writer of both)
@main
enum Main {
  private static let arguments = Array(CommandLine.arguments.dropFirst())

  private static func number(_ index: Int, _ standard: Double) -> Double {
    index < arguments.count ? Double(arguments[index]) ?? standard : standard
  }

  static func main() throws {
    switch arguments.first {
    case "write" where arguments.count == 6:
      try MovingWriter(
        store: URL(fileURLWithPath: arguments[1]), rate: Int(number(2, 0)),
        batch: Int(number(3, 0)), seconds: number(4, 0), step: number(5, 0)
      ).run()
    case "kill" where arguments.count >= 3:
      let run = LiveRun(
        server: arguments[1], folder: arguments[2], rate: 20_000, batch: 1000,
        seconds: number(3, 60), step: 0.3, vehicles: 50_000, fences: 20_000)
      exit(try run.kill(seed: UInt64(number(4, 1))) ? 0 : 1)
    case .some where arguments.count >= 2:
      let rate = Int(number(2, 100_000))
      let run = LiveRun(
        server: arguments[0], folder: arguments[1], rate: rate,
        batch: Int(number(7, Double(rate) / 40)), seconds: number(3, 20), step: number(4, 0.1),
        vehicles: Int(number(5, 200_000)), fences: Int(number(6, 20_000)))
      exit(try run.measure() ? 0 : 1)
    default:
      let usage = """
        usage: live-bench SERVER FOLDER [MOVES [SECONDS [STEP [VEHICLES [FENCES [BATCH]]]]]]
               live-bench kill SERVER FOLDER [SECONDS [SEED]]

        """
      FileHandle.standardError.write(Data(usage.utf8))
      exit(64)
    }
  }
}
