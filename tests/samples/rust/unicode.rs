//! Größe — 設定 🎉.

use std::fmt;

/// Größe von etwas, é.
#[derive(Debug)]
pub enum Größe<'a, const N: usize> {
    /// 小さい
    Klein = 1,
    Groß { länge: [u8; N], name: &'a str },
    Tupel(u8, #[allow(unused)] Option<Box<dyn Fn(u8) -> u8 + 'a>>),
}

impl<const N: usize> fmt::Display for Größe<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // 小さい
            Größe::Klein => write!(f, "☕"),
            Größe::Groß { länge, .. } if länge.is_empty() => Ok(()),
            Größe::Groß { name, .. } | Größe::Groß { name, .. } => {
                let text = r#"é "roh" 👩‍👩‍👧"#;
                for c in text.chars().filter(|c| !c.is_ascii()).map(|c| c.to_string()) {
                    write!(f, "{c}{name}")?;
                }
                Ok(())
            }
            _ => unsafe { std::hint::unreachable_unchecked() },
        }
    }
}

extern "C" {
    fn länge(s: *const u8) -> usize;
    static ZAHL: i32;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn größer() {
        'outer: loop { break; }
    }
}
