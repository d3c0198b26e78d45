; Of the patterns for one name the first counts: classes before functions (a class, too, is an expression with a
; body), and both before constants.
;
; `(_ body: (_))` is an arrow function, a function or a class, `(_ body: [(statement_block) (expression)])` none
; but the first two. Wildcards with fields compile several times as fast as node types do. A pattern that begins
; at a node is looked at for all that is inside, so `program` and other large nodes are dear.

; class C {}
(class_declaration
  name: (_) @name
  body: (_) @body) @definition.class

; export default class {}
(export_statement
  "default" @name
  value: (_ body: (class_body) @body)) @definition.class

; const C = class {}
(variable_declarator
  name: (identifier) @name
  value: (_ body: (class_body) @body)) @definition.class

; exports.C = class {}, module.exports.C = class {}
(assignment_expression
  left: (_
    object: [
      (identifier) @_exports
      (_
        object: (identifier) @_module
        property: (_) @_exports)
    ]
    property: (_) @name)
  right: (_ body: (class_body) @body)
  (#eq? @_module "module")
  (#eq? @_exports "exports")) @definition.class

; o = { C: class {} }
(variable_declarator
  name: (identifier)
  value: (object
    (_
      key: (_) @name
      value: (_ body: (class_body) @body)) @definition.class))

; a class expression that has only its own name: module.exports = class C {}
(class
  name: (_) @name
  body: (_) @body) @definition.class

; function f() {}
[
  (function_declaration
    name: (_) @name
    body: (_) @body)
  (generator_function_declaration
    name: (_) @name
    body: (_) @body)
] @definition.function

; export default function () {}, export default () => 1
(export_statement
  "default" @name
  value: (_ body: (_) @body)) @definition.function

; const f = () => 1
(variable_declarator
  name: (identifier) @name
  value: (_ body: (_) @body)) @definition.function

; exports.f = function () {}, module.exports.f = () => 1
(assignment_expression
  left: (_
    object: [
      (identifier) @_exports
      (_
        object: (identifier) @_module
        property: (_) @_exports)
    ]
    property: (_) @name)
  right: (_ body: (_) @body)
  (#eq? @_module "module")
  (#eq? @_exports "exports")) @definition.function

; X.prototype.m = function () {}
(assignment_expression
  left: (_
    object: (_
      object: (_) @scope
      property: (_) @_prototype)
    property: (_) @name)
  right: (_ body: (_) @body)
  (#eq? @_prototype "prototype")) @definition.method

; m() {} in a class
(class_body
  (_
    name: (_) @name
    body: (_) @body) @definition.method)

; What is left of a class, or of a function behind it, in broken code.
(ERROR
  (method_definition
    name: (_) @name
    body: (_) @body) @definition.method)

(ERROR
  (function_expression
    name: (_) @name
    body: (_) @body) @definition.function)

; o = { m() {}, n: () => 1 }
(variable_declarator
  name: (identifier)
  value: (object [
    (_
      name: (_) @name
      body: (_) @body) @definition.method
    (_
      key: (_) @name
      value: (_ body: [(statement_block) (expression)] @body)) @definition.method
  ]))

; export const LIMIT = 5, export let x
(export_statement
  declaration: (_
    (variable_declarator
      name: (identifier) @name
      value: (_)? @body) @definition.constant))

; const LIMIT = 5. What stands in a block or a callback is not at module level, though no entity encloses it:
; so the pattern begins at the root, which is an ERROR in a file that is broken altogether.
[
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

; let o = { m() {} }, var o: the parent of its methods. A local one is dropped, and its methods with it.
((variable_declarator
  name: (identifier) @name
  value: (object [
    (_ name: (_))
    (_ key: (_) value: (_ body: [(statement_block) (expression)]))
  ]) @body) @definition.constant
  (#set! max_level "3"))

; export { a, b as c } from 's'
(export_statement
  (export_clause [
    (export_specifier alias: _ @name)
    (export_specifier
      name: _ @name
      !alias)
  ])) @definition.export

(export_statement
  (export_clause) @body
  source: (string) @import.prefix)

; export * as n from 's'
(export_statement
  (namespace_export (_) @name)
  source: (string) @import.source) @definition.export

; export * from 's'
(export_statement
  "*" @name
  source: (string) @import.source) @definition.export

(comment) @doc
