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

; Constants: fields that are `static final`, in either order, and all fields of an interface; those of an inner
; type are left out.

(field_declaration
  (modifiers [("static" "final") ("final" "static")])
  declarator: (variable_declarator
    name: (identifier) @name) @definition.constant
  (#set! max_depth "1")
  (#set! signature.end "="))

(constant_declaration
  declarator: (variable_declarator
    name: (identifier) @name) @definition.constant
  (#set! max_depth "1")
  (#set! signature.end "="))

; In a file without a class.
(local_variable_declaration
  (modifiers [("static" "final") ("final" "static")])
  declarator: (variable_declarator
    name: (identifier) @name) @definition.constant
  (#set! signature.end "="))

[(line_comment) (block_comment)] @doc
