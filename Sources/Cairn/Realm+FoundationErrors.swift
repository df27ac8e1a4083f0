import CairnGeometry
import CairnObjects
import CairnQuery
import Foundation

/// The conformances that let Foundation describe and bridge errors.
extension Realm.Error: LocalizedError, CustomNSError {
  /// The message: the failure, its location and the remedy.
  public var errorDescription: String? { description }

  /// The domain that Realm uses, so that programs that compare domains keep working.
  public static var errorDomain: String { "io.realm" }

  /// The raw value of the error's code.
  public var errorCode: Int { code.rawValue }

  /// The message, the name of the code and the path of the file.
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
  /// The message and the position in the predicate's text.
  public var errorDescription: String? { description }
}

extension GeometryError: LocalizedError {
  /// The message as a sentence, which names the problem and a remedy.
  public var errorDescription: String? { sentence }
}
