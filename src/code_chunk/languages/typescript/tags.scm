; function f(): void
(function_signature name: (_) @name) @definition.function

; abstract class C {}
(abstract_class_declaration
  name: (_) @name
  body: (_) @body) @definition.class

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
(interface_declaration
  name: (_) @name
  body: (_) @body) @definition.interface

; type T = {}
(type_alias_declaration
  name: (_) @name
  value: (_) @body) @definition.type

; enum E {}
(enum_declaration
  name: (_) @name
  body: (_) @body) @definition.enum

; namespace N {}
(internal_module
  name: (_) @name
  body: (_) @body) @definition.module

; module N {}
(module
  name: [(identifier) @name (nested_identifier) @name]
  body: (_)? @body) @definition.module

; declare module "m" {}
(ambient_declaration
  (module
    name: (string (string_fragment) @name)
    body: (_)? @body) @definition.module)

; declare global {}
(ambient_declaration
  "global" @name
  (statement_block) @body) @definition.module

; declare const LIMIT: number
(ambient_declaration
  (lexical_declaration
    kind: "const"
    (variable_declarator name: (identifier) @name) @definition.constant))

; export declare let x: number
(export_statement
  declaration: (ambient_declaration
    (_
      (variable_declarator name: (identifier) @name) @definition.constant)))

; namespace N { const LIMIT = 5 }
[
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

; o = { m() {}, n: () => 1 } as const, … satisfies T, … as const satisfies T
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
    (satisfies_expression (as_expression (object [
      (_
        name: (_) @name
        body: (_) @body) @definition.method
      (_
        key: (_) @name
        value: (_ body: [(statement_block) (expression)] @body)) @definition.method
    ])))
  ])

; let o = { m() {} } as const, var o: the parent of its methods
((variable_declarator
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
    (satisfies_expression (as_expression (object [
      (_ name: (_))
      (_ key: (_) value: (_ body: [(statement_block) (expression)]))
    ])))
  ] @body) @definition.constant
  (#set! max_level "3"))
