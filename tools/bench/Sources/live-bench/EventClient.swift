import Foundation
import Measuring

/// A client of the server's events of fences: it knows which vehicle is in which fence, and continues
/// with its cursor after each end of the connection.
final class EventClient: @unchecked Sendable {
  // Sendable: all state is read and written under `lock`.

  /// An event of a move.
  struct Arrival {
    let turn: Int
    let time: Double
  }

  private let lock = NSLock()
  private var fences: [Int: Int] = [:]
  private var vehicles: [Int: Int] = [:]
  private var arrivals: [Arrival] = []
  private var cursor: String?
  private var connections = 0
  private var isEnding = false
  private var lastTime = now()

  /// The fence of each vehicle by their identifiers.
  var state: [Int: Int] {
    lock.withLock {
      Dictionary(fences.compactMap { row, fence in vehicles[row].map { ($0, fence) } }) { $1 }
    }
  }
  var events: [Arrival] { lock.withLock { arrivals } }
  var connectionCount: Int { lock.withLock { connections } }
  /// The seconds since the last event.
  var quietSeconds: Double { lock.withLock { now() - lastTime } }
  var isReady: Bool { lock.withLock { cursor != nil } }

  func end() { lock.withLock { isEnding = true } }

  /// Follows the events of the server at the port that the closure returns, until `end` is called.
  func run(port: @escaping @Sendable () -> UInt16?) {
    Thread.detachNewThread { [self] in
      while !lock.withLock({ isEnding }) {
        if let port = port(), let stream = EventStream(port: port) { follow(stream) }
        usleep(2000)
      }
    }
  }

  private func follow(_ stream: EventStream) {
    let known = lock.withLock { cursor }
    var target = "/collections/Vehicle/live?fences=Fence&properties=turn"
    if known == nil {
      target += "&initial=true"
      // Without a cursor, all pairs come again.
      lock.withLock { fences = [:] }
    }
    let header = known.map { "Last-Event-ID: \($0)\r\n" } ?? ""
    guard stream.request(target, header: header) else { return }
    lock.withLock { connections += 1 }
    while let lines = stream.nextLines() {
      let time = now()
      lock.withLock { for line in lines { apply(line, time: time) } }
    }
  }

  private var kind: UInt8 = 0

  /// Applies a line of an event. The `id` comes before the data and counts after them.
  private func apply(_ line: ArraySlice<UInt8>, time: Double) {
    if line.isEmpty {
      if let pending { cursor = pending }
      pending = nil
    } else if line.starts(with: Self.id) {
      pending = String(decoding: line.dropFirst(4), as: UTF8.self)
    } else if line.starts(with: Self.event) {
      kind = line[line.startIndex + 7]
    } else if line.starts(with: Self.data), kind != UInt8(ascii: "r") || line.contains("row") {
      applyData(line, time: time)
    }
  }

  private var pending: String?
  private static let id = Array("id: ".utf8)
  private static let event = Array("event: ".utf8)
  private static let data = Array("data: ".utf8)

  private func applyData(_ line: ArraySlice<UInt8>, time: Double) {
    lastTime = time
    guard let row = line.number(after: "\"row\":") else { return }
    // `reset` and `ready` begin with r; `ready` has no row.
    if kind == UInt8(ascii: "r") {
      fences[row] = nil
      return
    }
    guard let fenceStart = line.index(after: "\"fence\":{"),
      let fence = line[fenceStart...].number(after: "\"id\":"),
      let featureStart = line.index(after: "\"feature\":{")
    else { return }
    let feature = line[featureStart...]
    if let id = feature.number(after: "\"id\":") { vehicles[row] = id }
    if kind == UInt8(ascii: "l") {
      if fences[row] == fence { fences[row] = nil }
    } else {
      fences[row] = fence
    }
    // `initial` begins with i.
    if kind != UInt8(ascii: "i"), let turn = feature.number(after: "\"turn\":") {
      arrivals.append(Arrival(turn: turn, time: time))
    }
  }
}

extension ArraySlice<UInt8> {
  func contains(_ text: StaticString) -> Bool { index(after: text) != nil }

  /// The index behind a text.
  func index(after text: StaticString) -> Int? {
    let length = text.utf8CodeUnitCount
    return withUnsafeBufferPointer { bytes -> Int? in
      guard let base = bytes.baseAddress else { return nil }
      var offset = 0
      while offset + length <= bytes.count,
        let found = memchr(
          base + offset, Int32(text.utf8Start[0]), bytes.count - length + 1 - offset)
      {
        offset = UnsafeRawPointer(found) - UnsafeRawPointer(base)
        if memcmp(base + offset, text.utf8Start, length) == 0 {
          return startIndex + offset + length
        }
        offset += 1
      }
      return nil
    }
  }

  /// The whole number behind a text.
  func number(after text: StaticString) -> Int? {
    guard var index = index(after: text) else { return nil }
    var number = 0
    let start = index
    while index < endIndex, (48...57).contains(self[index]) {
      number = number * 10 + Int(self[index]) - 48
      index += 1
    }
    return index > start ? number : nil
  }
}
