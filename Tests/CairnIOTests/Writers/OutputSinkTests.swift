import CairnTestSupport
import Foundation
import Testing

@testable import CairnIO

struct OutputSinkTests {
  private func text(_ body: (OutputSink) -> Void) throws -> String {
    let folder = try TemporaryFolder()
    let descriptor = open(folder.path + "/out", O_CREAT | O_RDWR, 0o600)
    defer { close(descriptor) }
    let sink = OutputSink(descriptor: descriptor)
    body(sink)
    try sink.flush()
    return String(
      decoding: try Data(contentsOf: URL(fileURLWithPath: folder.path + "/out")), as: UTF8.self)
  }

  @Test func doublesAreShortestAndReadBackExactly() throws {
    let seed = Soak.seed(121)
    var random = SplitMix64(seed: seed)
    var values: [Double] = [
      0, -0.0, 1, -1, 0.1, 1e-3, 0.001, 1e8, 99_999_999.5, 123456.789, 1e16, .leastNonzeroMagnitude,
      0.1 + 0.2,
    ]
    for _ in 0..<5000 {
      values.append(Double(bitPattern: random.next()))
      values.append(Double(Int.random(in: -1_800_000_000...1_800_000_000, using: &random)) / 1e7)
      values.append(Double.random(in: -1000...1000, using: &random))
    }
    values = values.filter(\.isFinite)
    let lines = try text { sink in
      for value in values {
        sink.append(double: value)
        sink.append("\n")
      }
    }.split(separator: "\n")
    for (line, value) in zip(lines, values) {
      #expect(Double(line)?.bitPattern == value.bitPattern, "\(line) \(value), seed \(seed)")
      #expect(line.count <= value.description.count, "\(line) \(value), seed \(seed)")
    }
    #expect(lines.count == values.count)
  }

  @Test func integersAreWritten() throws {
    let values: [Int64] = [
      0, 9, 10, -1, 99, 100, .max, .min, 1_000_000_000_000_000_000, -999_999_999_999_999_999,
    ]
    let lines = try text { sink in
      for value in values {
        sink.append(int: value)
        sink.append("\n")
      }
    }
    #expect(lines == values.map { "\($0)\n" }.joined())
  }

  @Test func aClosedPipeIsReportedAsClosed() throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    let sink = OutputSink(descriptor: ends[1])
    sink.append("text")
    #expect(throws: OutputError.closed) { try sink.flush() }
  }

  @Test func aFullDeviceIsReported() throws {
    let full = open("/dev/full", O_WRONLY)
    guard full >= 0 else { return }
    defer { close(full) }
    let sink = OutputSink(descriptor: full)
    sink.append("text")
    #expect(throws: OutputError.diskFull) { try sink.flush() }
    #expect(throws: OutputError.io(EBADF)) {
      let closed = OutputSink(descriptor: -1)
      closed.append("text")
      try closed.flush()
    }
  }
}
