; The names stand at any depth of the statement.
(use_declaration) @import

; use a::{…}: the path in front of all that the list holds
(scoped_use_list
  path: (_) @import.prefix
  list: (use_list) @body)

; use a::{self}: the path itself, under its last name
(use_list
  (self) @import.source
  (#set! source "")
  (#set! name.pattern "([^:]+)$"))

; use a::{self as b}
(use_list
  (use_as_clause
    path: (self)
    alias: (identifier) @import.name)
  (#set! source ""))

; use a; use x::{a}
(use_declaration
  argument: (identifier) @import.source @import.name)

(use_list
  (identifier) @import.source @import.name)

; use a::b; use x::{a::b}
(use_declaration
  argument: (scoped_identifier
    name: (_) @import.name) @import.source)

(use_list
  (scoped_identifier
    name: (_) @import.name) @import.source)

; use a as b
(use_as_clause
  path: (_) @import.source
  alias: (identifier) @import.name)

; use a::*
(use_wildcard
  (_) @import.source
  "*" @import.name)

; use a::{*}
(use_wildcard
  .
  "*" @import.name
  (#set! source ""))

; extern crate a
(extern_crate_declaration
  name: (identifier) @import.source
  !alias) @import

; extern crate a as b
(extern_crate_declaration
  name: (identifier) @import.source
  alias: (identifier) @import.name) @import
