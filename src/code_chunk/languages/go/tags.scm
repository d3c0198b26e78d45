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
; first name has it. The dot spares the members of a group, often hundreds, a second match.

(const_declaration "("
  (const_spec
    (identifier) @name
    value: (_)? @body) @definition.constant
  (#set! signature.prefix "const "))

(const_declaration
  (const_spec
    (identifier) @name
    value: (_)? @body) .) @definition.constant

(var_spec_list
  (var_spec
    name: (identifier) @name
    value: (_)? @body) @definition.constant
  (#set! signature.prefix "var "))

(var_declaration
  (var_spec
    name: (identifier) @name
    value: (_)? @body)) @definition.constant

(comment) @doc
