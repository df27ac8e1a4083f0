#if Server
import CairnSystem
import CoreMetrics

/// Collects the metrics of the process for the text format of Prometheus.
final class MetricsRegistry: MetricsFactory {
  private struct Key: Hashable {
    let name: String
    let labels: String
  }

  private struct Content {
    var counters: [Key: CounterValue] = [:]
    var recorders: [Key: RecorderValue] = [:]
    var gauges: [Key: GaugeValue] = [:]
  }

  private let content = Mutex(Content())

  /// The metrics as text.
  var text: String {
    let (counters, recorders, gauges) = content.withLock {
      ($0.counters, $0.recorders, $0.gauges)
    }
    var lines: [String] = []
    for (name, group) in Dictionary(grouping: counters, by: \.key.name).sorted(by: {
      $0.key < $1.key
    }) {
      lines.append("# TYPE \(name) counter")
      for (key, counter) in group.sorted(by: { $0.key.labels < $1.key.labels }) {
        lines.append("\(name)\(key.labels) \(counter.value)")
      }
    }
    for (key, recorder) in recorders.sorted(by: { $0.key.name < $1.key.name }) {
      let (count, sum) = recorder.values
      lines.append("# TYPE \(key.name) summary")
      lines.append("\(key.name)_count\(key.labels) \(count)")
      lines.append("\(key.name)_sum\(key.labels) \(sum)")
    }
    for (key, gauge) in gauges.sorted(by: { $0.key.name < $1.key.name }) {
      lines.append("# TYPE \(key.name) gauge")
      lines.append("\(key.name)\(key.labels) \(gauge.value)")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func key(_ label: String, _ dimensions: [(String, String)]) -> Key {
    let labels = dimensions.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",")
    return Key(name: label, labels: labels.isEmpty ? "" : "{\(labels)}")
  }

  /// The value of a label in the text format.
  private static func escaped(_ value: String) -> String {
    var text = ""
    for character in value.unicodeScalars {
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(character)
      }
    }
    return text
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    let key = Self.key(label, dimensions)
    return content.withLock { content in
      if let known = content.counters[key] { return known }
      let made = CounterValue()
      content.counters[key] = made
      return made
    }
  }

  func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    aggregate ? recorder(label, dimensions) : gauge(label, dimensions)
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    recorder(label, dimensions)
  }

  private func recorder(_ label: String, _ dimensions: [(String, String)]) -> RecorderValue {
    let key = Self.key(label, dimensions)
    return content.withLock { content in
      if let known = content.recorders[key] { return known }
      let made = RecorderValue()
      content.recorders[key] = made
      return made
    }
  }

  private func gauge(_ label: String, _ dimensions: [(String, String)]) -> GaugeValue {
    let key = Self.key(label, dimensions)
    return content.withLock { content in
      if let known = content.gauges[key] { return known }
      let made = GaugeValue()
      content.gauges[key] = made
      return made
    }
  }

  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
}

/// A number that only grows.
private final class CounterValue: CounterHandler {
  private let number = Mutex<Int64>(0)

  var value: Int64 { number.withLock { $0 } }

  func increment(by amount: Int64) { number.withLock { $0 &+= amount } }
  func reset() { number.withLock { $0 = 0 } }
}

/// A number that goes up and down: the last value.
private final class GaugeValue: RecorderHandler {
  private let content = Mutex(0.0)

  var value: Double { content.withLock { $0 } }

  func record(_ value: Int64) { record(Double(value)) }
  func record(_ value: Double) { content.withLock { $0 = value } }
}

/// The number of values, and their sum; times are in seconds.
private final class RecorderValue: RecorderHandler, TimerHandler {
  private let content = Mutex((count: 0, sum: 0.0))

  var values: (count: Int, sum: Double) { content.withLock { $0 } }

  func record(_ value: Int64) { record(Double(value)) }

  func record(_ value: Double) {
    content.withLock { content in
      content.count += 1
      content.sum += value
    }
  }

  func recordNanoseconds(_ duration: Int64) { record(Double(duration) * 1e-9) }
}
#endif
