; One pattern holds all forms of a declaration: exported, declared, both or neither.

; function f(): void
[
  (export_statement
    declaration: (ambient_declaration
      (function_signature name: (_) @name)))
  (export_statement
    declaration: (function_signature name: (_) @name))
  (ambient_declaration
    (function_signature name: (_) @name))
  (function_signature name: (_) @name)
] @definition.function

; declare class C {}
[
  (export_statement
    declaration: (ambient_declaration
      (class_declaration
        name: (_) @name
        body: (_) @body)))
  (ambient_declaration
    (class_declaration
      name: (_) @name
      body: (_) @body))
] @definition.class

; abstract class C {}
[
  (export_statement
    declaration: (ambient_declaration
      (abstract_class_declaration
        name: (_) @name
        body: (_) @body)))
  (export_statement
    declaration: (abstract_class_declaration
      name: (_) @name
      body: (_) @body))
  (ambient_declaration
    (abstract_class_declaration
      name: (_) @name
      body: (_) @body))
  (abstract_class_declaration
    name: (_) @name
    body: (_) @body)
] @definition.class

; m(): void, abstract m(): void
[
  (class_body
    (abstract_method_signature name: (_) @name) @definition.method)
  (class_body
    (method_signature name: (_) @name) @definition.method)
  (interface_body
    (method_signature name: (_) @name) @definition.method)
]

; a class field that holds a class
(class_body
  (_
    name: (_) @name
    value: (_ body: (class_body) @body)) @definition.class)

; a class field that holds a function
(class_body
  (_
    name: (_) @name
    value: (_ body: (_) @body)) @definition.method)

; interface I {}
[
  (export_statement
    declaration: (ambient_declaration
      (interface_declaration
        name: (_) @name
        body: (_) @body)))
  (export_statement
    declaration: (interface_declaration
      name: (_) @name
      body: (_) @body))
  (ambient_declaration
    (interface_declaration
      name: (_) @name
      body: (_) @body))
  (interface_declaration
    name: (_) @name
    body: (_) @body)
] @definition.interface

; type T = {}
[
  (export_statement
    declaration: (ambient_declaration
      (type_alias_declaration
        name: (_) @name
        value: (_) @body)))
  (export_statement
    declaration: (type_alias_declaration
      name: (_) @name
      value: (_) @body))
  (ambient_declaration
    (type_alias_declaration
      name: (_) @name
      value: (_) @body))
  (type_alias_declaration
    name: (_) @name
    value: (_) @body)
] @definition.type

; enum E {}
[
  (export_statement
    declaration: (ambient_declaration
      (enum_declaration
        name: (_) @name
        body: (_) @body)))
  (export_statement
    declaration: (enum_declaration
      name: (_) @name
      body: (_) @body))
  (ambient_declaration
    (enum_declaration
      name: (_) @name
      body: (_) @body))
  (enum_declaration
    name: (_) @name
    body: (_) @body)
] @definition.enum

; namespace N {}
[
  (export_statement
    declaration: (ambient_declaration
      (internal_module
        name: (_) @name
        body: (_) @body)))
  (export_statement
    declaration: (internal_module
      name: (_) @name
      body: (_) @body))
  (ambient_declaration
    (internal_module
      name: (_) @name
      body: (_) @body))
  (internal_module
    name: (_) @name
    body: (_) @body)
] @definition.module

; declare module "m" {}, module N {}
[
  (export_statement
    declaration: (ambient_declaration
      (module
        name: [(string (string_fragment) @name) (identifier) @name (nested_identifier) @name]
        body: (_)? @body)))
  (export_statement
    declaration: (module
      name: [(identifier) @name (nested_identifier) @name]
      body: (_)? @body))
  (ambient_declaration
    (module
      name: [(string (string_fragment) @name) (identifier) @name (nested_identifier) @name]
      body: (_)? @body))
  (module
    name: [(identifier) @name (nested_identifier) @name]
    body: (_)? @body)
] @definition.module

; declare global {}
(ambient_declaration
  "global" @name
  (statement_block) @body) @definition.module

; declare const LIMIT: number, export declare let x: number
[
  (export_statement
    "export" @definition.constant
    declaration: (ambient_declaration
      (_
        . (variable_declarator name: (identifier) @name) @definition.constant)))
  (ambient_declaration
    "declare" @definition.constant
    (lexical_declaration
      kind: "const"
      . (variable_declarator name: (identifier) @name) @definition.constant))
]

(export_statement
  declaration: (ambient_declaration
    (lexical_declaration
      kind: "const"
      (variable_declarator name: (identifier) @name) @definition.constant))
  (#set! signature.prefix "export declare const "))

(export_statement
  declaration: (ambient_declaration
    (lexical_declaration
      kind: "let"
      (variable_declarator name: (identifier) @name) @definition.constant))
  (#set! signature.prefix "export declare let "))

(export_statement
  declaration: (ambient_declaration
    (variable_declaration
      (variable_declarator name: (identifier) @name) @definition.constant))
  (#set! signature.prefix "export declare var "))

(ambient_declaration
  (lexical_declaration
    kind: "const"
    (variable_declarator name: (identifier) @name) @definition.constant)
  (#set! signature.prefix "declare const "))

; namespace N { const LIMIT = 5 }
[
  (internal_module
    body: (_
      (lexical_declaration
        kind: "const" @definition.constant
        . (variable_declarator
          name: (identifier) @name
          value: (_)? @body) @definition.constant)))
  (module
    body: (_
      (lexical_declaration
        kind: "const" @definition.constant
        . (variable_declarator
          name: (identifier) @name
          value: (_)? @body) @definition.constant)))
  (ambient_declaration
    (statement_block
      (lexical_declaration
        kind: "const" @definition.constant
        . (variable_declarator
          name: (identifier) @name
          value: (_)? @body) @definition.constant)))
]

([
  (internal_module
    body: (_
      (lexical_declaration
        kind: "const"
        (variable_declarator
          name: (identifier) @name
          value: (_)? @body) @definition.constant)))
  (module
    body: (_
      (lexical_declaration
        kind: "const"
        (variable_declarator
          name: (identifier) @name
          value: (_)? @body) @definition.constant)))
  (ambient_declaration
    (statement_block
      (lexical_declaration
        kind: "const"
        (variable_declarator
          name: (identifier) @name
          value: (_)? @body) @definition.constant)))
  ]
  (#set! signature.prefix "const "))

; o = { m() {}, n: () => 1 } as const
(variable_declarator
  name: (identifier)
  value: [
    (as_expression (object [
      (_
        name: (_) @name
        body: (_) @body) @definition.method
      (_
        key: (_) @name
        value: (_ body: [(statement_block) (expression)] @body)) @definition.method
    ]))
    (satisfies_expression (object [
      (_
        name: (_) @name
        body: (_) @body) @definition.method
      (_
        key: (_) @name
        value: (_ body: [(statement_block) (expression)] @body)) @definition.method
    ]))
  ])

; let o = { m() {} } as const, var o: the parent of its methods
(
  [
    (lexical_declaration
      kind: _ @definition.constant
      . (variable_declarator
        name: (identifier) @name
        value: [
          (as_expression (object [
            (_ name: (_))
            (_ key: (_) value: (_ body: [(statement_block) (expression)]))
          ]))
          (satisfies_expression (object [
            (_ name: (_))
            (_ key: (_) value: (_ body: [(statement_block) (expression)]))
          ]))
        ] @body) @definition.constant)
    (variable_declaration
      "var" @definition.constant
      . (variable_declarator
        name: (identifier) @name
        value: [
          (as_expression (object [
            (_ name: (_))
            (_ key: (_) value: (_ body: [(statement_block) (expression)]))
          ]))
          (satisfies_expression (object [
            (_ name: (_))
            (_ key: (_) value: (_ body: [(statement_block) (expression)]))
          ]))
        ] @body) @definition.constant)
    (variable_declarator
      name: (identifier) @name
      value: [
        (as_expression (object [
          (_ name: (_))
          (_ key: (_) value: (_ body: [(statement_block) (expression)]))
        ]))
        (satisfies_expression (object [
          (_ name: (_))
          (_ key: (_) value: (_ body: [(statement_block) (expression)]))
        ]))
      ] @body) @definition.constant
  ]
  (#set! max_level "3"))
