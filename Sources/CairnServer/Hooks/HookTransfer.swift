import CairnSystem

/// Why a receiver has not taken a batch.
struct HookFailure: Error, CustomStringConvertible {
  let description: String
}

/// The settings of the requests to receivers.
struct TransferOptions: Sendable {
  /// The seconds that a receiver has for its answer.
  let timeout: Double
  /// The file with the certificates of the authorities to trust; nil for those of the system.
  let authorities: String?

  /// The seconds for a connection, with the look-up of the name and the encryption.
  var connectionTimeout: Double { min(timeout, 10) }

  /// The time as libcurl takes it, for which 0 would be no limit.
  static func milliseconds(_ seconds: Double) -> Int {
    Int(max(1, min(seconds * 1000, Double(Int32.max))))
  }
}

/// The request with one batch, and what is known of its response. One thread uses it.
final class HookTransfer {
  /// libcurl's handle.
  let handle: CurlLibrary.Handle
  private let library: CurlLibrary
  private let options: TransferOptions
  private let errors: UnsafeMutablePointer<CChar>
  private var headers: CurlLibrary.Handle?
  private var isHeadComplete = false
  private var bodyLength = 0

  /// The bytes of a response that are read, after which the connection can be used again.
  private static let maxBodyLength = 1 << 16

  /// Prepares the request.
  ///
  /// - Throws: ``HookFailure`` if libcurl refuses the URL or a setting.
  init(
    _ batch: HookBatch, with library: CurlLibrary, options: TransferOptions
  ) throws(HookFailure) {
    guard let handle = library.makeTransfer() else {
      throw HookFailure(description: "no memory for a request")
    }
    (self.handle, self.library, self.options) = (handle, library, options)
    errors = .allocate(capacity: CurlLibrary.errorSize)
    errors.initialize(repeating: 0, count: CurlLibrary.errorSize)
    try setRequest(batch)
    try setRules()
    try setReceivers()
  }

  deinit {
    library.freeTransfer(handle)
    library.freeList(headers)
    errors.deallocate()
  }

  private func check(_ code: Int32) throws(HookFailure) {
    if code != 0 { throw HookFailure(description: text(of: code)) }
  }

  private func setRequest(_ batch: HookBatch) throws(HookFailure) {
    // Without the last one, libcurl waits for the consent of the receiver before it sends a large body.
    for line in ["Content-Type: application/json", "Expect:"] {
      guard let longer = library.append(headers, line) else {
        throw HookFailure(description: "no memory for a request")
      }
      headers = longer
    }
    try check(library.set(.url, to: batch.hook.url, of: handle))
    try check(library.set(.post, to: 1, of: handle))
    try check(library.set(.userAgent, to: "cairn-server", of: handle))
    try check(library.set(.headers, to: headers, of: handle))
    try check(library.setSize(.bodySize, to: batch.body.count, of: handle))
    try check(library.set(.body, to: batch.body, of: handle))
  }

  private func setRules() throws(HookFailure) {
    let schemes = library.set(.protocolNames, to: "http,https", of: handle)
    if schemes == CurlLibrary.Code.unknownOption {
      // libcurl before 7.85 has the same as a set of bits.
      let (http, https) = (1, 2)
      try check(library.set(.protocols, to: http | https, of: handle))
    } else {
      try check(schemes)
    }
    try check(library.set(.followsRedirects, to: 0, of: handle))
    // Otherwise libcurl would take a proxy from the environment.
    try check(library.set(.proxy, to: "", of: handle))
    try check(library.set(.checksCertificate, to: 1, of: handle))
    let nameOfCertificate = 2
    try check(library.set(.checksHost, to: nameOfCertificate, of: handle))
    if let authorities = options.authorities {
      try check(library.set(.authorities, to: authorities, of: handle))
    }
    try check(library.set(.usesNoSignals, to: 1, of: handle))
    let time = TransferOptions.milliseconds(options.timeout)
    try check(library.set(.milliseconds, to: time, of: handle))
    let connectionTime = TransferOptions.milliseconds(options.connectionTimeout)
    try check(library.set(.connectionMilliseconds, to: connectionTime, of: handle))
    try check(library.set(.idleSeconds, to: 60, of: handle))
    // Otherwise the end of a request waits until the name is looked up, which may take long, and all
    // others wait with it. libcurl before 7.87 always waits.
    let names = library.set(.waitsForNoNames, to: 1, of: handle)
    if names != CurlLibrary.Code.unknownOption { try check(names) }
  }

  private func setReceivers() throws(HookFailure) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    try check(library.set(.errorBuffer, to: errors, of: handle))
    try check(library.set(.headContext, to: context, of: handle))
    try check(
      library.set(
        .takeHead,
        to: { bytes, size, count, context in
          HookTransfer.transfer(context)?.takeHead(bytes, count: size * count) ?? 0
        }, of: handle))
    try check(library.set(.bodyContext, to: context, of: handle))
    try check(
      library.set(
        .takeBody,
        to: { _, size, count, context in
          HookTransfer.transfer(context)?.takeBody(count: size * count) ?? 0
        }, of: handle))
  }

  private static func transfer(_ context: UnsafeMutableRawPointer?) -> HookTransfer? {
    context.map { Unmanaged<HookTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Takes a line of the head: the status, a header, or the empty line at its end.
  private func takeHead(_ bytes: UnsafeMutablePointer<CChar>?, count: Int) -> Int {
    let line = UnsafeRawBufferPointer(start: bytes, count: count)
    if line.starts(with: "HTTP/".utf8) { isHeadComplete = false }
    if line.elementsEqual("\r\n".utf8) || line.elementsEqual("\n".utf8) { isHeadComplete = true }
    return count
  }

  /// Takes a part of the body; returns another number than its length to read no more.
  private func takeBody(count: Int) -> Int {
    bodyLength += count
    return bodyLength > Self.maxBodyLength ? 0 : count
  }

  /// The outcome of the transfer, which has ended with a code of libcurl.
  func outcome(_ code: Int32) -> Result<Void, any Error> {
    let status = library.number(.status, of: handle)
    // The bytes after a complete head do not matter, and heads below 200 precede the answer.
    guard isHeadComplete, status >= 200 else {
      return .failure(HookFailure(description: reason(code)))
    }
    if (200..<300).contains(status) { return .success(()) }
    return .failure(HookFailure(description: "the receiver answered \(status)"))
  }
}

extension HookTransfer {
  /// The text of libcurl for an error.
  private func text(of code: Int32) -> String {
    let detail = String(cString: errors)
    for prefix in ["SSL certificate problem: ", "SSL: "] where detail.hasPrefix(prefix) {
      return String(detail.dropFirst(prefix.count))
    }
    if !detail.isEmpty { return detail }
    return library.text(code).map { String(cString: $0) } ?? "libcurl reports the error \(code)"
  }

  /// Why the transfer ended without an answer.
  private func reason(_ code: Int32) -> String {
    switch code {
    case CurlLibrary.Code.unknownHost: return "the name of the receiver is not known"
    case CurlLibrary.Code.noConnection:
      let error = Int32(truncatingIfNeeded: library.number(.systemError, of: handle))
      return "no connection to the receiver: \(error == 0 ? text(of: code) : errorText(error))"
    case CurlLibrary.Code.timeout:
      let isConnected = library.seconds(.secondsToRequest, of: handle) > 0
      return isConnected
        ? "no answer within \(Self.shown(options.timeout)) s"
        : "no connection to the receiver within \(Self.shown(options.connectionTimeout)) s"
    case CurlLibrary.Code.wrongHost, CurlLibrary.Code.wrongCertificate:
      return "the certificate of the receiver is not valid: \(text(of: code))"
    case CurlLibrary.Code.noEncryption:
      return "no encrypted connection to the receiver: \(text(of: code))"
    case CurlLibrary.Code.noAnswer: return "the receiver closed the connection without an answer"
    default: return text(of: code)
    }
  }

  private static func shown(_ seconds: Double) -> String {
    let whole = Int(exactly: seconds)
    return whole.map { "\($0)" } ?? "\(seconds)"
  }
}
