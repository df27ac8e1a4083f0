internal import CCurl
import CairnSystem

/// The functions of libcurl, looked up when the first client of hooks is made.
struct CurlLibrary: Sendable {
  /// A transfer, a group of transfers, or a list of texts.
  typealias Handle = UnsafeMutableRawPointer
  typealias Text = UnsafePointer<CChar>

  let makeTransfer: @convention(c) () -> Handle?
  let freeTransfer: @convention(c) (Handle) -> Void
  let text: @convention(c) (Int32) -> Text?
  let append: @convention(c) (Handle?, Text) -> Handle?
  let freeList: @convention(c) (Handle?) -> Void
  private let setOption: cairn_curl_function
  private let readFigure: cairn_curl_function

  let makeGroup: @convention(c) () -> Handle?
  let freeGroup: @convention(c) (Handle) -> Int32
  let add: @convention(c) (Handle, Handle) -> Int32
  let remove: @convention(c) (Handle, Handle) -> Int32
  let advance: @convention(c) (Handle, UnsafeMutablePointer<Int32>) -> Int32
  private let nextMessage:
    @convention(c) (Handle, UnsafeMutablePointer<Int32>) -> UnsafeMutablePointer<
      cairn_curl_message
    >?
  let wait:
    @convention(c) (Handle, UnsafeMutableRawPointer?, UInt32, Int32, UnsafeMutablePointer<Int32>?)
      -> Int32
  let wake: @convention(c) (Handle) -> Int32

  /// The names of the library on Debian with OpenSSL and with GnuTLS, and on macOS.
  static let files = [
    "libcurl.so.4", "libcurl-gnutls.so.4", "/usr/lib/libcurl.4.dylib", "libcurl.4.dylib",
    "libcurl.dylib",
  ]

  private static let loaded = Result { () throws(LibraryError) in try CurlLibrary(files: files) }

  /// The library.
  ///
  /// - Throws: ``ServiceError`` if it is not installed.
  static func shared() throws(ServiceError) -> CurlLibrary {
    do throws(LibraryError) { return try loaded.get() } catch {
      throw ServiceError(description: error.message)
    }
  }

  /// Opens the first of the files that exists. A process does that once.
  init(files: [String]) throws(LibraryError) {
    let library = try DynamicLibrary(
      name: "libcurl", files: files, advice: "apt install libcurl4, or brew install curl")
    makeTransfer = try library.function("curl_easy_init")
    freeTransfer = try library.function("curl_easy_cleanup")
    text = try library.function("curl_easy_strerror")
    append = try library.function("curl_slist_append")
    freeList = try library.function("curl_slist_free_all")
    setOption = try library.function("curl_easy_setopt")
    readFigure = try library.function("curl_easy_getinfo")
    makeGroup = try library.function("curl_multi_init")
    freeGroup = try library.function("curl_multi_cleanup")
    add = try library.function("curl_multi_add_handle")
    remove = try library.function("curl_multi_remove_handle")
    advance = try library.function("curl_multi_perform")
    nextMessage = try library.function("curl_multi_info_read")
    wait = try library.function("curl_multi_poll")
    wake = try library.function("curl_multi_wakeup")
    let start: @convention(c) (Int) -> Int32 = try library.function("curl_global_init")
    let everything = 3
    guard start(everything) == 0 else {
      throw LibraryError(message: "the library libcurl does not start")
    }
  }
}

extension CurlLibrary {
  /// The options of a transfer, with their numbers in curl.h.
  enum Option: Int32 {
    case post = 47
    case followsRedirects = 52
    case checksCertificate = 64
    case checksHost = 81
    case usesNoSignals = 99
    case milliseconds = 155
    case connectionMilliseconds = 156
    case protocols = 181
    case idleSeconds = 288
    case waitsForNoNames = 322
    case bodyContext = 10_001
    case url = 10_002
    case proxy = 10_004
    case errorBuffer = 10_010
    case userAgent = 10_018
    case headers = 10_023
    case headContext = 10_029
    case authorities = 10_065
    case body = 10_165
    case protocolNames = 10_318
    case takeBody = 20_011
    case takeHead = 20_079
    case bodySize = 30_120
  }

  /// The figures of a transfer, with their numbers in curl.h.
  enum Figure: Int32 {
    case status = 0x200002
    case systemError = 0x200019
    case secondsToRequest = 0x300006
  }

  /// The results of transfers that have a text of their own, with their numbers in curl.h.
  enum Code {
    static let unknownHost: Int32 = 6
    static let noConnection: Int32 = 7
    static let timeout: Int32 = 28
    static let noEncryption: Int32 = 35
    static let unknownOption: Int32 = 48
    static let wrongHost: Int32 = 51
    static let noAnswer: Int32 = 52
    static let wrongCertificate: Int32 = 60
  }

  /// The size of the buffer for the text of an error.
  static let errorSize = 256

  /// Sets an option to a number; returns a code that is not 0 if libcurl refuses it.
  func set(_ option: Option, to value: Int, of transfer: Handle) -> Int32 {
    cairn_curl_set_number(setOption, transfer, option.rawValue, value)
  }

  /// Sets an option that is a number of bytes.
  func setSize(_ option: Option, to value: Int, of transfer: Handle) -> Int32 {
    cairn_curl_set_size(setOption, transfer, option.rawValue, Int64(value))
  }

  /// Sets an option to a pointer. libcurl copies texts.
  func set(_ option: Option, to value: UnsafeRawPointer?, of transfer: Handle) -> Int32 {
    cairn_curl_set_pointer(setOption, transfer, option.rawValue, value)
  }

  /// Sets an option to a function.
  func set(
    _ option: Option, to value: @escaping cairn_curl_receiver, of transfer: Handle
  ) -> Int32 {
    cairn_curl_set_receiver(setOption, transfer, option.rawValue, value)
  }

  /// The next transfer of a group that has ended, and its code; nil if all go on.
  func nextEnd(in group: Handle) -> (transfer: Handle, code: Int32)? {
    let done: Int32 = 1
    var count: Int32 = 0
    while let message = nextMessage(group, &count)?.pointee {
      if message.kind == done, let transfer = message.transfer {
        return (transfer, message.result.code)
      }
    }
    return nil
  }

  /// A figure that is a number; 0 if it is not known.
  func number(_ figure: Figure, of transfer: Handle) -> Int {
    cairn_curl_number(readFigure, transfer, figure.rawValue)
  }

  /// A figure that is a time; 0 if it is not known.
  func seconds(_ figure: Figure, of transfer: Handle) -> Double {
    cairn_curl_seconds(readFigure, transfer, figure.rawValue)
  }
}
