// The options, the errors and the results of imports, which programs use with the functions of this
// module.
@_exported public import CairnIO
