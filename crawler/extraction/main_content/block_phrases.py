"""What short blocks say that are around articles and in them: credits of pictures, requests, pointers. Pure.

In the languages that most pages of the web are in, of text in small letters: ignoring the case of each character takes
longer. Each pattern is one weighted feature among many: a block is not decided by a word.
"""

import re
from typing import Final

_FLAGS: Final = re.VERBOSE

LOOKED_AT: Final = 300
"""Characters of a block, from its beginning."""

CREDIT: Final = re.compile(
    r"""(?: \b(?:fotos?|photos?|photographs?|bild(?:er|quelle|nachweis)?|abb(?:ildung)?\.?|images?|imagen|immagine
            |zdj(?:ęcie|\.)?|fot\.|pictures?|picture|credit|courtesy|cr[ée]dits?|copyright|grafik|illustration|video
            |symbolbild|screenshot|archiv|archivo|quelle)\b \s? (?:by|von|de|credit)? \s? [:/|©(] )
      | \( (?:foto|photo|bild|credit|image) | © | \(c\)\s | 图片来源 | 图源 | 摄 $ | [/(,]\s?(?:getty|afp|dpa|reuters
            |ap|epa|shutterstock|istock|unsplash|pixabay|flickr|imago|adobe\s?stock|picture\s?alliance)\b
        (?![^()]{0,20}\)\s?[-–—])""",
    _FLAGS,
)
"""Of a picture. “(Reuters) -” begins a report."""

CREDIT_AT_END: Final = 60
"""Characters at the end of a caption, in which many name their photographer."""

CREDIT_END: Final = re.compile(
    r"""[(/|–—]\s?(?: (?:file\ )?(?:photo|foto|picture|image|bild|courtesy|credit)\b[^()]{0,40}
      | [^()]{2,40}[/|,]\s?(?:getty|ap\b|afp|reuters|shutterstock|associated\ press|epa|imago|dpa|pa\b)[^()]{0,30}
      | (?:ap|afp|reuters|pa)\ (?:photo|file)\b[^()]{0,40} )\)?\W{0,2}$""",
    _FLAGS,
)
"""The same at the end of a longer caption: (AP Photo/Jane Doe), (Jane Doe/Getty Images)."""

LABEL: Final = re.compile(
    r"""\W{0,4}(?: (?:(?:story|article|text|post)\ )?(?:continues|continue\ reading)
          (?:\ (?:below|after)(?:\ (?:this|the))? (?:\ (?:advertisement|ad|video|gallery))?)?
      | (?:continue\ reading|skip)(?:\ the)?\ (?:main\ story|advertisement|ad) | scroll\ (?:down\ )?(?:to|for)\ .{1,30}
      | advertisements? | ads? | sponsored(?:\ content)? | loading(?:\ .{1,20})? | paid\ (?:content|post)
      | anzeigen? | werbung | publicit[ée] | publicidad | pubblicità | advertentie | reklama?
      | 广告 | 廣告 | 推广 | 広告 | 광고 )\W{0,4}""",
    _FLAGS,
)
"""The whole of a line that says nothing of the article: over an advertisement, or where the text goes on below it."""

ASKING: Final = re.compile(
    r"""newsletter | subscri(?:be|ption) | abonn(?:ier|ez|ement|eer) | suscr[ií] | iscriv | subskry | 订阅 | 關注 | 关注
      | \b(?:sign\ ?up|log\ ?in|register|anmelden|einloggen|registrieren|inscri[bv])
      | \b(?:follow|join|like)\ (?:us|me|our|the)\b | \bfolge(?:n\ sie|\ uns|t\ uns)? \b | \bs[ií]gue(?:nos)?\b
      | \bfollow\b.{0,40}\bon\b
      | \bsuivez | \bseguici | \b[uú]nete\b | telegram | whats\ ?app | facebook | twitter | instagram | youtube
      | podcast
      | \bdownload\b.{0,40}\bapps?\b | \bapp\b.{0,30}(?:android|ios) | \bdonat | \bspende
      | \b(?:your|deine?r?|ihre?r?)\ (?:inbox|e-?mail|postfach|browser) | cookies? | datenschutz | privacy\ policy
      | \badvertis | \baffiliate | \bprovision\b | \bwerbung\b | \banzeige\b | \bsponsor | \bdisclaimer\b
      | \bcontact\ us\b | \bsend\ us\b | \bcomments?\b | \bkommentar | javascript""",
    _FLAGS,
)
"""The reader to subscribe, follow, pay or allow, or to know that somebody paid."""

_IN_ASKING_TEXT: Final = """
    newsletter|subscri|abonn|suscr|iscriv|subskry|订阅|關注|关注|sign up|signup|log in|login|register|anmelden|einloggen
    registrieren|inscri|follow|join us|join me|join our|join the|like us|like me|like our|like the|folge|sigue|sígue
    suivez|seguici|unete|únete|telegram|whats|facebook|twitter|instagram|youtube|podcast|app|donat|spende|inbox|mail
    postfach|browser|cookie|datenschutz|privacy|advertis|affiliate|provision|werbung|anzeige|sponsor|disclaimer
    contact us|send us|comment|kommentar|javascript
"""
_IN_ASKING: Final = tuple(
    part.strip() for line in _IN_ASKING_TEXT.split("\n") for part in line.split("|") if part.strip()
)
"""Of these each request holds one. Searching a text for them takes a tenth of the time."""


def is_asking(text: str) -> bool:
    """Whether a text in small letters holds a request."""
    return any(map(text.__contains__, _IN_ASKING)) and ASKING.search(text) is not None


POINTING: Final = re.compile(
    r"""\W{0,4}(?: (?:read|see|lesen\ sie|lies|mehr|hier|siehe)\ (?:more|also|auch|next|dazu|zum\ thema|geht|finden)
      | also\ (?:read|see|on) | (?:more|mehr)\ (?:from|on|stories|zu[mr]?|themen|artikel|news|about)\b | related\b
      | (?:das\ könnte|auch\ interessant|weiterlesen|weiterführend|weitere\ (?:artikel|infos?|informationen|beiträge)
        |zum\ thema|verwandte|passend)
      | (?:lee|leer|mira|te\ puede|notas?\ relacionad|noticias\ relacionad|m[aá]s\ sobre|ver\ (?:también|m[aá]s))
      | (?:lire|à\ lire|voir)\ aussi | leggi\ anche | (?:zobacz|czytaj|przeczytaj)\ (?:też|także|również|więcej)
      | recommended | you\ may | don.t\ miss | tipp\b | watch\b | listen\b | photos:? $ | video: | gallery
      | 相关 | 推荐 | 延伸阅读 | 阅读更多 | 更多 )""",
    _FLAGS,
)
"""Beginnings of a block that leads to something else to read."""

OVER_COMMENTS: Final = re.compile(
    r"""\W{0,4}(?: \d{1,6}\s(?:comments?|kommentare?|commentaires?|comentarios?|commenti|reacties|komentarz\w{0,3}
          |responses?|replies|thoughts?|antworten|réponses?|评论|評論|条评论|則留言)\b.{0,120}
      | (?:comments?|kommentare?|commentaires?|comentarios?|commenti|reacties|评论|評論|留言)
          \s?[(（[:]\s?\d{1,6}\s?[)）\]]?
      | one\ thought\ on\b.{0,200} | (?:leave|post|add|write)\ (?:a|your)\ (?:reply|comment|response)\W{0,3}
      | join\ the\ (?:conversation|discussion)\W{0,3} | deja\ (?:un\ comentario|una\ respuesta)\W{0,3}
      | (?:schreiben?|hinterlassen?)\ (?:sie\ )?(?:einen\ kommentar|eine\ antwort)\W{0,3}
      | laisser\ un\ commentaire\W{0,3} )""",
    _FLAGS,
)
"""The whole of a line over the comments, with their number, or over the form for one."""
