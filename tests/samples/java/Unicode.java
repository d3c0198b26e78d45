/** Größe — 設定 🎉. */
package com.acme;

@interface Größe {
    int länge() default 1;
}

sealed interface Form permits Kreis {}

record Kreis<T extends Comparable<T>>(T radius, @Größe(länge = 2) int... zahlen) implements Form {
    static final String TEXT = """
        Café \
          ☕ élève
        """;

    Kreis {
        if (radius == null) throw new IllegalArgumentException("é 👩‍👩‍👧");
    }

    /** Fläche. */ // und ein Kommentar
    @Override @SuppressWarnings({"a", "b"})
    public String toString() {
        return switch (zahlen.length) {
            case 0, 1 -> "eins";
            case 2 -> {
                var x = zahlen[0];
                yield "zwei" + x;
            }
            default -> new Object() { int n() { return 3; } }.n() + "";
        };
    }
}
