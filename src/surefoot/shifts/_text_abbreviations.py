"""English as it is typed in a hurry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from surefoot.shifts._text import Texts, TextShift
from surefoot.shifts._text_page import Page

# One line a sense: what is typed, then all that it stands for.
_SHORT = """
u: you
ur: your, you are, you're
r: are
y: why
c: see
b: be
n: and
k: okay, ok
2: to, too
4: for
b4: before
l8r: later
m8: mate
gr8: great
w8: wait
2day: today
2moro: tomorrow
2nite: tonight
4ever: forever
no1: no one, nobody
sum1: someone, somebody
any1: anyone, anybody
every1: everyone, everybody
im: i'm, i am
ive: i've, i have
id: i'd, i would
ill: i'll, i will
dont: don't, do not
doesnt: doesn't, does not
didnt: didn't, did not
cant: can't, cannot
wont: won't, will not
isnt: isn't, is not
arent: aren't, are not
wasnt: wasn't, was not
couldnt: couldn't, could not
wouldnt: wouldn't, would not
shouldnt: shouldn't, should not
havent: haven't, have not
its: it's, it is
thats: that's, that is
theres: there's, there is
whats: what's, what is
lets: let's
theyre: they're, they are
gonna: going to
wanna: want to
gotta: got to, have got to
hafta: have to
kinda: kind of
sorta: sort of
lotta: lot of
outta: out of
dunno: don't know, do not know
gimme: give me
lemme: let me
cuz: because
coz: cause
tho: though
altho: although
thru: through
thx: thanks, thank you
ty: thank you very much
np: no problem
yw: you're welcome, you are welcome
pls: please
plz: please do
sry: sorry
ppl: people
msg: message, messages
txt: text
pic: picture, photo
pics: pictures, photos
vid: video
fav: favourite, favorite
def: definitely
prob: probably
obvs: obviously
esp: especially
rly: really
v: very
srsly: seriously
totes: totally
bc: since
w/: with
w/o: without
abt: about
btwn: between
agn: again
nvr: never
evry: every
evrything: everything
sth: something
nth: nothing
smwhere: somewhere
wknd: weekend
yday: yesterday
mins: minutes
min: minute, minimum
hrs: hours
hr: hour
sec: second
yrs: years
yr: year
wk: week
mth: month
bday: birthday
bf: boyfriend
gf: girlfriend
bff: best friend
fam: family
bro: brother
sis: sister
info: information
diff: different, difference
govt: government
dept: department
approx: approximately
max: maximum
tbh: to be honest
imo: in my opinion
imho: in my humble opinion
afaik: as far as i know
asap: as soon as possible
btw: by the way
fyi: for your information
idk: i don't know, i do not know
idc: i don't care, i do not care
ily: i love you
jk: just kidding
lol: that is funny, that's funny
nvm: never mind
omg: oh my goodness
rn: right now
irl: in real life
ttyl: talk to you later
brb: be right back
bbl: be back later
gtg: got to go
iirc: if i remember correctly
atm: at the moment
aka: also known as
hth: hope this helps
ftw: for the win
smh: shaking my head
wrt: with regard to, with respect to
eg: for example
ie: that is to say
etc: and so on
"""

_VOWELS = "aeiouAEIOU"


@dataclass(frozen=True, kw_only=True)
class Abbreviations(TextShift):
    """Slang-like short forms of everyday English, and words without their vowels.

    Of the words and phrases that have a short form (*you* u, *by the way* btw) 20, 40, 60, 80 or 100 % get it; then
    0, 5, 10, 20 or 35 % of the words of five letters or more lose the vowels a, e, i, o, u between their first
    and last letter. A capital first letter and capitals throughout are kept.

    >>> Abbreviations(severity=5)(["Thank you, I will see you tomorrow before the meeting."])[0]
    ['Thx, ill c u 2moro b4 the meeting.']
    """

    def _rewrite(self, texts: Texts, rng: np.random.Generator) -> Texts:
        return self._devowelled(self._shortened(texts, rng), rng)

    def _shortened(self, texts: Texts, rng: np.random.Generator) -> Texts:
        """The texts with short forms for some of the words and phrases that have one."""
        pattern, short = _lexicon()
        share, lots = self._at((0.2, 0.4, 0.6, 0.8, 1.0)), _lots(rng)
        page = Page.of(texts)
        # Searching small letters is twice as fast as ignoring case; `mapped` keeps every place where it is.
        lowered = Page(page.mapped(str.lower), page.ends).texts()
        out = []
        for text, low in zip(texts, lowered, strict=True):
            pieces, done = [], 0
            for match in pattern.finditer(low):
                if next(lots) < share:
                    start, end = match.span()
                    long = " ".join(match[0].replace("’", "'").split())
                    pieces += [text[done:start], _cased(short[long], text[start:end])]
                    done = end
            out.append("".join([*pieces, text[done:]]))
        return out

    def _devowelled(self, texts: Texts, rng: np.random.Generator) -> Texts:
        """The texts with the inner vowels of some long words left out."""
        page = Page.of(texts)
        letter = page.where(str.isalpha)
        inside = letter & ~page.first & np.concatenate([[False], letter[:-1]])
        starts = np.flatnonzero(letter & ~inside)
        ends = np.flatnonzero(letter & ~np.append(inside[1:], False)) + 1
        hit = (ends - starts >= 5) & (rng.random(len(starts)) < self._at((0.0, 0.05, 0.1, 0.2, 0.35)))
        change = np.zeros(len(letter) + 1, dtype=np.int8)
        change[starts[hit] + 1] += 1
        change[ends[hit] - 1] -= 1
        inner = np.cumsum(change[:-1], dtype=np.int8).astype(np.bool_)
        return page.repeated(~(inner & page.where(_VOWELS.__contains__))).texts()


@cache
def _lexicon() -> tuple[re.Pattern[str], dict[str, str]]:
    """A pattern of all words and phrases with a short form, and the forms."""
    short = {
        long.strip(): form.strip()
        for form, _, senses in (line.partition(":") for line in _SHORT.split("\n") if line)
        for long in senses.split(",")
    }
    by_letter: dict[str, list[str]] = {}
    for long in sorted(short, key=len, reverse=True):  # the longest phrase wins
        rest = re.escape(long[1:]).replace("\\ ", r"\s+").replace("'", "['’]")
        by_letter.setdefault(long[0], []).append(rest)
    # Grouped by first letter, most words are passed over after one comparison.
    groups = "|".join(f"{letter}(?:{'|'.join(rests)})" for letter, rests in by_letter.items())
    return re.compile(rf"(?<![\w'’-])(?:{groups})(?![\w'’-])"), short


def _lots(rng: np.random.Generator) -> Iterator[float]:
    """Uniform numbers without end, drawn a block at a time."""
    while True:
        yield from rng.random(1024).tolist()


def _cased(short: str, long: str) -> str:
    """The short form in the case of the long one; the capital of *I* alone says nothing."""
    if long.isupper() and len(long) > 1:
        return short.upper()
    begins = long[0].isupper() and long[:2] not in ("I ", "I'", "I’")
    return short[0].upper() + short[1:] if begins else short
