//! Code that somebody is typing.
use std::io::{self, ;

/// Fine.
pub fn first() -> u8 { 1 }

fn torn(a: u8, b: {
    let x = ;
    if a > {
        call("x";
    }

struct Half {
    a: u8
    b: Vec<u8
}

impl Half {
    /// Fine again.
    fn after(&self) -> u8 { 2 }
    fn
}
