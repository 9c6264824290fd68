"""CONFIG for drawn set-ups: settings as XML, or a file list, each written in many
ways.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from setup_files import FORMATS
from setup_plan import Evaluation, Plan

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

SETTINGS = "settings.xml"
LIST = "files.lst"


def file_list(rng: Random, plan: Plan) -> str:
    """Return one line for each evaluation, between comments and blank lines."""
    lines = []
    for evaluation in plan.evaluations:
        noise = ("# comment", "#", "#e1.p0 e1.m0", "", " \t ", "")
        lines += [rng.choice(noise) for _ in range(rng.choice((0, 0, 0, 1, 2)))]
        paths = [path for _, path in evaluation.predictions + evaluation.references]
        if rng.random() < 0.05:
            paths.append(rng.choice(paths))
        blank = (
            " "
            if rng.random() < 0.7
            else rng.choice(("\t", "  ", " \t", "\v", "\f", "\r"))
        )
        line = blank.join(paths)
        lines.append(
            line if rng.random() < 0.8 else rng.choice((" ", "\t")) + line + " "
        )
    end = "\n" if rng.random() < 0.85 else "\r\n"
    text = end.join(lines)
    return text + end if rng.random() < 0.85 else text


def settings(rng: Random, plan: Plan) -> str:
    """Return settings for the plan, as XML."""
    return _Writer(rng).settings(plan)


class _Writer:
    """Write settings; each file has its own style, so that both tidy and untidy ones
    occur.
    """

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.wild = rng.choice((0.0, 0.0, 0.05, 0.2, 0.5))
        self.quote = rng.choice('""\'')
        self.space = rng.choice(("\n", "\n", "\n  ", "", "\n\t"))
        self.case = rng.choice((str, str, str, str.lower, str.title, str.swapcase))

    def _odd(self) -> bool:
        return self.rng.random() < self.wild

    def settings(self, plan: Plan) -> str:
        rng = self.rng
        root = rng.choice(("ROUGE-EVAL", "ROUGE-EVAL", "ROUGE_EVAL", "rouge-eval", "x"))
        # Several evaluations may be nested one level deeper, inside other elements.
        parts = [
            self._evaluation(evaluation)
            for evaluation in self._doubled(plan.evaluations)
        ]
        parts = [
            self._element("GROUP", [part], "") if self._odd() else part
            for part in parts
        ]
        if self._odd():
            parts.insert(
                rng.randint(0, len(parts)), self._element("EVALS", ["nothing"], "")
            )
        body = self._element(root, parts, self._attribute("version", "1.55"))
        text = self._prologue() + body + rng.choice(("\n", "", "\n<!-- end -->\n"))
        return text.replace("\n", "\r\n") if self._odd() else text

    def _prologue(self) -> str:
        if not self._odd():
            return ""
        return self.rng.choice((
            '<?xml version="1.0"?>\n',
            '<?xml version="1.0" encoding="UTF-8"?>\n<!-- caf\xc3\xa9 -->\n',
            '<?xml version="1.0" encoding="ISO-8859-1"?>\n<!-- caf\xe9 -->\n',
            "\xef\xbb\xbf",
            "<!-- first -->\n<?target data?>\n",
            "<!DOCTYPE ROUGE-EVAL>\n",
        ))  # fmt: skip

    def _doubled(self, evaluations: Sequence[Evaluation]) -> list[Evaluation]:
        """Now and then split an evaluation in two of the same ID: the entries merge."""
        result = []
        for evaluation in evaluations:
            result.append(evaluation)
            if self._odd() and len(evaluation.references) > 1:
                result[-1] = _part(
                    evaluation, evaluation.predictions, evaluation.references[:1]
                )
                result.append(
                    _part(
                        evaluation,
                        evaluation.predictions[:1],
                        evaluation.references[1:],
                    )
                )
        return result

    def _evaluation(self, evaluation: Evaluation) -> str:
        rng = self.rng
        parts = [
            *self._roots("PEER-ROOT", evaluation.prediction_root),
            *self._roots("MODEL-ROOT", evaluation.reference_root),
            *self._formats(evaluation.form),
            *self._files(
                "PEERS", "P", self._without_path(self._repeated(evaluation.predictions))
            ),
            *self._files("MODELS", "M", self._repeated(evaluation.references)),
        ]
        # Not elements of the same name, of which the last one counts.
        if self._odd() and len(parts) == 5:
            rng.shuffle(parts)
        if self._odd():
            # Files count only inside PEERS and MODELS; other content there is skipped.
            parts.append(rng.choice((
                self._element("NOTE", ["a note"], ""),
                self._element("P", ["nosuch"], self._attribute("ID", "stray")),
                "text",
                "<!-- comment -->",
            )))  # fmt: skip
        return self._element("EVAL", parts, self._attribute("ID", evaluation.id))

    def _formats(self, form: str) -> list[str]:
        name = self.rng.choice((form, form, form.lower(), form.title()))
        names = [self.rng.choice(FORMATS), name] if self._odd() else [name]
        return [
            self._element("INPUT-FORMAT", [""], self._attribute("TYPE", n))
            for n in names
        ]

    def _roots(self, name: str, root: str) -> list[str]:
        text = self._text(root)
        if text == _escaped(root):
            text = self.space + text + self.space
        last = self._element(name, [text], "", tight=True)
        return [self._element(name, ["nosuch"], ""), last] if self._odd() else [last]

    def _files(
        self, name: str, tag: str, entries: Sequence[tuple[str, str]]
    ) -> list[str]:
        parts = [
            self._element(
                tag, [self._text(path)], self._attribute("ID", owner), tight=True
            )
            for owner, path in entries
        ]
        if self._odd():
            other = "M" if tag == "P" else "P"
            parts.append(self._element(other, ["nosuch"], self._attribute("ID", "A")))
        if self._odd() and len(parts) > 1:
            cut = self.rng.randint(1, len(parts) - 1)
            return [
                self._element(name, parts[:cut], ""),
                self._element(name, parts[cut:], ""),
            ]
        return [self._element(name, parts, "")]

    def _repeated(self, entries: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """Now and then add a second entry of the same ID: the last path counts."""
        result = list(entries)
        if entries and self._odd():
            owner, _ = self.rng.choice(entries)
            result.insert(0, (owner, "nosuch"))
        return result

    def _without_path(self, entries: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Now and then add a peer without a path: it names its system, but no file.

        Never a model: the original would read its folder as an empty model.
        """
        if self._odd() and self.rng.random() < 0.3:
            owner = self.rng.choice(["ghost", *(name for name, _ in entries)])
            entries.insert(self.rng.randint(0, len(entries)), (owner, ""))
        return entries

    def _attribute(self, name: str, value: str) -> str:
        value = (
            _escaped(value)
            .replace("<", "&lt;")
            .replace(self.quote, f"&#{ord(self.quote)};")
        )
        if self._odd() and value.isalnum():
            value = f"&#{ord(value[0])};{value[1:]}"
        around = self.rng.choice((" ", "\n", "")) if self._odd() else ""
        extra = f" NOTE={self.quote}n{self.quote}" if self._odd() else ""
        return f"{extra} {name}{around}={around}{self.quote}{value}{self.quote}"

    def _element(
        self, name: str, parts: Sequence[str], attributes: str, *, tight: bool = False
    ) -> str:
        name = self.case(name)
        space = "" if tight else self.space
        parts = [part for part in parts if part]
        if not parts and self._odd():
            return f"<{name}{attributes}/>"
        inner = space.join(["", *parts, ""]) if parts else ""
        return f"<{name}{attributes}>{inner}</{name}{' ' if self._odd() else ''}>"

    def _text(self, text: str) -> str:
        """Return a path, written in one of several equivalent ways.

        No blank text after a comment or an element: the original takes an empty path
        then, and this project the last text that is not blank (spec, Corners).
        """
        if not text:
            return self.rng.choice(("", "<!-- nosuch -->"))
        cut = self.rng.randint(0, len(text))
        head, tail = _escaped(text[:cut]), _escaped(text[cut:])
        if not self._odd():
            return head + tail
        return self.rng.choice((
            f"\n  {head}{tail}\t\n",
            f"<!-- nosuch -->{head}{tail}",
            f"nosuch<!-- - -->{head}{tail}",
            f" {head}{tail}<!-- nosuch -->",
            f"nosuch<B>nosuch</B> {head}{tail} ",
            f"{head}<![CDATA[{text[cut:]}]]>",
            f"<![CDATA[{text[:cut]}]]>{tail}",
            f"{head}<![CDATA[]]>{tail}",
            f"<?nosuch nosuch?>{head}{tail}",
            "".join(f"&#x{ord(char):x};" for char in text),
        ))  # fmt: skip


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;")


def _part(
    evaluation: Evaluation,
    predictions: list[tuple[str, str]],
    references: list[tuple[str, str]],
) -> Evaluation:
    return Evaluation(
        evaluation.id,
        evaluation.form,
        evaluation.prediction_root,
        evaluation.reference_root,
        predictions,
        references,
    )
