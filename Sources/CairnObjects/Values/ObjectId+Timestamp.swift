import CairnValues
import FoundationEssentials

extension ObjectId {
  /// An identifier of a moment, and of a machine and a process: the lowest three and two bytes of the numbers. The last
  /// three bytes are the next number of a counter.
  ///
  /// - Parameter timestamp: from 1970 to 2106, in whole seconds; other moments are taken modulo 2^32 seconds.
  public init(timestamp: Date, machineId: Int, processId: Int) {
    let seconds = timestamp.timeIntervalSince1970.rounded(.down)
    let whole = Int64(exactly: seconds) ?? 0
    self = .generate(
      seconds: UInt32(truncatingIfNeeded: whole), machine: UInt32(truncatingIfNeeded: machineId),
      process: UInt16(truncatingIfNeeded: processId))
  }

  /// The moment when the identifier was made, in whole seconds.
  public var timestamp: Date { Date(timeIntervalSince1970: TimeInterval(secondsSince1970)) }
}
