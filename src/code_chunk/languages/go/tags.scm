; Functions and methods. A receiver names the type; it may be a pointer, generic, in parentheses.

(function_declaration
  name: (identifier) @name
  body: (block)? @body) @definition.function

(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @scope
        (generic_type type: (type_identifier) @scope)
        (pointer_type [(type_identifier) @scope (generic_type type: (type_identifier) @scope)])
        (parenthesized_type [
          (type_identifier) @scope
          (generic_type type: (type_identifier) @scope)
          (pointer_type [(type_identifier) @scope (generic_type type: (type_identifier) @scope)])
        ])
      ])?)
  name: (field_identifier) @name
  body: (block)? @body) @definition.method

; Types. In a group each spec is a definition by itself; alone, the declaration is.

(type_declaration "("
  (type_spec
    name: (type_identifier) @name
    type: (interface_type "{" @body)) @definition.interface
  (#set! signature.prefix "type "))

(type_declaration
  (type_spec
    name: (type_identifier) @name
    type: (interface_type "{" @body))) @definition.interface

(type_declaration "("
  [
    (type_spec
      name: (type_identifier) @name
      type: (struct_type (field_declaration_list) @body)?)
    (type_alias
      name: (type_identifier) @name
      type: (_) @body)
  ] @definition.type
  (#set! signature.prefix "type "))

(type_declaration
  [
    (type_spec
      name: (type_identifier) @name
      type: (struct_type (field_declaration_list) @body)?)
    (type_alias
      name: (type_identifier) @name
      type: (_) @body)
  ]) @definition.type

; Methods of an interface that has a name.

([
  (type_spec type: (interface_type (method_elem name: (field_identifier) @name) @definition.method))
  (type_alias type: (interface_type (method_elem name: (field_identifier) @name) @definition.method))
])

; Constants and variables. In a const_spec the commas carry the field `name` too, so that to a query only the
; first name has it. The dot spares the members of a group, often hundreds, a second match. A pattern that waits
; for the value behind many names takes time in the cube of their number.

(const_declaration "("
  (const_spec
    (identifier) @name) @definition.constant
  (#set! signature.prefix "const ")
  (#set! signature.end "="))

(const_declaration
  (const_spec
    (identifier) @name)
  .
  (#set! signature.end "=")) @definition.constant

(var_spec_list
  (var_spec
    name: (identifier) @name) @definition.constant
  (#set! signature.prefix "var ")
  (#set! signature.end "="))

(var_declaration
  (var_spec
    name: (identifier) @name)
  (#set! signature.end "=")) @definition.constant

(comment) @doc
