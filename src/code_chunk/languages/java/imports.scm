; `import a.B` binds the last part, `import a.*` the asterisk.

(import_declaration
  [(scoped_identifier) (identifier)] @import.source
  (asterisk)? @import.name
  (#set! name.pattern "^(?:.*[.])?\\s*([^.\\s]+)$")) @import
