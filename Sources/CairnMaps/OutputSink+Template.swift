internal import CairnIO
import CairnSystem

extension OutputSink {
  /// Appends a page; `value` appends the value of each placeholder.
  func append<Placeholder>(
    _ template: PageTemplate<Placeholder>,
    value: (Placeholder) throws(OutputError) -> Void
  ) throws(OutputError) {
    for part in template.parts {
      switch part {
      case .text(let bytes): bytes.withUnsafeBytes { append($0) }
      case .placeholder(let placeholder): try value(placeholder)
      }
    }
  }
}
