; import a.b
(import_statement
  name: (dotted_name) @import.source) @import

; import a.b as c
(import_statement
  name: (aliased_import
    name: (dotted_name) @import.source
    alias: (identifier) @import.name)) @import

; from m import a
(import_from_statement
  module_name: (_) @import.source
  name: (dotted_name) @import.name) @import

; from m import a as b
(import_from_statement
  module_name: (_) @import.source
  name: (aliased_import
    alias: (identifier) @import.name)) @import

; from m import *
(import_from_statement
  module_name: (_) @import.source
  (wildcard_import) @import.name) @import

; from __future__ import a
(future_import_statement
  "__future__" @import.source
  name: (dotted_name) @import.name) @import

; from __future__ import a as b
(future_import_statement
  "__future__" @import.source
  name: (aliased_import
    alias: (identifier) @import.name)) @import
