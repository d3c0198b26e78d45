; Of the patterns for one name the first counts, so exported forms stand before plain ones.

(export_statement
  declaration: [
    (function_declaration name: (_) @name body: (_) @body)
    (generator_function_declaration name: (_) @name body: (_) @body)
  ]) @definition.function

(function_declaration
  name: (_) @name
  body: (_) @body) @definition.function

(generator_function_declaration
  name: (_) @name
  body: (_) @body) @definition.function

(export_statement
  declaration: (class_declaration
    name: (_) @name
    body: (_) @body)) @definition.class

(class_declaration
  name: (_) @name
  body: (_) @body) @definition.class

; The default export without a name of its own.

(export_statement
  "default" @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.function

(export_statement
  "default" @name
  value: (class body: (_) @body)) @definition.class

; Functions and classes bound to a name. A declaration may have several declarators: the first one's range
; starts at the keyword, the range of another is that declarator.

(export_statement
  "export" @definition.function
  declaration: (_ . (variable_declarator
    name: (identifier) @name
    value: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ]) @definition.function))

(lexical_declaration
  kind: _ @definition.function
  . (variable_declarator
    name: (identifier) @name
    value: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ]) @definition.function)

(variable_declaration
  "var" @definition.function
  . (variable_declarator
    name: (identifier) @name
    value: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ]) @definition.function)

(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.function

(export_statement
  "export" @definition.class
  declaration: (_ . (variable_declarator
    name: (identifier) @name
    value: (class body: (_) @body)) @definition.class))

(lexical_declaration
  kind: _ @definition.class
  . (variable_declarator
    name: (identifier) @name
    value: (class body: (_) @body)) @definition.class)

(variable_declaration
  "var" @definition.class
  . (variable_declarator
    name: (identifier) @name
    value: (class body: (_) @body)) @definition.class)

(variable_declarator
  name: (identifier) @name
  value: (class body: (_) @body)) @definition.class

; CommonJS and prototypes.

(assignment_expression
  left: (member_expression
    object: [
      (identifier) @_exports
      (member_expression
        object: (identifier) @_module
        property: (property_identifier) @_exports)
    ]
    property: (_) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]
  (#eq? @_module "module")
  (#eq? @_exports "exports")) @definition.function

(assignment_expression
  left: (member_expression
    object: [
      (identifier) @_exports
      (member_expression
        object: (identifier) @_module
        property: (property_identifier) @_exports)
    ]
    property: (_) @name)
  right: (class body: (_) @body)
  (#eq? @_module "module")
  (#eq? @_exports "exports")) @definition.class

(assignment_expression
  left: (member_expression
    object: (member_expression
      object: (_) @scope
      property: (property_identifier) @_prototype)
    property: (_) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]
  (#eq? @_prototype "prototype")) @definition.method

; Class expressions that only have a name of their own.

(class
  name: (_) @name
  body: (_) @body) @definition.class

; Methods.

(class_body
  (method_definition
    name: (_) @name
    body: (_) @body) @definition.method)

; Constants: `const`, and everything that is exported. Only at module level, so from the root (or the ERROR
; that a broken file has there) downwards.

(export_statement
  "export" @definition.constant
  declaration: (_ . (variable_declarator
    name: (identifier) @name
    value: (_)? @body) @definition.constant))

(export_statement
  declaration: (lexical_declaration
    kind: "const"
    (variable_declarator
      name: (identifier) @name
      value: (_)? @body) @definition.constant)
  (#set! signature.prefix "export const "))

(export_statement
  declaration: (lexical_declaration
    kind: "let"
    (variable_declarator
      name: (identifier) @name
      value: (_)? @body) @definition.constant)
  (#set! signature.prefix "export let "))

(export_statement
  declaration: (variable_declaration
    (variable_declarator
      name: (identifier) @name
      value: (_)? @body) @definition.constant)
  (#set! signature.prefix "export var "))

[
  (program
    (lexical_declaration
      kind: "const" @definition.constant
      . (variable_declarator
        name: (identifier) @name
        value: (_) @body) @definition.constant))
  (ERROR
    (lexical_declaration
      kind: "const" @definition.constant
      . (variable_declarator
        name: (identifier) @name
        value: (_) @body) @definition.constant))
]

([
  (program
    (lexical_declaration
      kind: "const"
      (variable_declarator
        name: (identifier) @name
        value: (_) @body) @definition.constant))
  (ERROR
    (lexical_declaration
      kind: "const"
      (variable_declarator
        name: (identifier) @name
        value: (_) @body) @definition.constant))
  ]
  (#set! signature.prefix "const "))

; Exports.

(export_statement
  (export_clause (export_specifier alias: (_) @name))
  source: (string)? @import.source) @definition.export

(export_statement
  (export_clause (export_specifier name: (_) @name !alias))
  source: (string)? @import.source) @definition.export

(export_statement
  (namespace_export (_) @name)
  source: (string) @import.source) @definition.export

(export_statement
  "*" @name
  source: (string) @import.source) @definition.export

; A JSDoc block, if the text says so.

(comment) @doc
