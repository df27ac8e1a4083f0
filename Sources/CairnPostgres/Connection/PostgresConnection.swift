import CairnSystem

/// A connection to a database. For use by one thread at a time, except for `cancel`.
package final class PostgresConnection: @unchecked Sendable {
  // Sendable: one thread at a time uses the connection; libpq allows `cancel` from any thread.
  let library: PostgresLibrary
  /// The address, for messages.
  package let address: PostgresAddress
  private let handle: OpaquePointer
  private let canceller: OpaquePointer?

  /// Connects to a database.
  ///
  /// - Throws: ``PostgresError`` with the server's or libpq's words, without the password.
  package init(_ address: PostgresAddress) throws(PostgresError) {
    let library = try PostgresLibrary.shared()
    try address.check(library)
    self.library = library
    self.address = address
    let handle = Self.open(library, address.text)
    guard let handle else { throw PostgresError(.connection, message: "libpq is out of memory") }
    self.handle = handle
    // The server's notices are for people at its own terminal.
    library.setNoticeProcessor(handle, { _, _ in }, nil)
    guard library.status(handle) == Self.isConnected else {
      let message = library.message(handle).map { OneLine.text(String(cString: $0)) } ?? ""
      library.finish(handle)
      throw PostgresError(.connection, message: message)
    }
    canceller = library.makeCancel(handle)
    RunningStatements.note(canceller, cancel: library.cancel)
    try prepareSession()
  }

  deinit {
    RunningStatements.forget(canceller)
    library.freeCancel(canceller)
    library.finish(handle)
  }

  private static let isConnected: Int32 = 0

  private static func open(_ library: PostgresLibrary, _ text: String) -> OpaquePointer? {
    let settings = [
      ("fallback_application_name", "cairn"), ("dbname", text), ("client_encoding", "UTF8"),
    ]
    let (names, values) = (settings.map { strdup($0.0) }, settings.map { strdup($0.1) })
    defer { for text in names + values { free(text) } }
    let ends: [UnsafePointer<CChar>?] = [nil]
    return library.connect(
      names.map { UnsafePointer($0) } + ends, values.map { UnsafePointer($0) } + ends, 1)
  }

  /// Fixes the forms of values as text, which otherwise depend on the server's settings.
  private func prepareSession() throws(PostgresError) {
    let settings = [
      ("TimeZone", "UTC"), ("DateStyle", "ISO, YMD"), ("IntervalStyle", "iso_8601"),
      ("standard_conforming_strings", "on"),
    ]
    // One statement, because each one takes a journey to the server.
    let list = settings.map { "set_config('\($0.0)', '\($0.1)', false)" }
    try execute("SELECT \(list.joined(separator: ", "))")
  }

  /// Asks the server to end the present statement, which then fails with an error of the kind
  /// `cancelled`. Any thread may call this.
  package func cancel() {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
      _ = library.cancel(canceller, message.baseAddress, 256)
    }
  }

  /// Whether the connection has not been found broken.
  package var isAlive: Bool { library.status(handle) == Self.isConnected }

  /// The settings of the connection by the names that libpq gives them, with the password.
  var settings: [String: String] {
    let options = library.info(handle)
    defer { library.freeOptions(options) }
    var settings: [String: String] = [:]
    guard var option = options?.assumingMemoryBound(to: PostgresOption.self) else { return [:] }
    while let name = option.pointee.keyword {
      settings[String(cString: name)] = option.pointee.value.map { String(cString: $0) }
      option += 1
    }
    // The password may come from a file, which the options do not say.
    settings["password"] = library.password(handle).map { String(cString: $0) }
    return settings
  }

  private func lastError(_ result: OpaquePointer? = nil) -> PostgresError {
    PostgresError(
      library, result: result, isAlive: isAlive,
      fallback: library.message(handle).map { OneLine.text(String(cString: $0)) } ?? "")
  }

  private func send(
    _ statement: String, _ parameters: [PostgresParameter], isBinary: Bool
  ) throws(PostgresError) {
    let isSent = parameters.withArrays { types, values, lengths, formats in
      library.send(
        handle, statement, Int32(parameters.count), types, values, lengths, formats,
        isBinary ? 1 : 0)
    }
    guard isSent == 1 else { throw lastError() }
  }
}

/// An element of the array that `PQconninfo` returns: libpq's `PQconninfoOption`.
private struct PostgresOption {
  var keyword: UnsafePointer<CChar>?
  var environmentVariable: UnsafePointer<CChar>?
  var compiledDefault: UnsafePointer<CChar>?
  var value: UnsafePointer<CChar>?
  var label: UnsafePointer<CChar>?
  var display: UnsafePointer<CChar>?
  var size: Int32
}

// Statements.
extension PostgresConnection {
  /// The states of a result.
  private enum Status {
    static let empty: Int32 = 0
    static let done: Int32 = 1
    static let rows: Int32 = 2
    static let copyOut: Int32 = 3
    static let copyIn: Int32 = 4
    static let singleRow: Int32 = 9
  }

  /// Runs a statement, and returns its rows as texts.
  ///
  /// - Returns: The rows; nil is null.
  @discardableResult
  package func execute(
    _ statement: String, _ parameters: [PostgresParameter] = []
  ) throws(PostgresError) -> [[String?]] {
    try send(statement, parameters, isBinary: false)
    var rows: [[String?]] = []
    try eachResult { result throws(PostgresError) in
      for row in 0..<library.rowCount(result) {
        rows.append(
          (0..<library.columnCount(result)).map { column in
            library.isNull(result, row, column) == 1
              ? nil
              : library.value(result, row, column).map { String(cString: $0) }
          })
      }
    }
    return rows
  }

  /// Runs a statement, and calls `body` with each row in binary form as it arrives. Memory does not
  /// grow with the number of rows.
  ///
  /// - Throws: ``PostgresError``, or the error of `body`, which also cancels the statement.
  package func forEachRow(
    _ statement: String, _ parameters: [PostgresParameter] = [],
    body: (PostgresRowView) throws(PostgresError) -> Void
  ) throws(PostgresError) {
    try send(statement, parameters, isBinary: true)
    _ = library.setSingleRowMode(handle)
    try eachResult { result throws(PostgresError) in
      guard library.rowCount(result) > 0 else { return }
      try body(PostgresRowView(library: library, result: result))
    }
  }

  /// Calls `body` with each result of a statement. After an error, the others are dropped, so that
  /// the connection can be used again.
  private func eachResult(
    _ body: (OpaquePointer) throws(PostgresError) -> Void
  ) throws(PostgresError) {
    var failure: PostgresError?
    while let result = library.nextResult(handle) {
      defer { library.clear(result) }
      guard failure == nil else { continue }
      switch library.resultStatus(result) {
      case Status.empty, Status.done, Status.rows, Status.singleRow:
        do throws(PostgresError) { try body(result) } catch {
          failure = error
          cancel()
        }
      case Status.copyIn:
        failure = PostgresError(.usage, message: "the statement copies data")
        _ = library.putCopyEnd(handle, "not expected")
      default: failure = lastError(result)
      }
    }
    if failure == nil, !isAlive { failure = lastError() }
    if let failure { throw failure }
  }
}

// Copying.
extension PostgresConnection {
  /// Runs `COPY … FROM STDIN`, with the data that `body` sends.
  ///
  /// - Throws: ``PostgresError``, or the error of `body`; the server then keeps no row of it.
  package func copyIn(
    _ statement: String, body: (CopyInput) throws(PostgresError) -> Void
  ) throws(PostgresError) {
    try beginCopy(statement, expecting: Status.copyIn)
    var failure: PostgresError?
    do throws(PostgresError) {
      try body(CopyInput { (bytes) throws(PostgresError) in try self.put(bytes) })
      guard library.putCopyEnd(handle, nil) == 1 else { throw lastError() }
    } catch {
      failure = error
      _ = library.putCopyEnd(handle, "the sender has stopped")
    }
    do throws(PostgresError) { try eachResult { _ throws(PostgresError) in } } catch {
      // The server's own words say more than a broken pipe.
      if failure == nil || failure?.kind == .connection { failure = error }
    }
    if let failure { throw failure }
  }

  /// Runs a statement that begins to copy.
  private func beginCopy(_ statement: String, expecting: Int32) throws(PostgresError) {
    try send(statement, [], isBinary: false)
    let result = library.nextResult(handle)
    defer { library.clear(result) }
    guard library.resultStatus(result) == expecting else {
      let error = lastError(result)
      while let next = library.nextResult(handle) { library.clear(next) }
      throw error
    }
  }

  private func put(_ bytes: UnsafeRawBufferPointer) throws(PostgresError) {
    let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard library.putCopyData(handle, base, Int32(bytes.count)) == 1 else { throw lastError() }
  }

  /// Runs `COPY … TO STDOUT`, and calls `body` with each message of the server.
  package func copyOut(
    _ statement: String, body: (UnsafeRawBufferPointer) throws(PostgresError) -> Void
  ) throws(PostgresError) {
    try beginCopy(statement, expecting: Status.copyOut)
    var failure: PostgresError?
    while true {
      var message: UnsafeMutablePointer<UInt8>?
      let count = library.getCopyData(handle, &message, 0)
      guard count > 0 else { break }
      defer { library.free(message) }
      guard failure == nil else { continue }
      do throws(PostgresError) {
        try body(UnsafeRawBufferPointer(start: message, count: Int(count)))
      } catch {
        failure = error
        cancel()
      }
    }
    do throws(PostgresError) { try eachResult { _ throws(PostgresError) in } } catch {
      if failure == nil { failure = error }
    }
    if let failure { throw failure }
  }
}

/// The data of a running `COPY … FROM STDIN`.
package struct CopyInput {
  private let put: (UnsafeRawBufferPointer) throws(PostgresError) -> Void

  init(_ put: @escaping (UnsafeRawBufferPointer) throws(PostgresError) -> Void) { self.put = put }

  /// Sends bytes. The pieces need not end where rows do.
  package func send(_ bytes: UnsafeRawBufferPointer) throws(PostgresError) { try put(bytes) }
}

/// A row of a result in binary form. It is valid until the next row.
package struct PostgresRowView {
  private let library: PostgresLibrary
  private let result: OpaquePointer

  init(library: PostgresLibrary, result: OpaquePointer) {
    self.library = library
    self.result = result
  }

  /// Returns the bytes of a value; nil for null. Valid until the next row.
  @inline(__always)
  package func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
    assert(
      column >= 0 && column < library.columnCount(result), "the column is outside of the row")
    guard library.isNull(result, 0, Int32(column)) == 0 else { return nil }
    return UnsafeRawBufferPointer(
      start: library.value(result, 0, Int32(column)),
      count: Int(library.length(result, 0, Int32(column))))
  }
}
