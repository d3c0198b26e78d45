package com.acme;

import java.util.List
import java.util.Map;

public class Broken {
    /** Fine. */
    int first() { return 1; }

    void torn(int a, {
        if (a > ) {
            call("x";
    }

    @Override
    int after() {
        return 2;
    }

class Next {
    String s = "not closed;
    void last() {}
}
