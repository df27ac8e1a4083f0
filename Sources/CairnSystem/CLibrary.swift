// The platform's C library, under one name for all modules.
#if canImport(Glibc)
@_exported import Glibc
#elseif canImport(Musl)
@_exported import Musl
#else
@_exported import Darwin
#endif

/// The system's message for an error number, such as `errno`.
package func errorText(_ code: Int32) -> String { String(cString: strerror(code)) }
