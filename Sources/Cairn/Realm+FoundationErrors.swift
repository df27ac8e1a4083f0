import CairnGeometry
import CairnObjects
import CairnQuery
import Foundation

/// The conformances that let Foundation describe and bridge errors.
extension Realm.Error: LocalizedError, CustomNSError {
  /// What happened, where, and what to do.
  public var errorDescription: String? { description }

  /// Realm's own, so that programs which compare domains find it.
  public static var errorDomain: String { "io.realm" }

  /// The number of the code.
  public var errorCode: Int { code.rawValue }

  /// The sentence, the name of the code and the path of the file.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [
      NSLocalizedDescriptionKey: description, "RLMErrorCodeNameKey": "\(code)",
    ]
    if let fileURL {
      info[NSFilePathErrorKey] = fileURL.path
      info[NSURLErrorKey] = fileURL
    }
    return info
  }
}

extension CairnQuery.PredicateError: LocalizedError {
  /// The message, and the place in the text.
  public var errorDescription: String? { description }
}

extension GeometryError: LocalizedError {
  /// A sentence that a person can act on.
  public var errorDescription: String? { message }
}
