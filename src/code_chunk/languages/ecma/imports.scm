; One import per bound name.

(import_statement
  (import_clause (identifier) @import.name)
  source: (string) @import.source
  (#set! is_default)) @import

(import_statement
  (import_clause (namespace_import (identifier) @import.name))
  source: (string) @import.source
  (#set! is_namespace)) @import

(import_statement
  (import_clause (named_imports (import_specifier alias: (_) @import.name)))
  source: (string) @import.source) @import

(import_statement
  (import_clause (named_imports (import_specifier name: (_) @import.name !alias)))
  source: (string) @import.source) @import

; Without a name: `import './s'`, `import {} from './s'`.

(import_statement . (string) @import.source) @import

(import_statement
  (import_clause . (named_imports . "{" . "}") .)
  source: (string) @import.source) @import

; CommonJS. The first of several declarators takes the keyword in front, as in tags.scm.

((lexical_declaration kind: _ @import . (variable_declarator
    name: [
      (identifier) @import.name
      (object_pattern [
        (shorthand_property_identifier_pattern) @import.name
        (pair_pattern value: [(identifier) @import.name (assignment_pattern left: (_) @import.name)])
        (object_assignment_pattern left: (_) @import.name)
        (rest_pattern (identifier) @import.name)
      ])
    ]
    value: (call_expression
      function: (identifier) @_require
      arguments: (arguments . (string) @import.source .))) @import)
  (#eq? @_require "require"))

((variable_declaration "var" @import . (variable_declarator
    name: [
      (identifier) @import.name
      (object_pattern [
        (shorthand_property_identifier_pattern) @import.name
        (pair_pattern value: [(identifier) @import.name (assignment_pattern left: (_) @import.name)])
        (object_assignment_pattern left: (_) @import.name)
        (rest_pattern (identifier) @import.name)
      ])
    ]
    value: (call_expression
      function: (identifier) @_require
      arguments: (arguments . (string) @import.source .))) @import)
  (#eq? @_require "require"))

((variable_declarator
    name: [
      (identifier) @import.name
      (object_pattern [
        (shorthand_property_identifier_pattern) @import.name
        (pair_pattern value: [(identifier) @import.name (assignment_pattern left: (_) @import.name)])
        (object_assignment_pattern left: (_) @import.name)
        (rest_pattern (identifier) @import.name)
      ])
    ]
    value: (call_expression
      function: (identifier) @_require
      arguments: (arguments . (string) @import.source .))) @import
  (#eq? @_require "require"))
