"""How an answer in German speaks against its own edits."""

from patchpoint.formats.conversation.words.vocabulary import PLATFORM, Vocabulary

_THING = (
    r"(?:[Ää]nderung(?:en)?|edits?|diffs?|patch(?:es)?|block|code|vorschlag|variante|version|fassung|"
    r"lösung|antwort|versuch|ansatz|commit|teil)"
)
_THIS = (
    rf"(?:das|dies|es|ihn|sie|(?:diese[nrms]?|den|die|das)(?: obige[nrs]?| folgende[nrs]?)? {_THING}|"
    r"die beiden|beide|so(?: etwas| was)?)"
)
_NAMED = (
    rf"(?:alles (?:obige|davor|bisherige|von oben)|das obige|(?:diese[nrms]?|den|die|das|meine[nr]?|beide)"
    rf"(?: (?:obige|letzte|vorige|erste|vorherige)[nrs]?)* {_THING}|beides)"
)
_GONE = r"(?:abgelehnt|verworfen|zurückgewiesen|zurückgenommen|zurückgerollt|revertiert|rückgängig gemacht)"

GERMAN = Vocabulary(
    signs=(
        "aber abge* alle* als andr* bei betr* darf das dies* doch es fall* fals* fehl* früh* halt "
        "ios kann kein* lass* linu* mac mach* maco* möch* nach nee nega* nein nich* nie niem* nur "
        "obig* orie* rück* schl* soll* stopp unix unsi* unte* ursp* verg* verm* vers* verw* vor "
        "vorh* wart* wenn will wind* wiss* woll* wsl zum zur zurü* über*"
    ),
    signs_of_ways=(
        "alte* ande* beid* bevo* eine* einer eins gibt jede* lieb* nehm* nimm oder stat* unab* "
        "weit* wähl* zwei*"
    ),
    because=r"und|weil|denn|da|aber|wenn|bevor|bis",
    turns=(
        r"halt|moment|(?:ach )?nein|nee|hm+|oh|ups|sorry|entschuldigung|verzeihung|doch nicht|stopp|warte|"
        r"korrektur|mein fehler|eigentlich|bei näherer betrachtung"
    ),
    softly=r"bitte|also|dann|und|aber|nun|besser|lieber|einfach",
    rethinks=(
        r"(?:moment|halt|warte|hm+|oh|ups)\W+(?:nein|nee|doch nicht|das (?:ist|war) (?:falsch|"
        r"nicht richtig|ein fehler))",
        r"nein\W+(?:moment|warte|halt)|bei (?:näherer|genauerer) betrachtung|(?:ich )?nehme? "
        r"(?:ich )?das zurück",
        r"ich (?:nehme das zurück|habe es mir anders überlegt|habe meine meinung geändert)|"
        r"vergiss es§|doch nicht§",
    ),
    drops=(
        r"(?:ignoriere?|vergiss|vergessen sie|ignorieren sie|verwirf|verwerfen sie|streich(?:e|en sie)?) "
        r"(?:das|dies|es)(?: wieder| bitte)*§",
        r"(?:lass|lassen sie) (?:es|das|alles),? (?:so,? )?(?:wie es (?:ist|war)|so|bleiben|unverändert)",
        r"mach(?:e|en sie)? (?:das|es) (?:wieder )?rückgängig",
        r"das (?:ist|war) (?:leider )?(?:falsch|nicht richtig|ein fehler|keine gute idee)§",
        r"das (?:funktioniert|geht|klappt) (?:so )?nicht§",
    ),
    disowns=(
        r"(?:ignoriere?|vergiss|vergessen sie|ignorieren sie|verwirf|verwerfen sie|streich(?:e|"
        rf"en sie)?) {_NAMED}(?: wieder| bitte)*§",
        rf"mach(?:e|en sie)? {_NAMED} (?:bitte )?(?:wieder )?rückgängig",
    ),
    withholds=(
        rf"(?:wende|wenden sie|übernimm|übernehmen sie) (?:{_THIS}|{_NAMED})(?: hier| so| bitte| "
        r"aber| noch)* nicht\b",
        rf"(?:{_THIS}|{_NAMED})(?: hier| so| bitte| aber| noch)* nicht (?:anwenden|übernehmen|"
        r"einspielen|committen)",
        r"nicht (?:anwenden|übernehmen|einspielen)§",
        rf"(?:{_THIS}|{_NAMED}) (?:soll|sollte|darf)(?:en|ten|n)?(?: hier| so| noch)* nicht "
        r"(?:angewendet|übernommen|eingespielt)",
    ),
    asides=(
        r"\b(?:nur|lediglich|bloß|rein) (?:zur|als) (?:referenz|information|illustration|veranschaulichung|"
        r"vergleich|orientierung|erklärung)\b",
        r"\bnur zum (?:vergleich|nachlesen|verständnis)\b",
    ),
    failed=(
        rf"ich (?:habe|hatte) {_THIS}(?: schon| bereits| inzwischen| wieder)* {_GONE}",
        rf"(?:ich (?:habe|hatte)|habe ich) {_THIS}(?: schon| zuerst| bereits)* (?:versucht|"
        r"probiert|ausprobiert)\W+"
        r"(?:und |aber )?(?:es|das) (?:schlug fehl|ging nicht|hat nicht|funktionierte nicht|ist gescheitert)",
        rf"(?:das|dies|diese[rs]? {_THING}) (?:wurde|wurden|ist|war) {_GONE}",
    ),
    shows=(
        rf"(?:das|dies)(?: hier)? habe ich (?:wieder )?{_GONE}",
        r"(?:schreib(?:e|en sie)?|mach(?:e|en sie)?|verwende|verwenden sie|nutze|nutzen sie) "
        r"(?:(?:es|das|dies|so etwas|den code|code|folgendes) )?(?:bitte )?(?:niemals|nie|"
        r"nicht)(?: so| wie folgt| auf diese weise)?",
        r"(?:niemals|nie|nicht|bitte nicht) so(?: (?:schreiben|machen|verwenden))?",
        r"(?:vermeide|vermeiden sie|niemals|nie)(?: (?:das|dies|es|folgendes|solchen code|code wie diesen))?",
        r"(?:so|das|dies|folgendes|solchen code) (?:sollte|darf) (?:man|niemand)(?: \w+)? "
        r"(?:nie(?:mals)? |nicht )?(?:schreiben|machen|verwenden)",
        r"niemand (?:sollte|darf) (?:so etwas|das|dies|es)(?: so)? (?:schreiben|machen|verwenden)",
        r"vor (?:meiner|dieser|der) (?:letzten )?(?:änderung|anpassung|korrektur)\b(?!.*\b(?:jetzt|"
        r"stattdessen|nun)\b).*\b(?:sah|war|lautete|stand)\b.*",
        r"(?:früher|vorher|ursprünglich) (?:sah|war|lautete|stand)\b(?!.*\b(?:jetzt|stattdessen|nun)\b).*",
        r"(?:das|dies|folgendes) (?:funktioniert|geht|klappt) (?:so )?nicht",
        r"(?:das|dies|so) ist(?: es)? (?:falsch|unsicher|schlecht)",
        rf"(?:.{{0,60}}\b)?{_THING}(?:,? (?:die|der|das))? (?:wurde |wurden |ist )?{_GONE}(?: "
        r"wurden?| worden| ist)?",
        rf"mach(?:e|en sie)? (?:das|dies|folgendes|diese {_THING}) rückgängig",
        r"(?:zum vergleich|zur referenz|als referenz)\b(?!.*\b(?:neue?[nrs]?|geändert\w*|"
        r"fertige?|vollständige?)\b).*",
    ),
    labels=(
        r"(?:falsch|schlecht|nicht so|so nicht|niemals|vermeiden|abgelehnt|verworfen|nicht "
        r"empfohlen|negativbeispiel)",
        r"(?:nur )?zur referenz|so (?:bitte )?nicht|schlechtes beispiel|falsche (?:variante|lösung|version)",
    ),
    conditions=(
        rf"nur (?:wenn|falls) (?:sie|du|ihr|es|man)\b|nur (?:unter|auf|für) {PLATFORM}\b",
        rf"(?:wenn|falls) (?:sie|du|ihr) (?:unter|auf|mit) {PLATFORM}\b|(?:unter|auf) "
        rf"{PLATFORM}\W+nur dort",
    ),
    asks=(
        rf"(?:soll|kann|darf) ich (?:{_THIS} )?(?:jetzt |so |bitte )?(?:anwenden|übernehmen|"
        r"umsetzen|einspielen|machen|ändern)\W*",
        r"(?:möchten sie|möchtest du|willst du|wollen sie)\W+dass ich (?:das|dies|es|die änderung|diese "
        r"änderung) (?:jetzt )?(?:anwende|übernehme|umsetze|mache|vornehme)\W*",
    ),
    series=r"option|variante|möglichkeit|ansatz|alternative|lösung|lösungsweg|weg|methode|version|vorschlag",
    otherwise=(
        r"alternativ\b|als alternative|eine (?:andere|weitere|zweite) (?:möglichkeit|variante|"
        r"lösung|alternative|option)\b",
        r"oder\b|alternative\W*\Z|statt dessen kann|(?:ein )?(?:anderer|weiterer|zweiter) (?:weg|"
        r"ansatz)\b|statt des obigen",
        r"wenn (?:du|sie|ihr) (?:lieber|das bevorzug)",
    ),
    one_of=(
        r"(?:nur )?eine?[rs]? (?:von beiden|davon|der beiden)? ?(?:reicht|genügt|ist genug)",
        r"(?:wähle?|wählen sie|nimm|nehmen sie) (?:nur )?(?:eine?[ns]?)(?: (?:davon|von beiden|"
        r"der beiden))?§",
    ),
    announces=(
        r"es gibt (?:zwei|drei|mehrere) (?:möglichkeiten|wege|varianten|optionen|lösungen|ansätze)\b",
    ),
    everything=r"alles?|beide[sn]?|änderungen|obige[ns]?",
    either_way=(r"in (?:jedem fall|beiden fällen)|so oder so|(?:für|bei) beide[nr]?|unabhängig davon",),
)
