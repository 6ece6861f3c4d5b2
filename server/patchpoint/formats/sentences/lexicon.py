"""The words of eight languages, by what they are for: `_` is a space in a phrase, `*` any ending of a word.

A row is of one kind or of several, and a word may be in several rows. What is in no row is unknown: who says
it says more than is understood. The kinds below `old` only ever hold an edit back.
"""

from __future__ import annotations

from collections.abc import Mapping

LEADS: Mapping[str, str] = {
    "en": """
part: table section heading footer header | fill: in_there in_here after_that after_which | all: (in/for)_both
both_of_them everywhere all_of_them throughout | stays: stays remains remain
(is/are)_still_(needed/used/required) | thing file: readme changelog | value: default value | this: same |
version: version version_number | port: port port_number | package: package project crate module app
application library server plugin | change: upgrade downgrade pin | remove needless:
you_can_(then/now/also/safely)_(delete/remove/drop) then_you_can_(delete/remove/drop) | move do: move relocate
| empty: empty blank | same: (do/make/apply/repeat)_the_same | change must:
must_be_(set/changed/raised/increased/lowered/reduced/decreased/bumped/updated/switched)
should_be_(set/changed/raised/increased/lowered/reduced/decreased/bumped/updated/switched)
needs_to_be_(set/changed/raised/increased/lowered/reduced/decreased/bumped/updated/switched)
need_to_be_(set/changed/raised/increased/lowered/reduced/decreased/bumped/updated/switched)
has_to_be_(set/changed/raised/increased/lowered/reduced/decreased/bumped/updated/switched)
have_to_be_(set/changed/raised/increased/lowered/reduced/decreased/bumped/updated/switched) | rename must:
(must/should)_be_renamed (needs/has)_to_be_renamed | rename must as_name: (must/should)_be_called
(needs/has)_to_be_called | fill also: too as_well | purpose reason: since because | fill must: we_need_to
we_have_to we_must we_should we_also_need_to you_need_to you_have_to you_must you_should you_also_need_to |
becomes must: must_be (needs/need/has/have)_to_be should_be | remove needless: you_no_longer_need
(can/may/must/should)_be_(removed/deleted/dropped)
(can/should)_(then/now/also/safely/therefore)_be_(removed/deleted/dropped) (needs/need/has/have)_to_be_removed
(needs/need/has/have)_to_be_deleted (needs/need/has/have)_to_be_dropped | would: i_would i'd i_would_also
i'd_also | must: should must needs_to need_to has_to have_to ought_to need needs requires require you'll_need
| asks: changes fixes edits adjustments modifications | there is:
already_(set/sets/does/do/has/have/handles/handle/covers/cover/exists/there) is_already are_already | done:
removed deleted dropped | assign: set | was: old before from current original was existing previous find
search replace | will: after to updated becomes with now fixed changed | will new: new replacement corrected
improved proposed suggested | fill: safely additionally besides furthermore while_you're_there
while_you're_at_it while_at_it a an the of in for to with and on at by from into inside within under as its
your my our so that then also now next first second third last finally lastly again please just simply same
here here's here_is below_is this_is that_is is are you_should you_also_have_to
you_(also/only/just/will)_need_to you_must_also you_need_to one two you_can you_must you_have_to
you'll_need_to you'll_also_need_to you_will_also_need_to you'll_have_to let's to_(fix/solve/do)_this
to_fix_that more step part_of the_fix_is_to the_solution_is_to all_you_need_is_to only it_is_enough_to instead
in_your_existing in_your_current in_the_existing in_the_current to_fix_the_(issue/problem/bug) like_this
like_so has_to have_to corresponding missing | all: all each both every other another | this: this that it
these those them the_following following above below everything | speaker: i we i've we've i'd we'd i'll we'll
i_have we_have have i_would we_would | gives: here's here_is below_is this_is the_following_is | thing: code
functions methods classes module modules component components blocks tests section content version
implementation definitions helpers handler hook configuration config settings style styles snippet change
changes fix patch update improvement solution type types interface struct enum body argument parameter
signature call server client backend frontend model view controller service routes app api schema template
script value name string expression condition literal word text operator number limit check comparison flag
table row rows file files project root folder directory source package values default hardcoded hard-coded go
java javascript python ruby rust typescript side one usings loop case branch css html sql export | thing
removable label: function method block line lines | thing removable: class import imports test definition
helper constant constants field fields property setting rule entry statement route variable key dependency
package library | removable: option target section code unused old redundant obsolete whole entire | file:
file files path content contents module script source | of_file: the your my how what of for in to as version
code implementation | replace: replace change swap substitute rename | rename: rename | find: find search
search_for locate look_for | change: don't_forget do_not_forget remember be_sure make_sure renamed rename
change changed tweak adapt adjust update updated updating replace replaced modify modified fix fixed edit
edited rewrite rewritten refactor refactored refactoring after add added adding append insert bump set raise
increase decrease reduce lower mention expose document changes_to so_it_has_to so_it_must so_it_needs_to
so_it_should (has/have/needs)_to_change must_change | new: fixed revised final refactored rewritten better
simplified simpler faster safer optimized optimised updated modified complete full after | becomes: becomes
should_be should_become should_look_like should_now_be should_now_look_like should_read should_now_read
should_say should_now_say now_looks_like be become | with: to with into by for | whole: full whole
entire in_full replace_everything_in overwrite complete | create: create created creates creating new_file
add_(a/the/this/another)_file add_a_new_file add_a_module add_a_new_module add_a_script make_a_file
make_a_new_file | save: save store write place paste copy put | place: right just directly immediately after
below above before near around end top
bottom beginning between under very | remove: remove delete drop get_rid_of removed deleted | needless:
no_longer_(used/needed/required/called/necessary) not_(used/needed/required/called)
not_(used/needed)_(anywhere/anymore) unused obsolete redundant dead_code can_go should_go must_go
can_be_dropped isn't_used don't_need do_not_need | why: has_no have_no since because as nobody no_one nothing
it which that they calls uses needs called used any_more calls_it anymore anywhere is are it's now entirely
completely altogether | old: old current currently existing original originally previous previously before was
were present relevant you_have we_have it_has file_has has had wrote you_wrote contains contain right_now
at_the_moment today as_it_is as_they_are your_code there_is there_are there's looking_at looking i_found
you_can_see you_see notice unchanged for_reference for_context for_comparison used_to in_question buggy broken
fails breaks crashes problem bug culprit does can_stay | remedy: fixes solves resolves addresses prevents
handles corrects without gone now instead should must | current: current currently existing right_now
at_the_moment as_it_is as_they_are | sample: comes_from is_raised_in is_raised_by is_thrown_in is_thrown_by
originates_in this_test_would_fail e.g example examples for_instance usage use_like used_like call_it calls_it
called_it call_this output outputs prints (should/will)_(show/print/output/display/list/report)
you_(should/will/can)_see you'll_see you_should_then_see you_should_now_see tests_with test_with you_can_then
you_could_then other_projects other_codebases you_often_see run_it run_this instead_of not_like | analysis:
code_review review explanation explained how_it_works how works walkthrough walk-through analysis overview
background diagnosis problem root_cause cause current currently | never: not don't do_not never wouldn't
would_not would_never nobody_should no_one_should tempted tempting imagine suppose hypothetical hypothetically
equivalent pseudo-code pseudocode conceptually simplified_view could maybe perhaps later if rejected reverted
avoid typical roughly | maybe: would could might | offers: you_could you_may you_might you_may_want_to
we_could we_might could_also might_also could_be | but: but although though however | part: part parts partial
excerpt snippet section relevant example not instead_of don't | fine: fine good correct okay ok right
unchanged | bad: unsafe insecure dangerous wrong bad incorrect buggy not | unneeded: no_changes no_change
nothing_to_change nothing_needs no_other_changes | is: is are looks look already all perfectly needed required
necessary here to be safe correct good recommended right what | do: call_(it/this/that)_in put place paste use
set extend improve adjust make apply write implement move define register declare convert turn return swap
rename try initialize wrap handle introduce include simplify enable disable uncomment | label: code version
one section part snippet implementation instead below change fix edit | purpose fill: so so_that so_it |
purpose never: to_avoid to_prevent | instead: rather_than instead_of in_place_of | fixes: fix solution
correction | from: from | it: it it's they nothing nobody | its: of except on | uses: calls usages usage
references | article: a an the your | itself: import imports definition declaration | amount: by |
within: in inside within | package: repository repo
""",
    "de": """
part: tabelle* abschnitt* überschrift* fußzeile* | all: alle allen aller beide beiden überall jeweils | stays:
bleibt bleiben | thing file: readme changelog | value: standardwert* wert vorgabewert* vorgabe default | this:
derselben demselben dieselbe gleichen selben | move: verschiebst schiebe schieb schieben | version: version
versionsnummer | port: port portnummer | package: paket* projekt* crate modul* anwendung* bibliothek* server*
| change: hebe heb heben erhöh* aktualisier* | fill: an | move: verschiebe verschieben verschieb | onto: nach
| empty: leer* | create: lege anlegen | same: (mach/mache/machen_sie)_(dasselbe/das_gleiche)
die_gleiche_änderung dieselbe_änderung | purpose reason: weil denn | must: sollte soll muss müsste sollten
müssen braucht brauchst brauchen benötigst benötigt | becomes: wird_zu | asks: änderungen anpassungen
korrekturen | there is: ist_schon
ist_bereits sind_schon sind_bereits | rename: benenne benennen umbenennen | assign: setze setzen setz stelle
stellen | was: alt alte vorher bisher vor war | will: neu neue nachher danach nun jetzt | fill: gefahrlos
bedenkenlos ruhig ich ausserdem ebenfalls zusätzlich ganz oben unten du_kannst kannst_du sie_können können_sie
in im ins aus von vom zu zum zur der den dem des das die ein eine einen einer eines und auch hier dann nun
jetzt bitte zuerst zunächst danach abschließend noch nur wie folgt folgendes mit für auf an am unter innerhalb
sowie als schritt ihre ihrer ihrem deine deiner deinem so zwei | this: dies* das folgend* es | thing: datei
zeile* code block abschnitt inhalt version* implementierung definition* konfiguration eintrag änderung*
korrektur lösung wert* name* modul dateien komponente | thing removable: abhängigkeit* funktion* methode*
klasse* konstante* import* test* feld variable* | file: datei inhalt | gives: hier_ist das_ist | of_file: die
der den das neue neuen für von in | replace: ersetzt änderst tauschst ersetze ersetzen ersetz ändere ändern
tausche tauschen benenne benennen umbenennen | find: suche suchen finde finden | change:
(erhöht/gesetzt/geändert/angehoben/gesenkt)_werden erhöh* senk* verringer* vergiss_nicht nicht_vergessen
ersetz* änder* geändert* tausch* aktualisier* füge* hinzu ergänz* erweiter* pass* korrigier* setz* verwend*
schreib* einfüg* nutz* leg* an sie hinzufügen häng* | new: neu* geändert* aktualisiert* korrigiert*
vollständig* verbessert* nachher danach | becomes: wird sollte_so_aussehen sieht_dann_so_aus | with: durch mit
zu gegen in wird_zu um | whole: ganze* ersetze_alles_in ersetzen_sie_alles_in überschreib* vollständig*
komplett* gesamte* | create: erstell* neue_datei | save: speicher* | place: nach vor hinter unter über direkt
unterhalb oberhalb ende anfang | remove: entfernt_werden gelöscht_werden kann_entfallen kann_weg kann_dann_weg
entfern* lösch* streich* | current: aktuell* bestehend* momentan derzeit | old: alt* vorher bisher* aktuell*
derzeit* ursprünglich* vor | sample: beispiel* zum_beispiel ausgabe sollte_(zeigen/ausgeben) (zeigt/gibt)_dann
aufruf | never: nicht nie* kein* vermeid* würde* vielleicht könnte* falls wenn | offers: ich_würde würde_ich
du_könntest könntest_du sie_könnten könnten_sie man_könnte wir_könnten | but: aber jedoch allerdings |
removable: regel* zeile* code block | label: zeile* code block version* | needless: unbenutzt* ungenutzt*
überflüssig* nicht_mehr_(gebraucht/benötigt/verwendet/genutzt/benutzt)
nicht_(gebraucht/benötigt/verwendet/genutzt/benutzt) nirgends_(gebraucht/benötigt/verwendet/genutzt/benutzt) |
purpose: damit sodass so_dass dass um | instead: statt anstatt anstelle_von | fixes: lösung korrektur | from:
von | onto: auf | it: sie er es nichts niemand | its: von außer | article: der die das den dem des ein* ihr*
dein* | itself: import* definition* deklaration | amount: um | within: in innerhalb | package: repository repo
""",
    "fr": """
part: tableau* section* titre* | all: tous toutes les_deux partout chaque | stays: reste restent | thing file:
readme changelog | value: valeur défaut | this: même | move: déplacez-la déplacez-le | version: version
numéro_de_version | port: port numéro_de_port | package: paquet* projet* module* application* bibliothèque*
serveur* crate | change: passe montez monte monter relève* relevez | rename must: (doit/devrait)_être_renommé
(doit/devrait)_être_renommée | becomes must: doit_valoir | move: déplacez déplace déplacer | onto: vers |
empty: vide vierge | same: (faites/fais)_de_même (faites/fais)_la_même_chose la_même_modification | purpose
reason: puisque parce_que car | becomes must: doit_être devrait_être | must: devrait doit devraient doivent
il_faut avez_besoin nécessite | asks: changements modifications corrections | there is: est_déjà sont_déjà |
rename: renommez renomme renommer | assign: définissez définis définir mettez mets réglez règle fixez | was:
avant ancien ancienne actuel | will: après nouveau nouvelle | fill: sans_risque sans_problème je également
en_outre de_plus vous_pouvez tu_peux dans le la les l' de d' du des un une ce cette ces et aussi puis ensuite
enfin alors s'il te vous plaît maintenant d'abord à au aux en avec pour par votre vos ton ta tes comme suit
voici étape que tout | this: ce cette ces ceci cela celui-ci celle-ci suivant* suit | thing: fichier* ligne*
code bloc* fonction* méthode* classe* constante* import* test* section contenu version* implémentation
définition* champ configuration entrée modification* correction* solution valeur* variable* nom* module*
composant* | file: fichier contenu | gives: voici | of_file: le la du de dans fichier | replace: remplacez
remplace remplacer changez change changer modifiez modifie modifier renommez renomme renommer | find: cherch*
trouv* | change: passer passez augment* rédui* n'_oubliez_pas n'_oublie_pas remplac* chang* modifi* ajout*
mett* met* mis* insér* corrig* cré* utilis* écri* adapt* insèr* placez placer | new: nouveau nouvelle* nouvel
corrigé* complet* complète* final* après mise_à_jour mis_à_jour | becomes: devient | with: par en avec devient
| whole: complet* complète* entier entière* tout_le_contenu écrasez | create: créez crée nouveau_fichier |
save: enregistr* | place: après avant sous juste dessous dessus fin début au-dessous au-dessus | remove:
peut_être_(supprimé/supprimée/retiré/retirée) supprim* retir* enlev* | current: actuel* existant* | old:
ancien* actuel* avant existant* était | sample: exemple* sortie (devrait/doit)_(afficher/montrer)
vous_devriez_voir affiche | never: ne n' pas jamais évit* aucun* si pourr* | offers: vous_pourriez tu_pourrais
on_pourrait nous_pourrions | but: mais cependant | removable: dépendance* constante* variable* champ règle*
ligne* fonction méthode classe import* test code bloc | label: code bloc ligne* version* | needless:
inutilisé* inutile* n'_est_plus_(utilisé/utilisée/nécessaire) n'_est_pas_(utilisé/utilisée) ne_sert_plus
ne_sert_à_rien | purpose: pour afin | instead: au_lieu_de au_lieu_d' à_la_place_de | fixes: correction
solution correctif | from: de d' | onto: à au | it: il elle ils elles rien | its: de d' du sauf | article: le
la les l' un une votre ton ta vos tes | itself: import* définition déclaration | within: dans | package: dépôt
repo
""",
    "es": """
part: tabla* sección encabezado | all: todos todas ambos ambas los_dos las_dos cada | stays: sigue siguen
permanece | thing file: readme changelog | value: valor predeterminado | this: mismo misma | move: mueves
desplaza desplace traslada traslade | version: versión número_de_versión | port: puerto número_de_puerto |
package: paquete* proyecto* módulo* aplicación biblioteca* servidor* crate | change: sube suba eleva eleve |
rename must: (debe/debería)_renombrarse (debe/debería)_ser_(renombrado/renombrada) | move: mueve mueva mover |
empty: vacío vacía | same: (haz/haga/hacer)_lo_mismo el_mismo_cambio | purpose reason: puesto_que porque
ya_que | becomes must: debe_ser debería_ser | must: debería debe deberían deben necesitas necesita requiere
hay_que | asks: cambios modificaciones correcciones | there is: ya_está ya_están ya_existe | rename: renombra
renombre renombrar | assign: establece establezca establecer configura configure pon ponga poner | was: antes
viejo anterior actual | will: después nuevo nueva | fill: sin_problema sin_riesgo voy_a además puedes puede
que en de del el la los las lo un una y también luego después ahora primero finalmente por favor a al con para
su sus tu tus como sigue aquí está paso | this: est* siguiente* esto | thing: archivo* fichero* línea* código
bloque* función* funciones método* clase* constante* import* prueba* sección contenido versión implementación
definición campo configuración entrada cambio* corrección solución valor* variable* nombre* módulo componente
test tests | file: archivo fichero contenido | gives: aquí_está este_es | of_file: el la del de en archivo |
replace: reemplaza reemplace reemplazar cambia cambie cambiar sustituye sustituya sustituir renombra renombre
renombrar | find: busc* busqu* | change: subir aument* sub* baj* reduc* no_olvides no_olvide reemplaz*
reemplac* sustitu* cambi* modific* actualiz* añad* agreg* agregu* pon* inserta* corrig* usa* escrib* coloc*
coloqu* | new: nuev* corregid* actualizad* complet* final* después | becomes: queda pasa_a_ser | with: por a
con | whole: complet* enter* todo_el_contenido sobrescrib* | create: crear crea cree nuevo_archivo
archivo_nuevo | save: guard* | place: después antes debajo encima justo final principio | remove:
se_puede_(eliminar/quitar/borrar) elimin* borr* quit* | current: actual* existente* | old: viej* anterior*
actual* antes existente* era original* | sample: ejemplo* salida (debería/debe)_(mostrar/imprimir)
deberías_ver muestra | never: no nunca evit* ningun* si podría podrían podrá | offers: podrías usted_podría
podríamos | but: pero aunque | removable: dependencia* constante* variable* campo regla* línea* función método
clase import* prueba código bloque | label: código bloque línea* versión | needless: sin_usar
ya_no_se_(usa/utiliza/necesita) no_se_(usa/utiliza/necesita) ya_no_es_necesaria ya_no_es_necesario
no_utilizada innecesari* | purpose: para | instead: en_lugar_de en_vez_de | fixes: solución corrección | from:
de | onto: a | it: ya nada nadie | its: de del excepto salvo | article: el la los las un una tu tus su sus |
itself: import* definición declaración | within: en | package: repositorio repo
""",
    "pt": """
part: tabela* seção cabeçalho | all: todos todas ambos ambas os_dois as_duas cada | stays: continua continuam
permanece | thing file: readme changelog | value: valor padrão | this: mesmo mesma nesse nesta neste nessa |
move: mova-a desloque | version: versão número_da_versão número_de_versão | port: porta número_da_porta |
package: pacote* projeto* módulo* aplicação biblioteca* servidor* crate | change: suba subir eleve elevar |
rename must: (deve/deveria)_ser_(renomeado/renomeada) | move: mova mover | empty: vazio vazia | same:
(faça/fazer)_o_mesmo (faça/fazer)_a_mesma_coisa a_mesma_alteração | purpose reason: já_que porque pois |
becomes must: deve_ser deveria_ser | must: deve deveria devem precisa precisas requer | asks: mudanças
alterações correções | there is: já_está já_estão já_existe | rename: renomeie renomear | assign: defina
definir ajuste ajustar configure configurar | was: antes antigo atual | will: depois novo nova | fill:
sem_problema com_segurança vou além_disso você_pode pode que em no na nos nas do da dos das de o a os as um
uma e também depois agora primeiro finalmente por favor ao à com para seu sua seus suas como segue aqui está
passo | this: est* isto isso ess* seguinte* a_seguir | thing: arquivo* ficheiro* linha* código bloco* função*
funções método* classe* constante* import* teste* seção secção conteúdo versão implementação definição campo
configuração entrada mudança* alteração correção solução valor* variáve* nome* módulo componente | file:
arquivo ficheiro conteúdo | gives: aqui_está este_é | of_file: o a do da de em no arquivo | replace: substitua
substituir troque trocar mude mudar altere alterar renomeie renomear | find: procur* encontr* | change:
aument* diminu* reduz* não_esqueça não_se_esqueça substitu* troqu* troc* mud* alter* modifi* atualiz* adicion*
acrescent* insir* corrij* us* escrev* coloqu* coloc* | new: nov* corrigid* atualizad* complet* final* depois |
becomes: fica passa_a_ser | with: por para com como | whole: complet* inteir* todo_o_conteúdo sobrescrev* |
create: crie criar novo_arquivo | save: salv* guard* | place: depois após antes abaixo acima logo fim início |
remove: pode_ser_(removido/removida/excluído/excluída) remov* exclu* apag* delet* | current: atual* existente*
| old: antig* anterior* atual* antes existente* era original* | sample: exemplo* saída
(deve/deveria)_(mostrar/imprimir) você_(deve/deverá)_ver mostra | never: não nunca evit* nenhum* se poder* |
offers: você_poderia podemos | but: mas porém | removable: dependência* constante* variáve* campo regra*
linha* função método classe import* teste código bloco | label: código bloco linha* versão | needless:
não_utilizada não_utilizado não_usada não_usado não_é_mais_(usada/usado/necessária/necessário)
não_é_(usada/usado/utilizada/utilizado) desnecessári* | purpose: para | instead: em_vez_de ao_invés_de
em_lugar_de | fixes: solução correção | from: de | onto: para | it: ele ela eles elas nada ninguém | its: de
do da dos das exceto | article: o a os as um uma seu sua | itself: import* definição declaração | within: em
no na | package: repositório repo
""",
    "ru": """
part: таблиц* раздел* заголов* | all: все всех обе оба обоих обеих везде каждом | stays: остаётся остается
остаются | thing file: readme changelog | value: значени* умолчанию | this: том_же той_же тот_же этом_же
этой_же | place: выше ниже | move: переместить перенести передвиньте | version: верси* номер_версии | port:
порт порта | package: пакет* проект* модул* приложени* библиотек* сервер* крейт* | change: повысьте повысь
повысить поднимите подними поднять смените смени сменить понизьте исправьте исправь обновите обнови обновить |
fill: после_этого | move: переместите перемести перенесите перенеси | empty: пуст* | same:
(сделайте/сделай)_то_же_самое (сделайте/сделай)_то_же (то/такое)_же_изменение | purpose reason: потому_что
поскольку | becomes must: должно_быть должен_быть должна_быть | must: должен должна должно должны нужно нужен
нужна требует требуется | there is: уже_есть уже_существует | as_name: в | rename: переименуйте переименуй |
assign: установите установи задайте задай поставьте поставь | was: было до старое старый сейчас | will: стало
после новое новый | fill: безопасно смело её его вы_можете в во из на с со и а также затем теперь потом
сначала наконец здесь вот для к по так пожалуйста шаг ваш* | this: это* эт* следующ* | thing: файл* строк*
код* блок* раздел* содержим* верси* реализаци* определени* конфигураци* изменени* исправлени* решени* значени*
модул* компонент* | thing removable: зависимост* функци* метод* класс* констант* импорт* тест* пол* переменн*
| file: файл* содержим* | gives: вот | of_file: файл* для | replace: замените замени заменить измените измени
поменяйте поменяй переименуйте переименуй | find: найд* ищ* | change: увелич* уменьш* замен* измен* поменя*
исправ* обнов* добав* встав* использ* напиш* перепиш* помест* допиш* | new: нов* обновл* исправл* полн* стало
после | becomes: становится | with: на | whole: полн* весь целиком | create: созда* | save: сохран* | place:
после перед под над сразу конец конце начало начале прямо | remove: можно_удалить можно_убрать удал* убер* |
current: текущ* существующ* сейчас | old: стар* было текущ* до раньше сейчас исходн* | sample: пример* вывод*
должен_(вывести/показать) должна_(вывести/показать) вы_увидите выведет | never: не нет никогда никто если
можно | offers: вы_могли_бы можно_было_бы | but: но однако | removable: строк* код* блок* | label: код* блок*
строк* | needless: неиспользуем* ненужн* больше_не_(нужна/нужен/нужно/используется) не_используется | purpose:
чтобы | instead: вместо | fixes: решение исправление | from: с со | onto: на до | its: кроме | itself: импорт*
объявлени* | within: в внутри | package: репозитори*
""",
    "zh": """
part: 表格 表 章节 小节 | all: 所有 全部 每个 两处 都 | stays: 仍 仍然 保留 继续 | thing file: readme
changelog | value: 默认值 值 默认 | this: 同一 同一个 | move: 移 挪 挪到 移动至 放到 | version: 版本 版本号 |
port: 端口 端口号 | package: 包 项目 模块 应用 库 服务器 服务 插件 | change replace: 升级 升 提升 提高 调整 调
降低 | with: 升级到 升级为 升到 提升到 提高到 调整为 调为 降到 到 更新为 更新到 | replace change: 升级到
升级为 升到 提升到 提高到 调整为 调为 降到 更新为 更新到 | remove: 可以删掉 删掉 去除 可以去掉 | move: 移动
移到 移动到 移至 | empty: 空 空白 | create: 创建 | fill: 一个 | same: 同样的修改 同样的更改 同样的改动
相同的修改 同样处理 做同样 | purpose reason: 由于 因为 | becomes must: 应该是 应为 应该为 | instead: 代替 取代
而不是 | must: 应该 应当 必须 需要 | there: 已经 已 | rename: 重命名 重命名为 | assign: 设置 设为 设置为 设定
设定为 | with: 设为 设置为 设定为 | was: 旧 之前 原来 修改前 变更前 以前 | will: 新 之后 现在 修改后 变更后 |
fill: 另外 顶部 开头 并且 同时 此外 安全地 放心 我们 我 中 里 的 在 请 并 然后 现在 为 成 一 把 将 是 了 和 也
这里 首先 接着 最后 如下 以下 下面 您 你 到 从 | this: 以下 下面 如下 这段 这行 这个 这 这样 此 这一行 |
thing: 代码 行 内容 文件 函数 方法 类 常量 导入 测试 部分 版本 实现 定义 字段 配置 变量 模块 组件 值 | file:
文件 内容 | gives: 以下是 下面是 这是 | of_file: 的 文件 代码 | replace: 替换 修改 更改 改 换 替换为 修改为
改为 改成 更改为 换成 换为 重命名 重命名为 | find: 查找 找到 | change: 别忘了 别忘记 替换 修改 更改 改 换 变
添加 加入 增加 新增 更新 插入 使用 改为 改成 加 加上 加到 追加 | new: 新 修改后 更新后 之后 现在 完整 变更后
新的 | becomes: 变成 变为 | with: 为 成 替换为 修改为 改为 改成 更改为 换成 换为 变为 变成 重命名为 | whole:
完整 全部 整个 | create: 创建 新建 | save: 保存 | place: 之后 后面 之前 前面 上方 下方 末尾 开头 紧接 |
remove: 可以删除 可以移除 删除 移除 去掉 | current: 当前 目前 现有 | old: 旧 之前 原来 修改前 当前 目前 变更前
| sample: 这样使用 这样用 用法 例如 示例 例子 输出 会看到 应该看到 会显示 | never: 不 不要 别 勿 避免 没 如果
| offers: 可以 | but: 但 但是 | removable: 依赖 依赖项 常量 变量 规则 代码 行 函数 方法 类 导入 测试 | itself:
导入 引入 声明 | label: 代码 行 内容 | needless: 未使用的 不再使用的 不再需要的 不再使用 不再需要 没有用到的
没有用到 没用到 没有地方使用 没有使用 没有被使用 没被使用 | purpose: 让 使 以便 从而 | purpose never: 避免
以避免 以防止 以免 | fixes: 修复 修正 解决方案 解决 | from: 由 从 | whose: 的 | object: 将 把 | package: 仓库
""",
    "ja": """
do: 使って 使用して | part: 表 テーブル 節 見出し | all: すべて 全て 両方 それぞれ どちらも | done: てあります
してあります してありました しました ておきました | stays: そのまま 引き続き 残し | thing file: readme
changelog | value: デフォルト値 既定値 値 デフォルト | this: 同じ | move: 移し | version: バージョン
バージョン番号 | port: ポート ポート番号 | package: パッケージ プロジェクト モジュール アプリ アプリケーション
ライブラリ サーバー | change: 上げ 引き上げ アップグレード 下げ | assign with: にしてください にします | move:
移動 | empty: 空 | same: 同じこと 同じ変更 同じ修正 同様の変更 同様の修正 | must: べき 必要 | there: すでに
既に | rename: 名前変更 リネーム | assign: 設定 セット | was: 変更前 修正前 以前 前 | will: 変更後 修正後 以後
後 | fill: その後 安全に できます の を で に は と が も まず また そして 次に してください ください て し
ます です る する します へ 中 内 よう から 名前 | this: この 次 以下 下記 これ こちら 次のように | thing:
コード 行 部分 ファイル 内容 関数 メソッド クラス 定数 インポート テスト 定義 設定 変数 値 もの | file:
ファイル 内容 | gives: 以下は これは | of_file: の ファイル | replace: 置き換え 書き換え 差し替え 変更 修正
名前変更 リネーム | find: 検索 探し | change: 必要があります 置き換え 書き換え 差し替え 変更 修正 追加 更新
挿入 | new: 新しい 修正後 変更後 後 以後 更新後 | becomes: になります | with: に へ | whole: 完全 全体 |
create: 新規作成 作成 | save: 保存 | place: 後 前 直後 直前 下 上 末尾 先頭 | remove: 削除 | current: 現在
既存 | old: 古い 変更前 以前 前 現在 | sample: 例 例えば 出力 表示され | never: ない ません ないで 避け もし
場合 | removable: 依存関係 定数 変数 行 コード 関数 メソッド クラス テスト インポート | itself: インポート
import 宣言 | label: コード 行 内容 もの | needless: 使われていない 使用されていない 使われていません
使用されていません 使っていない 使っていません 不要な 未使用の 不要 | purpose fill: ように | purpose: ため |
fixes: 修正 解決策 | from: から | whose: の | package: リポジトリ
""",
}

CLASSES = frozenset(("class", "klasse", "classe", "clase", "класс", "класса", "类", "クラス"))
"""What a class is called."""
PLACES: Mapping[str, str] = {
    "en": """
each: all each both every | others more: initialise initialize | below: between after below under underneath
beneath following | above: before above ahead_of preceding | last: at_the_end at_the_very_end at_end
to_the_end to_the_very_end to_end at_the_bottom at_the_very_bottom at_bottom to_the_bottom to_the_very_bottom
to_bottom to_the_last_line_of append_to appended_to append_(this/it/these)_to append_the_following_to
append_this_(line/test/function/method)_to append_these_lines_to append_these_tests_to as_the_last | first:
at_the_(top/beginning/start/head) at_the_very_(top/beginning/start) at_top to_the_(top/beginning/start/head)
to_the_very_top to_top as_the_(first/top) as_first at_beginning at_start prepend_to prepended_to | inside: in
into inside within to | others: a an the your our its existing current last first new other line lines import
imports statement statements method methods function functions class struct property field fields member
members definition definitions declaration variable constant section heading entry block rule test tests route
routes key keys decorator helper helpers usings code file module list of in into inside to at on for from
following this these it that here the_following then now next also and finally lastly please just right
directly immediately simply step top end bottom beginning start very one_more same snippet css html sql export
dependency corresponding missing you_need_to you_also_need_to you'll_need_to you'll_also_need_to let's |
others puts: add insert put place paste append prepend goes belongs should go define create write include |
more adds: add* append* insert* includ* extend* introduc* | adds: creat* implement* defin* new another missing
lack* has_no have_no need* one_more | tests: test tests | speaks: why bad_idea bad_practice whether you_asked
| not: not never don't doesn't shouldn't wouldn't mustn't can't won't isn't didn't needn't
""",
    "de": """
each: alle allen beide beiden jede jeden jedem jeder | others more: initialisiere initialisieren | below:
zwischen nach unter unterhalb hinter im_anschluss_an | above: vor über oberhalb | last: am_ende ans_ende |
first: am_anfang an_den_anfang als_(erstes/ersten/erste) ganz_oben | inside: in im | others: der die das dem
den des von in im ein eine einen einer einem bestehende bestehenden vorhandene vorhandenen neue neuen datei
methode methoden funktion funktionen klasse zeile zeilen eigenschaft import imports abschnitt test tests
konstante variable eintrag code sie bitte folgende folgenden diese diesen dies direkt unmittelbar gleich dann
nun jetzt auch und zuletzt schritt danach ganz dieser diesem derselben selben | others puts: füge fügen setze
setzen schreibe schreiben ergänze ergänzen hinzu hinzufügen einfügen häng hänge trag trage tragen | more: füg*
ergänz* erweiter* trag trage tragen | adds: füg* ergänz* erweiter* trag trage tragen neu* | tests: test tests
| not: nicht nie
""",
    "fr": """
each: tous toutes chaque les_deux | others more: initialisez initialise | below: entre après sous
en_dessous_de au-dessous_de à_la_suite_de | above: avant au-dessus_de | last: à_la_fin à_la_toute_fin | first:
au_début au_tout_début en_premier en_haut en_tête | inside: dans en | others: le la les l' de du des d' un une
dans méthode méthodes fonction fonctions classe ligne lignes propriété import imports section fichier test
tests existant existante nouvelle nouvelles nouveaux constante variable code ceci cela ce cette ces suivant
suivante suivantes juste directement puis ensuite enfin et aussi étape bloc tout même | others puts: ajoutez
ajoute ajouter ajoutons insérez inserez insère mettez placez collez ajoutez-(le/la/les) ajoute-(le/la/les)
insérez-(le/la/les) placez-(le/la/les) mettez-(le/la/les) mets-(le/la/les) | more: ajout* inclu* | adds:
ajout* nouve* inclu* | tests: test tests | not: pas jamais
""",
    "es": """
each: todos todas ambos ambas cada | others more: inicializa inicialice | below: entre después_de después_del
debajo_de debajo_del tras a_continuación_de | above: antes_de antes_del encima_de encima_del arriba_de | last:
al_final | first: al_principio al_inicio al_comienzo como_(primero/primer/primera) | inside: en dentro_de |
others: el la los las de del un una en método métodos función funciones clase línea líneas propiedad import
imports importación sección archivo fichero prueba pruebas test tests existente nuevo nueva nuevos nuevas
constante variable código esto este esta estos estas siguiente siguientes justo luego después ahora también y
por_último finalmente paso bloque a mismo | others puts: añada añade añadir agregue agrega agregar inserta pon
coloca añáde(lo/la/los/las) agréga(lo/la/los/las) inserta(lo/la) insérta(lo/la) pon(lo/la/los/las)
colóca(lo/la/los/las) | more: añad* agreg* inclu* | adds: añad* agreg* inclu* nuev* | tests: prueba pruebas
test tests | not: nunca
""",
    "pt": """
each: todos todas ambos ambas cada | others more: inicialize inicializa | below: entre
depois_(de/do/da/dos/das) após abaixo_de abaixo_do abaixo_da | above: antes_(de/do/da/dos/das) acima_de
acima_do acima_da | last: no_final no_fim ao_final ao_fim | first: no_início no_topo no_começo
como_(primeiro/primeira) | inside: em | others: o a os as de do da dos das um uma em no na método métodos
função funções classe linha linhas propriedade import imports seção arquivo ficheiro teste testes existente
novo nova novos novas constante variável código isto isso este esta estes estas seguinte seguintes logo depois
agora também e por passo bloco abaixo mesmo | others puts: adicione adiciona adicionar insira coloque
acrescente adicione-(o/a) insira-(o/a) coloque-(o/a) acrescente-(o/a) | more: adicion* acrescent* inclu* |
adds: adicion* acrescent* inclu* nov* | tests: teste testes test tests | not: não nunca
""",
    "ru": """
each: все всех всем каждом каждый каждую обоих обеих оба | others more: инициализируйте | below: между после
под ниже | above: перед над выше до | last: в_конец в_конце в_самый_конец в_самом_конце | first: в_начало
в_начале в_самое_начало в_самом_начале | inside: в | others: метод* функци* класс* строк* свойств* импорт*
раздел* файл* тест* определени* существующ* нов* констант* переменной код эту этот следующ* сразу прямо затем
теперь также и в из наконец шаг блок* этой | others puts: добавьте добавь
(добавьте/добавь/вставьте/вставь/поместите)_это вставьте вставь поместите допишите допиши | more: добав* |
adds: добав* нов* | tests: тест* | not: не
""",
    "zh": """
each: 所有 每个 每一个 两个 全部 各个 | others more: 初始化 | below: 之后 后面 下面 下方 之下 后 | above: 之前
前面 上面 上方 之上 前 之间 中间 | others inside: 里 里面 中 内 | last: 末尾 最后 结尾 底部 | first: 开头 顶部
最前面 最上面 | others: 的 方法 函数 类 这一行 一行 行 属性 导入 语句 定义 小节 部分 测试 文件 在 把 将 请
然后 再 并 下列 以下 下面的 这段 这个 这些 代码 到 新 于 最后 紧接 | others puts: 添加 加入 插入 放 写 加 追加
加上 加到 | more: 加到 添加 加上 加入 增加 新增 追加 | adds: 添加 加到 加上 加入 增加 新增 追加 | tests: 测试
| not: 不要 别 勿
""",
    "ja": """
each: すべて 全て 全部 両方 それぞれ 各 | others more: 初期化 | below: の直後 の次の行 の次 の後 のあと の下
直下 | above: の直前 の前 のまえ の上 直上 の間 | others inside: の中 内 | last: の末尾 の最後 の一番下 末尾
最後 一番下 | first: の先頭 の冒頭 の一番上 先頭 冒頭 一番上 | others: メソッド 関数 クラス 行 プロパティ
インポート 文 定義 セクション テスト ファイル という に を へ で の 次 以下 この これ これら 新しい コード
して します する ください また そして 最後 | others puts: 追加 挿入 | more: 追加 | adds: 追加 新しい | tests:
テスト | not: ないで
""",
}
"""Of where something goes: what is a side, before the name of what it is one of or, in Chinese and Japanese,
behind it. `others` say nothing else where something is added, `puts` that it is, and `adds` ask for something
new.
"""
