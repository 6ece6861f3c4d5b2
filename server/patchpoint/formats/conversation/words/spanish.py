"""How an answer in Spanish speaks against its own edits."""

from patchpoint.formats.conversation.words.vocabulary import PLATFORM, Vocabulary

_THING = (
    r"(?:cambios?|edici(?:ón|ones)|diffs?|parches?|parche|bloques?|código|fragmentos?|versi(?:ón|ones)|"
    r"sugerencias?|propuestas?|respuestas?|intentos?|enfoques?|ideas?|commits?)"
)
_THIS = (
    rf"(?:esto|eso|lo|(?:este|esta|estos|estas|ese|esa|el|la) {_THING}(?: siguiente| de abajo)?|lo siguiente)"
)
_NAMED = (
    rf"(?:lo anterior|todo (?:lo anterior|eso|esto)|(?:el|la|los|las|mi|mis|ese|esa|este|esta|estos)(?: "
    rf"(?:últim[oa]s?|primer[oa]?|anterior(?:es)?))* {_THING}(?: (?:anterior(?:es)?|de arriba))?|lo que "
    rf"(?:escribí|dije|propuse)(?: arriba)?)"
)
_UNDO = (
    r"(?:ignor[ae](?:d|n)?|olvid[ae](?:d|n)?(?:te de)?|descart[ae](?:n)?|deshaz|deshaga|revierte|"
    r"revierta|anul[ae])"
)
_GONE = r"(?:rechazad[oa]s?|revertid[oa]s?|descartad[oa]s?|deshech[oa]s?|abandonad[oa]s?)"

SPANISH = Vocabulary(
    signs=(
        "ante* anul* anúl* apli* así camb* como cuan* debe* debo deja* desc* dese* desh* déja* déje* el esa "
        "escr* ese eso esta este esto evit* gust* hace hacer haga* hago ignó* incorrecta incorrecto inte* "
        "inten* la las lo los mal modo nadi* nunc* olvi* olví* para pens* prob* pued* quie* rech* reti* "
        "retr* reví* si sol* sola solam* solamente solo sólo todo títu* únic*"
    ),
    signs_of_ways="alte* ambo* bast* bien cual* elig* esco* hay luga* o otra otro si tamb* una uno",
    because=r"y|porque|ya que|pues|pero|si|antes|hasta",
    turns=(
        r"espera|espere|no|hm+|ay|uy|oh|perdón|perdona|lo siento|en realidad|mejor dicho|error mío|"
        r"pensándolo (?:bien|mejor)|corrección|un momento"
    ),
    softly=r"por favor|así que|entonces|pues|y|pero|bueno|mejor|simplemente",
    rethinks=(
        r"pensándolo (?:bien|mejor)|ahora que lo pienso|(?:me )?retracto§",
        r"(?:espera|espere|ay|uy|un momento|no)\W+(?:no|espera|(?:eso|esto) (?:está mal|es "
        r"incorrecto|es un error|no es correcto))",
        r"retiro (?:eso|lo dicho)|he cambiado de (?:opinión|idea)|cambié de opinión",
    ),
    drops=(
        rf"{_UNDO} (?:eso|esto|todo)§|(?:ignór|olvíd|descárt|revi[eé]rt|anúl)[ae](?:lo|la|los|"
        r"las)§|deshaz(?:lo|la)§|deshágalo§",
        r"déj[ae](?:lo|la|los|las)? ?(?:todo |el (?:código|archivo) )?(?:como está|como estaba|"
        r"tal (?:y )?como|tal cual|igual)",
        r"(?:eso|esto) (?:está mal|es incorrecto|es un error|no es correcto|es mala idea)§",
        r"(?:eso|esto) no (?:funciona|compila|sirve)§",
    ),
    disowns=(rf"{_UNDO} {_NAMED}§",),
    withholds=(
        r"no (?:lo|la|los|las) (?:apli(?:ques|que|quéis|car)|uses|use)(?: aquí| todavía| aún)?§",
        rf"no (?:apli(?:ques|que|quéis)|uses|use|copies|copie) (?:{_THIS}|{_NAMED})(?: aquí| todavía| aún)?",
        rf"no aplicar(?: (?:{_THIS}|{_NAMED}))?(?: aquí)?§|no se debe aplicar",
        rf"(?:{_THIS}|{_NAMED}) no (?:se )?debe(?:n|ría)? (?:ser )?aplica(?:r|rse|do|da)",
    ),
    asides=(
        r"\b(?:solo|sólo|solamente|únicamente|simplemente) (?:como|a modo de|para|de) "
        r"(?:referencia|ilustración|comparación|información)\b",
        r"\b(?:a modo|a título) (?:informativo|de referencia)(?: solamente| únicamente)\b|\bpara "
        r"referencia (?:solamente|únicamente)\b",
    ),
    failed=(
        rf"(?:ya )?(?:lo )?(?:he revertido|revertí|deshice|descarté|rechacé)(?: {_THIS})?§",
        rf"(?:ya )?(?:lo )?(?:intenté|probé|he probado|he intentado)(?: {_THIS})?,? (?:y|pero) "
        r"(?:falló|no funcionó|no compiló)",
        rf"(?:esto|eso|este {_THING}|esta {_THING}) (?:fue|ha sido|fueron) {_GONE}",
    ),
    shows=(
        r"(?:nunca|no) (?:lo )?(?:escrib[aei]s?|hag[ao]s?|us[ae]s?|escribir|hacer|usar)(?: (?:esto|eso|"
        r"código|el código|algo))?(?: (?:así|de esta (?:forma|manera)|como (?:esto|este|sigue)))?",
        r"evit[ae](?:r|n)?(?: (?:esto|eso|lo siguiente|código como este|este código))?",
        r"nadie deber?ía (?:escribir|hacer|usar) (?:esto|eso|algo así)(?: así)?|así no",
        r"antes de (?:mi|este|esta|el|la) (?:cambio|edición|corrección|modificación)\b(?!.*\b(?:ahora|en su "
        r"lugar)\b).*\b(?:era|estaba|tenía|se veía|decía|quedaba)\b.*",
        r"(?:esto|eso|este código|lo siguiente) no (?:funciona|compila|sirve)",
        r"(?:esto|eso) (?:está mal|es incorrecto|es inseguro|es malo)",
        rf"(?:.{{0,60}}\b)?{_THING}(?: que)? (?:fue |fueron |ha sido )?{_GONE}(?: (?:por|en|"
        r"durante) [\w ]{1,40})?",
        rf"(?:deshaz|deshaga|revierte|revierta) (?:esto|lo siguiente|este {_THING}|esta {_THING})",
        r"(?:como|para|a modo de) (?:referencia|comparación)\b(?!.*\b(?:nuev\w+|final|complet\w+|"
        r"modificad\w+)\b).*",
    ),
    labels=(
        r"(?:mal|incorrecto|incorrecta|nunca|evitar|así no|no hagas esto|no hacer(?: esto)?|"
        r"rechazad[oa]|mal ejemplo|versión incorrecta)",
        r"(?:solo )?(?:como |para )?referencia|no recomendado|lo que no (?:hay que|se debe) "
        r"hacer|forma incorrecta",
    ),
    conditions=(
        r"(?:solo|sólo|solamente|únicamente) (?:si (?:usted|tú|usas|usa|estás|está|utilizas|"
        rf"trabajas|el|la|tu|su)\b|(?:en|para) {PLATFORM}\b)",
        rf"(?:si|cuando) (?:estás|está|usas|usa|utilizas|trabajas) (?:en |con )?{PLATFORM}\b",
    ),
    asks=(
        rf"¿?(?:quieres|quiere|deseas|desea|te gustaría|le gustaría) que (?:lo |la |los |las )?(?:aplique|"
        rf"haga|realice|proceda)(?: {_THIS}| el cambio| los cambios)?(?: ahora)?\W*",
        rf"¿?(?:debo|puedo|debería) (?:aplicar|hacer|proceder)(?:lo|la|los|las)?(?: {_THIS}| el "
        r"cambio| los cambios)?(?: ahora)?\W*",
        rf"¿?(?:lo|la|los|las) aplico(?: ahora)?\W*|¿?aplico (?:{_THIS}|el cambio|los cambios)(?: ahora)?\W*",
    ),
    series=r"opción|variante|enfoque|alternativa|solución|método|manera|forma|posibilidad|versión|propuesta",
    otherwise=(
        r"alternativamente|como alternativa|alternativa\W*\Z|o (?:bien|también|en|si)\b",
        r"(?:otra|una segunda) (?:opción|forma|manera|alternativa|posibilidad|solución)\b|otro (?:enfoque|"
        r"método)\b|si lo prefieres|si prefieres|en lugar de lo anterior",
    ),
    one_of=(
        r"(?:con )?(?:una|uno) (?:sola?|de (?:las|los) dos|de (?:ellas|ellos)) (?:basta|es suficiente)|"
        r"(?:basta con|elige|elija|escoge|usa) (?:solo )?un[ao](?: de (?:las|los) dos| de ell[ao]s)?§",
    ),
    announces=(
        r"hay (?:dos|tres|varias) (?:formas de|maneras de|opciones|soluciones|alternativas|posibilidades)\b",
    ),
    everything=r"todo|todos|todas|estos|estas|los cambios|lo anterior",
    either_way=(r"en (?:cualquier|ambos|todo) casos?|sea cual sea|para (?:ambas|ambos)",),
)
