; import x = require('s')
(import_statement
  (import_require_clause
    (identifier) @import.name
    source: (string) @import.source)) @import

; import A = B.C, export import A = B.C
(import_alias
  . (identifier) @import.name
  (_) @import.source .) @import
