"""How an answer in French speaks against its own edits."""

from patchpoint.formats.conversation.words.vocabulary import PLATFORM, Vocabulary

_THING = (
    r"(?:changements?|modifications?|diffs?|patchs?|correctifs?|blocs?|code|extraits?|versions?|suggestions?|"
    r"propositions?|réponses?|tentatives?|approches?|idées?|commits?)"
)
_THIS = (
    rf"(?:ça|cela|ceci|celui-ci|celle-ci|(?:ce|cet|cette|ces|le|la|les) {_THING}(?: ci-dessus| "
    r"ci-dessous| suivante?s?)?)"
)
_NAMED = (
    rf"(?:ce qui précède|tout (?:ce qui précède|cela|ça)|(?:le|la|les|mon|ma|mes|ce|cette|ces)(?: "
    rf"(?:dernière?s?|précédente?s?|première?s?))* {_THING}(?: (?:précédente?s?|ci-dessus))?|ce que (?:je "
    rf"viens d'écrire|j'ai (?:écrit|proposé)))"
)
_UNDO = r"(?:ignore[zr]?|oublie[zr]?|laisse[zr]? tomber|annule[zr]?|jete[zr]|jette|supprime[zr]? donc)"
_GONE = r"(?:rejetée?s?|refusée?s?|annulée?s?|abandonnée?s?|écartée?s?)"

FRENCH = Vocabulary(
    signs=(
        "aban* annu* appl* atte* avan* ce ceci cela ces cett* dang* dois doit erre* est euh faux "
        "fina* inco* indi* jama* je jete* jett* la lais* le les mauv* mémo* ne non ou oubl* oups "
        "pas pers* pour puis quan* refu* reje* réfl* réfé* seul* si soit souh* tent* titr* uniq* "
        "veux voul* à ça éca* écar* évit*"
    ),
    signs_of_ways=(
        "alte* autr* cas choi* deux* façon* lieu mani* opti* ou plus* poss* pren* préf* quel* seco* "
        "seul* si sino* soit solu* suff* une"
    ),
    because=r"et|car|parce que|puisque|mais|si|avant|tant",
    turns=(
        r"attende[zs]|attends|non|hm+|euh|oh|oups|pardon|désolée?|en fait|finalement|erreur de ma part|"
        r"réflexion faite|à la réflexion|correction"
    ),
    softly=r"s'il (?:vous|te) plaît|donc|alors|et|mais|bon|plutôt|veuillez|merci de",
    rethinks=(
        r"(?:à la réflexion|réflexion faite|tout bien réfléchi|après réflexion)",
        r"(?:attende[zs]|attends|oups|euh|non)\W+(?:non|attende[zs]|c'(?:est|était) (?:faux|"
        r"incorrect|une erreur))",
        r"je (?:retire|reprends) (?:ça|cela|ce que)|j'ai changé d'avis|finalement\W+non§",
    ),
    drops=(
        rf"{_UNDO}(?: (?:ça|cela|ceci|tout)|-(?:le|la|les))§",
        r"laisse[zr]?(?: (?:ça|cela|tout)|-(?:le|la|les)| le (?:code|fichier)) (?:tel(?:le)?s? "
        r"quel(?:le)?s?|comme (?:c'est|avant|il est)|inchangé)",
        r"(?:c'est|c'était|ceci est|cela est) (?:faux|incorrect|une erreur|une mauvaise idée)§",
        r"(?:ça|cela) ne (?:fonctionne|marche|compile) pas§",
    ),
    disowns=(rf"{_UNDO}(?: donc)? {_NAMED}§",),
    withholds=(
        r"ne (?:l'|les )?(?:applique[zr]?|utilise[zr]?|copie[zr]?)(?: (?:surtout|donc))? pas"
        rf"(?: (?:{_THIS}|{_NAMED}))?(?: ici| encore| tel quel)?§",
        rf"n'(?:applique[zr]?|utilise[zr]?) (?:surtout |donc )?pas (?:{_THIS}|{_NAMED})",
        rf"ne pas (?:l'|les )?(?:appliquer|utiliser)(?: (?:{_THIS}|{_NAMED}))?(?: ici)?§",
        rf"(?:{_THIS}|{_NAMED}) ne (?:doit|doivent) pas être (?:appliquée?s?|utilisée?s?)",
    ),
    asides=(
        r"\b(?:seulement|uniquement|simplement|juste) (?:à titre|pour) (?:de |d')?(?:référence|"
        r"information|illustration|comparaison|mémoire)\b",
        r"\bpour (?:référence|information|mémoire) (?:seulement|uniquement)\b|\bà titre "
        r"(?:indicatif|d'information) (?:seulement|uniquement)\b",
    ),
    failed=(
        rf"(?:j'ai|nous avons)(?: déjà| depuis)? (?:annulé|abandonné|rejeté) {_THIS}§",
        rf"(?:j'ai|nous avons)(?: déjà| d'abord)? (?:essayé|tenté) {_THIS}\W+(?:et |mais )?(?:ça|"
        r"cela) (?:a échoué|n'a pas|ne)",
        rf"(?:cela|ceci|ce {_THING}|cette {_THING}) (?:a|ont) été {_GONE}",
    ),
    shows=(
        r"(?:n'écrive[zs]|n'écris|ne (?:fai(?:s|tes)|faire|l'écri(?:s|vez)|écri(?:s|vez)|codez|mettez)) "
        r"(?:jamais|pas|surtout pas)(?: (?:ça|cela|ceci|le code|de code))?(?: (?:comme (?:ça|ceci|cela)|"
        r"ainsi|de cette (?:façon|manière)))?",
        r"(?:à )?(?:évite[zr]?|éviter)(?: (?:ça|cela|ceci|ce code|du code comme (?:ça|celui-ci)|"
        r"ce qui suit))?",
        r"personne ne (?:devrait|doit) écrire (?:ça|cela|ceci|ce code)(?: ainsi)?",
        r"(?:jamais|pas) comme (?:ça|ceci|cela)",
        r"avant (?:ma|mon|cette|ce|la|le) (?:modification|changement|correction|"
        r"correctif)\b(?!.*\b(?:maintenant|désormais|à présent)\b)"
        r".*\b(?:ressemblait|était|avait|contenait|lisait)\b.*",
        r"(?:ça|cela|ceci|ce code) ne (?:fonctionne|marche|compile) pas",
        r"(?:c'est|ceci est|cela est) (?:faux|incorrect|mauvais|dangereux)",
        rf"(?:.{{0,60}}\b)?{_THING}(?: qui)? (?:a |ont |avait )?(?:été )?{_GONE}(?: (?:par|lors|"
        r"en) [\w ]{1,40})?",
        rf"annule[zr]? (?:ceci|ce qui suit|ce {_THING}|cette {_THING})",
        r"pour (?:référence|mémoire|comparaison)\b(?!.*\b(?:nouve\w+|final\w*|complet|complète|"
        r"modifiée?)\b).*",
    ),
    labels=(
        r"(?:mauvais|incorrect|faux|à éviter|jamais|pas comme (?:ça|ceci)|rejetée?|mauvais "
        r"exemple|mauvaise (?:version|façon|approche))",
        r"à ne pas faire|ne faites pas (?:ça|cela)|pour référence(?: uniquement| seulement)?|non recommandé",
    ),
    conditions=(
        rf"(?:seulement|uniquement) (?:si (?:vous|tu|on|le|la|votre)\b|(?:sous|sur|pour) {PLATFORM}\b)",
        rf"(?:si|quand) (?:vous êtes|tu es|vous travaillez|tu travailles) (?:sous|sur) {PLATFORM}\b",
    ),
    asks=(
        r"(?:voulez-vous|veux-tu|souhaitez-vous|souhaites-tu|tu veux|vous voulez) que (?:je|j') ?(?:l'|les )?"
        rf"(?:applique|fasse|effectue|procède)(?: (?:{_THIS}|la modification|le changement))?(?: "
        r"maintenant)?\W*",
        r"(?:dois-je|puis-je|est-ce que je dois) (?:l'|les )?(?:appliquer|faire|effectuer|procéder)"
        rf"(?: (?:{_THIS}|la modification|le changement))?(?: maintenant)?\W*",
    ),
    series=r"option|variante|approche|alternative|solution|méthode|possibilité|version|piste|façon",
    otherwise=(
        r"sinon,? (?:vous pouvez|tu peux|on peut|il est possible)|soit\b|ou(?: bien| alors|,|\b)|"
        r"en alternative|comme alternative|alternative\W*\Z|alternativement",
        r"une (?:autre|deuxième|seconde) (?:solution|option|possibilité|approche|méthode|façon)\b|un autre "
        r"moyen\b|(?:si vous préférez|si tu préfères)|au lieu de ce qui précède",
    ),
    one_of=(
        r"une seule (?:des deux )?suffit|(?:choisissez|choisis|prenez|prends) l'une? (?:des deux|"
        r"d'entre elles|ou l'autre)",
    ),
    announces=(
        r"il y a (?:deux|trois|plusieurs) (?:façons de|solutions|options|possibilités|approches|"
        r"manières de)\b",
    ),
    everything=r"tout|tous|toutes|ces|les (?:modifications|changements)|ce qui précède",
    either_way=(r"dans (?:les deux|tous les) cas|quelle que soit|pour les deux",),
)
