"""How an answer in English speaks against its own edits."""

from patchpoint.formats.conversation.words.vocabulary import Vocabulary

_THING = (
    r"(?:changes?|edits?|diffs?|patch(?:es)?|blocks?|code|snippets?|versions?|suggestions?|proposals?|"
    r"fix(?:es)?|ones?|answers?|attempts?|approach(?:es)?|ideas?|pull request|pr|commits?|function|method)"
)
_THIS = rf"(?:it|that|them|(?:all of )?(?:this|these|those|that)(?: {_THING})?|the following(?: {_THING})?)"
_NAMED = (
    rf"(?:(?:all (?:of )?)?the above(?: {_THING})?|(?:all (?:of )?)?(?:(?:the|my)(?: (?:above|second|third|"
    rf"latter|previous|last|first|earlier|two|three))+|that|this|these|those|both|my|the)(?: (?:last|first|"
    rf"previous))? "
    rf"{_THING}(?: above)?|everything (?:above|so far|i (?:just )?(?:said|wrote))|all of (?:this|that|it|"
    rf"them)|both(?: of (?:them|these))?|what i (?:just )?(?:said|wrote|suggested|posted)(?: above)?)"
)
_UNDO = (
    r"(?:ignore|disregard|forget(?: about)?|scrap|scratch|strike|discard|undo|revert|retract|cancel|"
    r"throw away|back out)"
)
_NOT = (
    r"(?:do not|don't|never|you (?:should(?: not|n't)|must(?: not|n't)|should never))(?: ever| "
    r"actually| just)?"
)
_NOBODY = rf"(?:{_NOT}|avoid|nobody should|no one should|please avoid)(?: ever)?"
_PLATFORM = (
    r"(?:windows|mac ?os(?: x)?|os x|a mac|linux|unix|[a-z]*bsd|wsl|cygwin|ios|android|arm64|python "
    r"?\d[\d.]*)"
)
_GONE = r"(?:rejected|reverted|turned down|declined|vetoed|rolled back|abandoned|withdrawn)"
_MAKE = r"(?:apply|make|commit|implement|write|do|go ahead(?: with)?|proceed(?: with)?|put)"
_WHEN = r"(?: (?:here|yet|as is|as-is|now|blindly|directly|as it is))?"

ENGLISH = Vocabulary(
    signs=(
        "aban* abov* andr* anti* atte* avoi* back bad befo* bela* brok* bug can canc* chan* comp* "
        "cont* coul* cygw* decl* disc* disr* drop forg* hang hold how igno* illu* inco* info* inse* "
        "ios just keep leav* linu* mac maco* may me mere* mind mist* myse* neve* no nobo* nons* "
        "nope not only os over prio* pure* pyth* reco* redo refe* refl* reje* reth* retr* reve* "
        "roll* scra* shal* shou* skip sole* stri* t take thou* thro* took trie* turn* undi* undo* "
        "unix unsa* used veto* wait what wind* with* wron* wsl"
    ),
    signs_of_ways=(
        "alte* anot* any appl* bett* both choo* clea* coup* diff* eith* ever* fast* four inst* less "
        "more nice* one or othe* pick pref* rath* rega* safe* seco* seve* shor* simp* take thir* "
        "three two use whic*"
    ),
    because=r"and|because|since|but|until|unless|if|before|after",
    turns=(
        r"wait|no|nope|hm+|oh|oops|ah|sorry|actually|hold on|hang on|scratch that|my (?:mistake|bad)|"
        r"apologies|correction|on (?:second thoughts?|reflection)|thinking about it|come to think of it"
    ),
    softly=r"please|edit|update|so|just|then|and|but|well|ok(?:ay)?|now|let's|you should|better|instead",
    rethinks=(
        rf"(?:the above(?: {_THING})?|(?:the|my)(?: (?:first|previous|last|earlier))? {_THING} "
        r"above|my (?:first|previous|last|earlier) "
        rf"{_THING}) (?:(?:is|was) (?:wrong|incorrect|broken|not (?:right|correct)|a mistake)|"
        r"(?:has|had|contains|contained) "
        r"an? (?:bug|mistake|error|problem)|(?:does not|doesn't|won't|did not|didn't) (?:work|compile))",
        r"on (?:second thoughts?|reflection|further thought)",
        r"(?:wait|hm+|oh|actually|sorry|ah|oops)\W+no(?:pe)?§|no\W+wait",
        r"(?:hm+\W+|oh\W+)?(?:wait|hold on|hang on)(?=\W*\Z)|no (?:change|edit)s? (?:is|are) "
        r"needed after all",
        r"(?:scratch|strike|belay) that§|never ?mind§",
        r"i(?: take (?:that|this|it) back| withdraw (?:that|this|it)| have changed my mind| changed my mind)",
        r"i've changed my mind|let me (?:(?:redo|rethink|retract|reconsider) (?:that|this|it)§|"
        r"take (?:that|this|it) back)",
        r"let me (?:start over|correct myself)",
        r"(?:wait|hold on|hang on|hm+|no|oops|actually|sorry)\W+(?:that|this|it)(?:'s| is| was) "
        r"(?:all |completely |actually |just )?(?:wrong|incorrect|a mistake|broken|bad|a bad|nonsense|"
        r"not (?:right|correct|needed|necessary|what|safe|good))",
        r"(?:wait|hold on|hang on|hm+|no|oops|actually|sorry)\W+(?:that|this|it) (?:won't|doesn't|would not|"
        r"wouldn't|does not|will not) (?:work|compile|help|fix|build)",
    ),
    drops=(
        rf"(?:{_UNDO}|skip|drop) (?:that|this|it|them|these|those)§",
        r"leave (?:it|this|that|everything|things|the (?:file|code)) (?:exactly )?(?:alone|unchanged|(?:as|"
        r"the way) (?:is|(?:it|they|that|things) (?:is|are|was|were)))",
        r"keep (?:it|everything|the (?:file|code)) (?:as|the way) (?:is|it is|it was)",
        r"(?:that|this|that one)(?:'s| is) (?:all |completely |actually |just )?"
        r"(?:wrong|incorrect|a mistake|a bad idea|nonsense|not (?:right|correct))§",
        r"(?:that|this) (?:won't|doesn't|would not|wouldn't|does not|will not) (?:work|compile|build)§",
    ),
    disowns=(
        rf"(?:you (?:can|may|should) )?{_UNDO} {_NAMED}§",
        r"(?:i|we)(?:'ll| will)? (?:take|took) (?:that|this|it) back",
    ),
    withholds=(
        rf"{_NOT} (?:use|apply|copy)§",
        rf"i (?:would(?: not|n't| never)|(?:do not|don't) recommend|advise against) (?:apply|us|mak|commit|"
        rf"merg)(?:e|ing)? (?:{_THIS}|{_NAMED}){_WHEN}§",
        rf"(?:you (?:do not|don't) (?:need|have) to|there(?:'s| is) no need to|no need to) (?:apply|make) "
        rf"(?:{_THIS}|{_NAMED}){_WHEN}(?: after all| any ?more)?§",
        rf"{_NOT} apply (?:{_THIS}|{_NAMED}|either|any of (?:this|these|them)){_WHEN}"
        r"(?:§|(?= (?:without|when|to|on|in|either)\b))",
        rf"{_NOT} (?:use|make|do|merge|commit|add|copy|paste|include|implement|write|keep) "
        rf"(?:{_THIS}|{_NAMED}){_WHEN}§",
        rf"(?:it|that|this|these|they|(?:the|this|that) (?:above|following|{_THING})(?: {_THING})?) "
        r"(?:(?:is|are|should|must)(?: not|n't)|(?:should|must) never)(?: to)?"
        rf"(?: be| meant to be| intended to be| supposed to be)? (?:applied|merged|committed){_WHEN}§",
        r"(?:this|that|it|the (?:above|following)) is(?: not|n't) (?:a |the |an |part of the )"
        r"(?:actual |real )?(?:change|edit|fix|patch)§",
    ),
    asides=(
        r"\b(?:only|just|purely|merely|solely) (?:here |shown |included )?(?:for|as an?) (?:your )?"
        r"(?:reference|illustration|context|comparison)\b",
        r"\bfor (?:your )?(?:reference|illustration|context|comparison|information) (?:only|purposes)\b",
        r"\bnot (?:meant |intended )?(?:to be applied|for applying)\b",
    ),
    failed=(
        rf"(?:i|we)(?:'ve| have|'d| had)?(?: already| since| later| then)? (?:reverted|rolled back|undid|"
        rf"undone|abandoned|rejected|withdrew|withdrawn) {_THIS}(?: again)?§",
        r"(?:i|we)(?:'ve| have|'d| had)?(?: first| originally| initially| already| also)* "
        rf"(?:tried|attempted) {_THIS},?"
        r"(?: \w+){0,2},? (?:and|but)(?: it| this| that)?(?: still)? (?:failed|broke|did not|"
        r"didn't|does not|doesn't)",
        rf"(?:this|that|the following|the above)(?: {_THING})? (?:was|were|got|has been|had been) "
        rf"{_GONE}(?: (?:by|in|during) [\w ]{{1,40}})?§",
    ),
    shows=(
        r"(?:this|here)(?:'s| is) (?:how|what) not to (?:do|write|use)\b.*",
        rf"(?:\w+,? )?i (?:had )?(?:suggested|proposed|tried|submitted) {_THIS}\W+(?:but|and) "
        rf"(?:it|this|that) (?:was|got) {_GONE}.*",
        rf"{_NOBODY} (?:write|do|use|code|put|copy|paste|add|make|implement|apply|commit|writing|doing|"
        rf"using|coding)(?: (?:it|this|that|these|things?|code|something|anything|the following|the "
        rf"code))?(?: (?:like (?:this|that|so|the following)|this way|in this way|as follows|below))?",
        rf"{_NOBODY} (?:this|that|these|the following|code like this|this (?:pattern|code|form|style))",
        rf"{_NOT} (?!forget|hesitate|worry)[^\W\d]\w*(?: [^:.,;]{{1,60}})? (?:like this|this way|"
        r"in this way|as follows)",
        r"(?:avoid|nobody should|no one should) \w+(?: [^:.,;]{1,60})? (?:like this|this way|in this way)",
        r"(?:before|prior to) (?:my|our|this|the|that) (?:last )?(?:edit|change|fix|patch|commit|"
        r"refactor(?:ing)?|update)s?"
        r"\b(?!.*\b(?:now|instead|so|but|replace|change to)\b).*\b(?:looked|was|were|read|had)\b.*",
        r"(?:it|this|that|·|the [\w·]+)(?: [\w·]+)? used to (?:be|look|read|say)\b(?!.*\b(?:now|"
        r"instead|so|but|replace)\b).*",
        r"(?:this|that|here)(?:'s| is| was) (?:how|what) (?:it|the [\w·]+|·) (?:was|looked|read|used "
        r"to)\b(?!.*\b(?:now|instead|so|but|replace)\b).*",
        rf"(?:this|that|it|the following)(?: {_THING})? (?:does not|doesn't|won't|will not|did not|didn't) "
        r"(?:work|compile|help)",
        rf"(?:this|that|it|the following)(?: {_THING})? (?:is|was) (?:wrong|incorrect|bad|unsafe|insecure)",
        rf"(?:.{{0,60}}\b)?{_THING}(?:,? (?:which|that))?(?: was| were| got| has been)? {_GONE}"
        r"(?: (?:by|in|during) [\w ]{1,40})?",
        rf"i {_GONE} {_THIS}(?: (?:because|since|as|after)\b.*)?",
        rf"(?:undo|revert|roll back|back out) (?:this|it|these|the following)(?: {_THING})?",
        r"for (?:reference|comparison|context)(?=\W*\Z|\s?[,:(—–-]| only\b| (?:here|this|"
        r"the)\b)(?!.*\b(?:new|updated?|final|full|complete|after|fixed|change)\b).*",
    ),
    labels=(
        r"(?:the )?(?:bad|wrong|incorrect|rejected|discarded|abandoned)"
        r"(?: (?:way|code|example|version|approach|idea|attempt|pattern|practice))?",
        r"(?:never|do not|don't)(?: (?:do|write|use|apply))?(?: (?:this|it|that))?|avoid(?: "
        r"(?:this|it|that|these))?",
        r"what (?:you|one|we) (?:should(?: not|n\'t| never)|must not) (?:do|write|use)|not (?:this|like "
        r"this|recommended|ok(?:ay)?|good)|(?:what|how) not to (?:do|write|code)(?: (?:it|this))?",
        r"anti-?patterns?|(?:for )?reference(?: only)?|(?:for )?reference \W*do not apply",
    ),
    conditions=(
        rf"only (?:if (?:you|your|we|it|that|this|the user)\b|(?:on|for|under) {_PLATFORM}\b|"
        r"(?:needed|required|necessary)\b)",
        r"(?:if|when) you(?:'re| are)? (?:only |still |also )?(?:on|use|run|using|running|"
        rf"targeting|developing on) {_PLATFORM}\b",
        rf"(?:on|for) {_PLATFORM} only\b|{_PLATFORM}(?: users)? only\b",
    ),
    asks=(
        rf"(?:do you |would you |if you(?:'d)? |let me know if you )?(?:want|like|wish) me to {_MAKE}"
        rf"(?: {_THIS}| the (?:edit|change|patch))?(?: now| here| for you)?\W*",
        rf"(?:shall|should|may|can) i {_MAKE}(?: {_THIS}| the (?:edit|change|patch))?(?: now| "
        r"here| for you)?\W*",
    ),
    series=r"plan|option|approach|alternative|variant|version|solution|way|method|possibility|choice",
    otherwise=(
        r"alternatively|as an alternative|(?:an?|another|the other|one) (?:other )?(?:alternative|option|"
        r"way|approach|possibility)(?=\W*\Z|\s?[,:—–-]| (?:is|would be|to|here)\b)",
        r"(?:an?|the) (?:better|cleaner|simpler|safer|faster|nicer|shorter|stricter|different|second|third|"
        r"(?:more|less) \w+) (?:alternative|option|way|approach|possibility)\b|alternative (?:solution|"
        r"approach|way|option|version|implementation|fix)s?\b",
        r"or(?! else|,? (?:les?|la|il|elle|cette|ce|l')\b)\b|alternative(?=\W*\Z|\s?[,:–—])|"
        r"instead of the "
        r"above|(?:if you'd rather|if you prefer|or if you)",
    ),
    one_of=(
        r"(?:only )?(?:one|either) (?:of (?:them|these|the two)|one) (?:is|will be) (?:enough|sufficient)",
        r"(?:either|any)(?: one| of (?:them|these))? (?:works|will do|is enough|is fine)§",
        r"(?:you )?(?:only )?(?:need|apply|use|pick|choose|take) (?:only |just )?(?:one|"
        r"either)(?: of (?:them|these|the two))?§",
    ),
    announces=(
        r"(?:there are|you have|i (?:can )?see|here are|we have) (?:two|three|four|several|a few|a couple "
        r"of) (?:possible |different |other )?(?:ways to (?:fix|do|solve|handle|address|approach|go about|"
        r"implement|achieve)\b|options\b(?! (?:in|that|of|which)\b)|approaches\b|possibilities\b|"
        r"alternatives\b|solutions\b)",
        r"(?:pick|choose|use|apply|take) (?:only |just )?one of (?:the following|these|the two)\b",
        r"you can (?:do|fix|solve|handle) (?:it|this|that) in (?:(?:one|either) of )?(?:two|"
        r"three|several) ways\b",
    ),
    everything=r"all|any of|first|former|both|everything|these|those|the above|changes|edits",
    either_way=(
        r"either way|in (?:either|both|any|every) cases?|(?:with|for) (?:either|both)|whichever|regardless",
    ),
)
