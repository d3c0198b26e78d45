(function_definition
  name: (identifier) @name
  body: (block . (expression_statement . [(string) (concatenated_string)] @doc .)?) @body) @definition.function

(class_definition
  name: (identifier) @name
  body: (block . (expression_statement . [(string) (concatenated_string)] @doc .)?) @body) @definition.class

; f = lambda x: x, at module level only
(expression_statement
  (assignment
    left: (identifier) @name
    right: (lambda
      body: (_) @body)) @definition.function
  (#set! max_depth "0"))

; UPPER = 1, UPPER: int = 1
(expression_statement
  (assignment
    left: (identifier) @name
    right: (_) @body
    (#match? @name "^_*[A-Z][A-Z0-9_]*$")) @definition.constant)

; type A[T] = list[T]
(type_alias_statement
  left: (type [(identifier) @name (generic_type . (identifier) @name)])
  right: (_) @body) @definition.type
