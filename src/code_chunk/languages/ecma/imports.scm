; A list of names may be long: a pattern that held each name until the source behind the list comes would be
; quadratic and worse. So the names are found by themselves, and the source is a prefix of all of them.

; import d from 's'
(import_statement
  (import_clause (identifier) @import.name)
  source: (string) @import.source
  (#set! is_default)) @import

; import * as n from 's'
(import_statement
  (import_clause (namespace_import (identifier) @import.name))
  source: (string) @import.source
  (#set! is_namespace)) @import

; import { a, b as c } from 's'
(import_statement
  (import_clause (named_imports) @body)
  source: (string) @import.prefix) @import

((import_specifier
  (_) @import.name .)
  (#set! source ""))

; import 's'
(import_statement
  . (string) @import.source) @import

; import {} from 's'
(import_statement
  (import_clause . (named_imports . "{" . "}") .)
  source: (string) @import.source) @import

; const x = require('s')
(variable_declarator
  name: (identifier) @import.name
  value: (_
    function: (identifier) @_require
    arguments: (_ . (string) @import.source .))
  (#eq? @_require "require")) @import

; const { a, b: c } = require('s')
(variable_declarator
  name: (object_pattern) @body
  value: (_
    function: (identifier) @_require
    arguments: (_ . (string) @import.prefix .))
  (#eq? @_require "require")) @import

(variable_declarator
  name: (object_pattern
    [
      (shorthand_property_identifier_pattern) @import.name
      (pair_pattern value: [(identifier) @import.name (assignment_pattern left: (_) @import.name)])
      (object_assignment_pattern left: (_) @import.name)
      (rest_pattern (identifier) @import.name)
    ])
  (#set! source ""))
