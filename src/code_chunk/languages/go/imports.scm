; In a group each spec is an import by itself; alone, the declaration is. The name is the alias, or the last
; part of the path without a major version: `b` for "a/b/v2", `yaml` for "gopkg.in/yaml.v3".

(import_spec_list
  (import_spec
    name: (_)? @import.name
    path: (_) @import.source) @import
  (#set! signature.prefix "import ")
  (#set! name.pattern "^(?:.*/)?(?!(?<=/)v[0-9]+$)([^/]+?)(?:[.]v[0-9]+)?(?:/v[0-9]+)?$"))

(import_declaration
  (import_spec
    name: (_)? @import.name
    path: (_) @import.source)
  (#set! name.pattern "^(?:.*/)?(?!(?<=/)v[0-9]+$)([^/]+?)(?:[.]v[0-9]+)?(?:/v[0-9]+)?$")) @import
