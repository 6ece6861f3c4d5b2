"""How an answer in Portuguese speaks against its own edits."""

from patchpoint.formats.conversation.words.vocabulary import PLATFORM, Vocabulary

_THING = (
    r"(?:mudanças?|alteraç(?:ão|ões)|ediç(?:ão|ões)|diffs?|patch(?:es)?|blocos?|código|trechos?|vers(?:ão|"
    r"ões)|sugest(?:ão|ões)|propostas?|respostas?|tentativas?|abordage(?:m|ns)|ideias?|commits?)"
)
_THIS = rf"(?:isto|isso|o seguinte|(?:este|esta|esse|essa|estes|estas|o|a) {_THING}(?: a seguir| abaixo)?)"
_NAMED = (
    rf"(?:(?:tudo )?o (?:que está )?acima|tudo isso|(?:o|a|os|as|meu|minha|esse|essa|este|esta|estas|"
    rf"essas)(?: (?:últim[oa]s?|primeir[oa]|anterior(?:es)?))* {_THING}(?: (?:anterior(?:es)?|acima))?|o "
    rf"que (?:eu )?(?:escrevi|disse|sugeri)(?: acima)?)"
)
_UNDO = r"(?:ignor[ae]m?|esqueça|esquece|descart[ae]|desfaça|desfaz|reverta|reverte|anul[ae])"
_GONE = r"(?:rejeitad[oa]s?|revertid[oa]s?|descartad[oa]s?|desfeit[oa]s?|recusad[oa]s?|abandonad[oa]s?)"

PORTUGUESE = Vocabulary(
    signs=(
        "aban* acima ante* apen* apli* assi* deix* desc* dese* desf* deve devo erra* esqu* essa "
        "esse esta este evit* gost* incorreta incorreto isso isto mau mude* má ning* nunc* não os "
        "para pens* poss* quan* quer reco* recu* reti* ruim se somente só tent* tudo únic*"
    ),
    signs_of_ways=(
        "alte* ambo* apli* bast* como esco* existem há jeit* ou outr* qual* se segu* sufi* todo um uma vez"
    ),
    because=r"e|porque|pois|já que|mas|se|antes|até",
    turns=(
        r"espera|espere|não|hm+|ops|opa|oh|desculpe|desculpa|na verdade|erro meu|pensando (?:bem|"
        r"melhor)|correção|um momento"
    ),
    softly=r"por favor|então|e|mas|bom|bem|melhor|simplesmente",
    rethinks=(
        r"pensando (?:bem|melhor)|(?:eu )?retiro (?:isso|o que)|mudei de ideia",
        r"(?:espera|espere|ops|opa|um momento|não)\W+(?:não|espera|espere|(?:isso|isto) (?:está "
        r"errado|é incorreto|é um erro|não está certo))",
    ),
    drops=(
        rf"{_UNDO}(?: (?:isso|isto|tudo)|-[oa]s?)§",
        r"deix[ae](?:-[oa]s?| isso| tudo| o (?:código|arquivo))? (?:como (?:está|estava)|do "
        r"jeito que está|inalterado)",
        r"(?:isso|isto) (?:está errado|é incorreto|é um erro|não está certo|é má ideia)§",
        r"(?:isso|isto) não (?:funciona|compila)§",
    ),
    disowns=(rf"{_UNDO} {_NAMED}§",),
    withholds=(
        rf"não (?:o |a |os |as )?(?:apli(?:que|car|quem)|us[ae]|copie)(?:-[oa]s?)?(?: (?:{_THIS}|"
        rf"{_NAMED}))(?: aqui| ainda)?",
        r"não (?:o |a |os |as )?(?:apli(?:que|car))(?:-[oa]s?)?(?: aqui| ainda)?§",
        rf"(?:{_THIS}|{_NAMED}) não deve(?:m|ria)? ser (?:aplicad|usad)[oa]s?",
    ),
    asides=(
        r"\b(?:apenas|só|somente|unicamente) (?:como|para|a título de) (?:referência|ilustração|"
        r"comparação|informação)\b",
        r"\bpara referência (?:apenas|somente)\b",
    ),
    failed=(
        rf"(?:eu )?(?:já )?(?:reverti|desfiz|descartei|rejeitei) (?:isso|isto|{_THIS})§",
        rf"(?:eu )?(?:já )?tentei (?:isso|isto|{_THIS}),? (?:e|mas) (?:falhou|não funcionou|não compilou)",
        rf"(?:isso|isto|est[ea] {_THING}|ess[ea] {_THING}) (?:foi|foram) {_GONE}",
    ),
    shows=(
        r"(?:nunca|não) (?:o )?(?:escrev[ae]|faça|faz|use|usar|escrever|fazer)(?: (?:isso|isto|código|o "
        r"código|algo))?(?: (?:assim|desta (?:forma|maneira)|dessa (?:forma|maneira)|como (?:isto|este)))?",
        r"evit[ae]r?(?: (?:isso|isto|o seguinte|código como este|este código))?|assim não",
        r"ninguém deveria (?:escrever|fazer|usar) (?:isso|isto|algo assim)(?: assim)?",
        r"antes d[aeo] (?:minha |meu |esta |este )?(?:alteração|mudança|edição|correção)\b(?!.*\b(?:agora|"
        r"em vez)\b).*\b(?:era|estava|tinha|parecia|ficava)\b.*",
        r"antes d(?:esta|essa|este) (?:alteração|mudança|edição|correção)\b(?!.*\b(?:agora|em "
        r"vez)\b).*\b(?:era|estava|tinha|parecia)\b.*",
        r"(?:isso|isto|este código|o seguinte) não (?:funciona|compila)",
        r"(?:isso|isto) (?:está errado|é incorreto|é inseguro|é ruim)",
        rf"(?:.{{0,60}}\b)?{_THING}(?: que)? (?:foi |foram )?{_GONE}(?: (?:por|pel[oa]|na|no|em|"
        r"durante) [\w ]{1,40})?",
        rf"(?:desfaça|reverta|desfaz) (?:isso|isto|o seguinte|est[ea] {_THING}|ess[ea] {_THING})",
        r"(?:como|para) (?:referência|comparação)\b(?!.*\b(?:nov[oa]s?|final|complet\w+|alterad\w+)\b).*",
    ),
    labels=(
        r"(?:errado|errada|ruim|incorreto|nunca|evite|evitar|assim não|não faça isso|"
        r"rejeitad[oa]|mau exemplo|exemplo ruim)",
        r"(?:apenas )?(?:como |para )?referência|não recomendado|o que não fazer|forma errada|versão errada",
    ),
    conditions=(
        r"(?:só|somente|apenas) (?:se (?:você|estiver|usar|usa|o|a|seu|sua|for)\b|(?:no|em|para) "
        rf"{PLATFORM}\b)",
        rf"(?:se|quando) (?:você )?(?:estiver|usar|usa|está) (?:no |em |usando )?(?:o )?{PLATFORM}\b",
    ),
    asks=(
        r"(?:você )?(?:quer|deseja|gostaria) que (?:eu )?(?:o |a |os |as )?(?:aplique|faça|realize|prossiga)"
        rf"(?: {_THIS}| a alteração| a mudança)?(?: agora)?\W*",
        rf"(?:devo|posso) (?:aplicar|fazer|prosseguir)(?:-[oa]s?)?(?: {_THIS}| a alteração| a "
        r"mudança| isso)?(?: agora)?\W*",
    ),
    series=r"opção|variante|abordagem|alternativa|solução|método|maneira|forma|possibilidade|versão|proposta",
    otherwise=(
        r"alternativamente|como alternativa|alternativa\W*\Z|ou(?! seja)\b",
        r"(?:outra|uma segunda) (?:opção|forma|maneira|alternativa|possibilidade|solução|abordagem)\b|outro "
        r"(?:jeito|método)\b|se (?:você )?preferir|em vez do acima",
    ),
    one_of=(
        r"(?:uma|um) (?:só |d(?:as|os) duas? |del[ae]s )?(?:basta|é suficiente)|(?:escolha|use|"
        r"aplique) (?:apenas |só )?uma?(?: d(?:as|os) (?:duas|dois)| del[ae]s)?§",
    ),
    announces=(
        r"(?:há|existem) (?:duas|três|várias) (?:formas de|maneiras de|opções|soluções|alternativas)\b",
    ),
    everything=r"tudo|todos|todas|estas|essas|as (?:alterações|mudanças)|acima",
    either_way=(r"em (?:qualquer|ambos os|todo) casos?|de qualquer (?:forma|maneira)|para amb[oa]s",),
)
