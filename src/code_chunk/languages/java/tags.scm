; Types

(class_declaration
  name: (identifier) @name
  body: (class_body) @body) @definition.class

(record_declaration
  name: (identifier) @name
  body: (class_body) @body) @definition.class

(interface_declaration
  name: (identifier) @name
  body: (interface_body) @body) @definition.interface

(annotation_type_declaration
  name: (identifier) @name
  body: (annotation_type_body) @body) @definition.interface

(enum_declaration
  name: (identifier) @name
  body: (enum_body) @body) @definition.enum

; Methods; one that stands in no type is a function.

(method_declaration
  name: (identifier) @name
  body: (block)? @body) @definition.function

(constructor_declaration
  name: (identifier) @name
  body: (constructor_body) @body) @definition.method

(compact_constructor_declaration
  name: (identifier) @name
  body: (block) @body) @definition.method

(annotation_type_element_declaration
  name: (identifier) @name) @definition.method

; Constants: fields that are `static final`, in either order, and all fields of an interface. They are kept only
; as members of a top-level type, which is named for that.

([
  (class_declaration
    name: (identifier) @scope
    body: (class_body
      (field_declaration
        (modifiers [("static" "final") ("final" "static")])
        declarator: (variable_declarator
          name: (identifier) @name
          value: (_)? @body)) @definition.constant))
  (record_declaration
    name: (identifier) @scope
    body: (class_body
      (field_declaration
        (modifiers [("static" "final") ("final" "static")])
        declarator: (variable_declarator
          name: (identifier) @name
          value: (_)? @body)) @definition.constant))
  (enum_declaration
    name: (identifier) @scope
    body: (enum_body
      (enum_body_declarations
        (field_declaration
          (modifiers [("static" "final") ("final" "static")])
          declarator: (variable_declarator
            name: (identifier) @name
            value: (_)? @body)) @definition.constant)))
  (interface_declaration
    name: (identifier) @scope
    body: (interface_body
      (constant_declaration
        declarator: (variable_declarator
          name: (identifier) @name
          value: (_)? @body)) @definition.constant))
  (annotation_type_declaration
    name: (identifier) @scope
    body: (annotation_type_body
      (constant_declaration
        declarator: (variable_declarator
          name: (identifier) @name
          value: (_)? @body)) @definition.constant))
])

; The same in a file without a class.
(local_variable_declaration
  (modifiers [("static" "final") ("final" "static")])
  declarator: (variable_declarator
    name: (identifier) @name
    value: (_)? @body)) @definition.constant

[(line_comment) (block_comment)] @doc
