"""Tables as LaTeX, with rules of the package booktabs."""

from __future__ import annotations

import re

from surefoot.scorecard import Table

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    **{one: f"\\{one}" for one in "&%$#_{}"},
}
_SPECIAL_CHARACTERS = re.compile("|".join(map(re.escape, _SPECIAL)))


def latex(table: Table) -> str:
    r"""One table.

    >>> print(latex(Table("Sizes", ("what", "n_rows"), (("a & b", "1 ± 2"),))))
    % Sizes
    \begin{tabular}{lr}
    \toprule
    what & n\_rows \\
    \midrule
    a \& b & 1 $\pm$ 2 \\
    \bottomrule
    \end{tabular}
    """
    lines = [f"% {table.title}", rf"\begin{{tabular}}{{l{'r' * (len(table.header) - 1)}}}", r"\toprule"]
    lines += [_line(table.header), r"\midrule", *map(_line, table.rows), r"\bottomrule", r"\end{tabular}"]
    if table.footnote:
        lines.append(f"% {table.footnote}")
    return "\n".join(lines)


def _line(cells: tuple[str, ...]) -> str:
    return " & ".join(_escaped(cell) for cell in cells) + r" \\"


def _escaped(text: str) -> str:
    return _SPECIAL_CHARACTERS.sub(lambda found: _SPECIAL[found[0]], text)
