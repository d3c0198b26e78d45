; a class field that holds a class
(class_body
  (_ property: (_) @name value: (_ body: (class_body) @body)) @definition.class)

; a class field that holds a function
(class_body
  (_ property: (_) @name value: (_ body: (_) @body)) @definition.method)
