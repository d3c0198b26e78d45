# naïve — 設定 🎉
import os

GRÖSSE = "😀" * 3


def größe(länge: int) -> str:
    """Größe — é mit Zeichen 👩‍👩‍👧."""
    return "設定を読み込みます。もう一度お試しください。" + os.sep * länge


class Café:
    # ユーザー設定の画面に表示する文字列
    titre = "élève"

    def servir(self, tasse): return f"☕ {tasse} — {self.titre}"


x = größe(GRÖSSE)  # 終わり