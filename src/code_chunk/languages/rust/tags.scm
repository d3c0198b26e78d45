(function_item
  name: (_) @name
  body: (block) @body) @definition.function

(function_signature_item
  name: (_) @name) @definition.function

(struct_item
  name: (type_identifier) @name
  body: (field_declaration_list)? @body) @definition.type

(union_item
  name: (type_identifier) @name
  body: (field_declaration_list) @body) @definition.type

(type_item
  name: (type_identifier) @name
  type: (_) @body) @definition.type

(associated_type
  name: (type_identifier) @name) @definition.type

(enum_item
  name: (type_identifier) @name
  body: (enum_variant_list) @body) @definition.enum

(trait_item
  name: (type_identifier) @name
  body: (declaration_list) @body) @definition.interface

; impl X, impl<T> Tr for a::X<T>, impl u8. Nested alternatives, since the cursor follows each on its own.
(impl_item
  type: [
    (type_identifier) @name
    (primitive_type) @name
    (scoped_type_identifier name: (type_identifier) @name)
    (generic_type type: [
      (type_identifier) @name
      (scoped_type_identifier name: (type_identifier) @name)
    ])
  ]
  body: (declaration_list)? @body) @definition.class

; impl dyn S, impl Tr for dyn a::S<T> + Send
(impl_item
  type: [
    (dynamic_type trait: [
      (type_identifier) @name
      (scoped_type_identifier name: (type_identifier) @name)
      (generic_type type: [
        (type_identifier) @name
        (scoped_type_identifier name: (type_identifier) @name)
      ])
    ])
    (bounded_type . (dynamic_type trait: [
      (type_identifier) @name
      (scoped_type_identifier name: (type_identifier) @name)
      (generic_type type: [
        (type_identifier) @name
        (scoped_type_identifier name: (type_identifier) @name)
      ])
    ]))
  ]
  body: (declaration_list)? @body) @definition.class

; types without a name
(impl_item
  type: [
    (abstract_type)
    (array_type)
    (bracketed_type)
    (function_type)
    (macro_invocation)
    (metavariable)
    (never_type)
    (pointer_type)
    (reference_type)
    (tuple_type)
    (unit_type)
    (dynamic_type trait: [(function_type) (higher_ranked_trait_bound) (tuple_type)])
  ] @name
  body: (declaration_list)? @body) @definition.class

(mod_item
  name: (identifier) @name
  body: (declaration_list) @body) @definition.module

(macro_definition
  name: (identifier) @name
  .
  ["(" "[" "{"] @body) @definition.function

; `const _` has no name
(const_item
  name: (identifier) @name
  value: (_)? @body
  (#not-eq? @name "_")) @definition.constant

(static_item
  name: (identifier) @name
  value: (_)? @body) @definition.constant

[(line_comment) (block_comment)] @doc

((attribute_item
  (attribute
    .
    (identifier) @_doc
    value: [(string_literal) (raw_string_literal)])) @doc
  (#eq? @_doc "doc"))
