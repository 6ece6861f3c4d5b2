"""The words by which an answer speaks against its own edits, in eight languages, in rows as in `lexicon`.

They may hold an edit back, and never make one.
"""

from __future__ import annotations

from collections.abc import Mapping

SIGNS = (
    (
        "not undo gone tried turn bad broken rethink aside leave before used_to reference ask only_if "
        "platform or other pick_one there series",
    ),
    ("one_of", "enough"),
)
"""The kinds of which a text has words that speaks against an edit, or of several ways: all of one row."""

OBJECTIONS: Mapping[str, str] = {
    "en": """
aside: not_in_this_(library/project/repo/repository/package/codebase) not_this_project not_this_library
for_(reference/illustration/comparison/context/information)_only (only/just/merely/purely)_for_reference
(only/just/purely)_for_illustration only_here_for_reference for_your_reference_only only_for_comparison
only_for_context just_for_comparison just_for_context for_reference_purposes not_meant_to_be_applied
only_an_illustration | fill: a an the of in for to with and on at by my your our here there at_all one two
actually just already now then so yet as_is as-is blindly directly be been is are was were being got has have
had again first previously originally initially last previous earlier second third latter since also later
ever both all so_far i_just review code_review during code other it's that's here's how what which who when
after_all any_more anymore either any like_this meant intended supposed please do does you we user things
something anything can may there's would | soft: please edit update so just then and but well ok okay now
let's you_should better instead however also | this: this that it these those them following the_following
above the_above below everything so_far what_i_just_said what_i_suggested the_first_one the_second_one things
something anything that's it's this_is that_is | this it named: what_i_said what_i_wrote | it: change changes
edit edits code snippets version fix fixes one answers attempts approach approaches ideas pr commit commits
pattern style form way example above everything both practice function method file | it named: diff diffs
patch patches block blocks snippet versions suggestion suggestions proposal proposals ones answer attempt idea
pull_request | named: change changes edit edits version approach commit one above everything both
what_i_just_said what_i_suggested fix | not: don't do_not never not shouldn't should_not must_not mustn't
should_never nobody_should no_one_should avoid would_not wouldn't no_need_to don't_need_to do_not_need_to
don't_have_to advise_against don't_recommend nobody_should_ever | apply: apply applied applying use used using
make made do done write writing merge merged commit committed add include implement copy paste put go_ahead
proceed committing making adding code coding | undo: ignore disregard forget forget_about scrap scratch strike
discard undo revert retract cancel throw_away back_out roll_back skip drop | exempt: forget hesitate worry |
like: like_(this/that/so/it) this_way in_this_way in_that_way as_follows like_the_following | gone: rejected
reverted turned_down declined vetoed rolled_back abandoned withdrawn undid undone withdrew discarded | i: i we
i've we've i'd we'd i_have we_have i_have_since i've_since we_have_since | tried: tried attempted suggested
proposed submitted | failed: failed broke it_failed | failed broken: did_not_work didn't_work does_not_work
doesn't_work | bad: wrong incorrect broken bad nonsense a_mistake not_(right/correct/recommended/good/ok/safe)
unsafe insecure has_a_bug had_a_bug a_bad_idea contains_a_bug anti-pattern antipattern anti-patterns | broken:
won't_(work/compile/build/help) wouldn't_work will_not_work doesn't_(compile/help/build) does_not_compile
wouldn't_compile | is: is all completely actually just that's it's this_is that_is | turn: wait no nope hm hmm
hmmm oh ah sorry actually hold_on hang_on oops my_mistake my_bad apologies correction thinking_about_it
come_to_think_of_it scratch_that on_second_thought | rethink: on_second_thought on_second_thoughts
on_reflection on_further_thought scratch_that strike_that belay_that never_mind nevermind
i_take_(that/this/it)_back i_withdraw_that i_changed_my_mind i_have_changed_my_mind i've_changed_my_mind
let_me_take_that_back let_me_take_it_back let_me_start_over let_me_correct_myself let_me_redo_that
let_me_rethink_that no_change_is_needed_after_all no_changes_are_needed_after_all | leave: leave keep | as_is:
as_it_is as_is as_it_was as_they_are alone unchanged untouched the_way_it_is the_way_it_was as_they_were |
left: file it this that everything things code exactly better the | before: before_(my/our/this/that/the)
prior_to_(my/this/the) before previously | was: looked was were read had used_to looked_like | used_to:
used_to used_to_(be/look/read/say) | reference: for_reference for_comparison for_context | opens: here this
the only | newer: new updated final full complete after fixed change now instead replace but | ask:
do_you_want_me_to would_you_like_me_to if_you_want_me_to if_you'd_like_me_to let_me_know_if_you_want_me_to
let_me_know_if_you'd_like_me_to shall_i should_i may_i can_i | only_if: only_if_(you/your/we/it/that/this)
only_if_the_user | if_you: if_you if_you're when_you when_you're | platform: windows macos mac linux unix os_x
ios android wsl cygwin freebsd openbsd | alone: only on for under needed required necessary users | because:
because since until unless after | series: plan option approach alternative variant version solution way
method possibility choice | ways: ways_to ways options approaches possibilities alternatives solutions |
counted: two three four several a_few a_couple_of possible different other | there: there_are you_have i_see
i_can_see here_are we_have | pick_one: (pick/choose/use)_one_of_the_following pick_one_of_these
choose_one_of_these you_can_(fix/do/solve)_it_in_two_ways apply_only_one_of_the_following | not_ways: in that
of which | or: alternatively as_an_alternative or instead_of_the_above if_you_prefer if_you'd_rather or_if_you
| no_or: or_else | other: another other alternative better cleaner simpler safer faster nicer shorter stricter
different | way: alternative option way approach possibility solution version implementation fix | one_of:
(one/either/any)_of_them one_of_these one_of_the_two one either either_one any_one any only just you the them
these of two | enough: is_enough will_do works is_fine pick choose need apply is_sufficient use take | every:
all any_of first former both everything these those above changes edits the_first_one | either_way: either_way
in_(either/any/every)_case in_both_cases with_either for_either with_both for_both whichever regardless | key:
one two three four first second third a b c d e f i ii iii iv v vi | purpose: to | sole: only
""",
    "de": """
aside: nicht_in_dieser_bibliothek nicht_in_diesem_(projekt/repo/repository/paket)
nur_zur_(referenz/information/illustration/veranschaulichung/orientierung/erklärung) nur_als_referenz
nur_zum_vergleich nur_zum_verständnis lediglich_zur_referenz | fill: bitte hier so noch schon bereits aber
wieder jetzt ist war wurde wurden worden man soll sollte sollten darf sie du die der den das dem etwas habe
hatte es und zuerst wird inzwischen von in im review nie_mehr obige obigen obiger alle beide wie mach mache
machen als nur erste ersten vorige letzte einfach also besser aus ein eine | soft: bitte also dann und aber
nun besser lieber einfach ach | this: das dies dieser diese dieses diesen es ihn sie folgendes folgende
folgenden so_etwas obige obigen obiges alles beides das_hier dies_hier | it: änderungen edits diffs code
vorschlag version teil alles beides beispiel | it named: änderung edit diff patch patches block fassung
antwort versuch commit | it named series way: variante lösung ansatz | named: änderungen vorschlag version
obige obiges alles beides | not: nicht nie niemals niemand_sollte niemand_darf vermeide vermeiden
vermeiden_sie | apply: wende an anwenden angewendet übernimm übernehmen übernommen einspielen committen
schreib schreibe schreiben mach mache machen verwende verwenden nutze nutzen umsetzen ändern anwende übernehme
umsetze vornehme | undo: ignoriere ignorier ignorieren vergiss vergessen verwirf verwerfen streich streiche
rückgängig | exempt: vergiss vergessen | like: so wie_folgt auf_diese_weise | gone: abgelehnt verworfen
zurückgewiesen zurückgenommen zurückgerollt revertiert rückgängig_gemacht | i: ich habe_ich ich_habe ich_hatte
| tried: versucht probiert ausprobiert | failed: schlug_fehl ging_nicht funktionierte_nicht gescheitert
hat_nicht_funktioniert | bad: falsch schlecht schlechtes schlechte nicht_richtig ein_fehler keine_gute_idee
unsicher falsche negativbeispiel nicht_empfohlen | broken: funktioniert_nicht
(funktioniert/geht/klappt)_so_nicht geht_nicht klappt_nicht | is: ist war leider | turn: halt moment ach nein
nee hm hmm oh ups sorry entschuldigung verzeihung stopp warte korrektur mein_fehler eigentlich | rethink:
bei_näherer_betrachtung bei_genauerer_betrachtung ich_nehme_das_zurück ich_habe_es_mir_anders_überlegt
vergiss_es doch_nicht ich_habe_meine_meinung_geändert | leave: lass lassen | as_is: wie_es_ist wie_es_war
unverändert so bleiben wie_sie_ist | left: es das alles sie so | before: vor_meiner vor_dieser vor_der | was:
sah war lautete stand | used_to: früher_war früher_sah | reference: zum_vergleich zur_referenz als_referenz |
opens: hier die der das nur | newer: neue neuen neuer neues geänderte geänderten fertige vollständige jetzt
stattdessen nun | ask: soll_ich kann_ich darf_ich möchten_sie möchtest_du willst_du dass_ich | only_if:
nur_wenn_(sie/du/ihr/es/man) nur_falls_sie nur_falls_du | if_you: wenn_sie wenn_du falls_sie falls_du |
platform: windows macos mac linux unix ios android wsl | alone: nur unter auf für dort | because: weil denn da
bevor bis wenn | series: option möglichkeit alternative lösungsweg weg methode version vorschlag | ways:
möglichkeiten wege varianten optionen lösungen ansätze | counted: zwei drei mehrere | there: es_gibt | or:
alternativ als_alternative oder statt_des_obigen wenn_du_lieber wenn_sie_lieber | other: andere anderer
weitere weiterer zweite zweiter | way: möglichkeit alternative option weg | one_of: eine einer eines davon
von_beiden der_beiden nur einen | enough: reicht genügt wähle wählen nimm nehmen ist_genug | every: alle alles
beide beides änderungen obige obigen obiges | either_way: in_jedem_fall in_beiden_fällen so_oder_so für_beide
bei_beiden unabhängig_davon | key: eins zwei drei erste zweite dritte a b c d | purpose: um damit | sole: nur
dort
""",
    "fr": """
aside: pas_dans_cette_bibliothèque pas_dans_ce_(projet/dépôt/paquet) seulement_à_titre_de_référence
uniquement_à_titre_de_référence à_titre_de_référence_seulement pour_référence_uniquement
seulement_pour_référence à_titre_d'illustration à_titre_indicatif uniquement_pour_référence
seulement_à_titre_d'illustration pour_information_seulement | fill: le la les l' de d' du des un une ici
encore déjà à en et mais a été est était sont ont j'ai j' ai je vous tu il faut ne que qui suivant suivante
suivants suivantes précédente précédent précédents ci-dessus ci-dessous mon ma mes donc pas_encore dernière
par s'il plaît te cela ça | soft: s'il vous plaît donc alors et mais bon mieux simplement | this: ça cela ceci
celui-ci celle-ci ce cet cette ces ce_qui_précède tout suivant le la les l' ce_code | it: diffs patchs blocs
code extrait version versions proposition approche idée commits exemple ce_qui_précède tout | it named:
changement modification diff patch correctif bloc suggestion réponse tentative commit | it named every:
changements modifications | named: proposition approche ce_qui_précède | not: ne n' pas jamais évitez évite
éviter personne_ne_devrait | apply: applique* appliqu* utilis* fait* fais* écri* valid* copi* commit* mett*
faire procéder procède | undo: ignor* oubli* annul* jet* laissez_tomber laisse_tomber | exempt: oubli* | like:
comme_ça comme_cela ainsi de_cette_façon comme_suit | gone: rejeté rejetée rejetés rejetées refusé refusée
annulé annulée abandonné abandonnée écarté écartée | i: je j' j'ai nous | tried: essayé tenté | failed: échoué
n'a_pas_fonctionné n'a_pas_marché | bad: faux fausse mauvais mauvaise incorrect incorrecte erroné pas_correct
une_erreur dangereux déconseillé non_recommandé | broken: ne_fonctionne_pas ne_marche_pas ne_compile_pas | is:
c'est c' est était | turn: attendez attends non oh zut pardon désolé en_fait hm hmm oups stop correction
mon_erreur | rethink: à_la_réflexion réflexion_faite tout_compte_fait j'ai_changé_d'avis je_retire_cela
laissez_tomber laisse_tomber | leave: laissez laisse laissez-le laisse-le laissez-la laisse-la gardez garde
gardez-le laissez-les | as_is: tel_quel tels_quels telle_quelle inchangé comme_avant comme_il_est
comme_c'était | left: le la les tout fichier code cela ça | before: avant_(ma/mon/cette/ce/la) | was: était
ressemblait avait | reference: pour_référence pour_comparaison à_titre_de_comparaison à_titre_de_référence |
opens: voici le la ce l' | newer: nouveau nouvelle complet complète final finale maintenant modifié | ask:
voulez-vous_que_j' veux-tu_que_j' souhaitez-vous_que_j' dois-je puis-je voulez-vous_que_je veux-tu_que_je |
only_if: uniquement_si_vous seulement_si_vous uniquement_si_tu seulement_si_tu | if_you: si_vous si_tu |
platform: windows macos mac linux unix ios android wsl | alone: uniquement seulement sous sur pour | because:
parce car puisque mais si avant quand | series: variante approche version proposition | series way: option
alternative solution méthode possibilité façon manière | ways: façons manières options solutions possibilités
approches | counted: deux trois plusieurs | there: il_y_a | or: ou_bien ou alternativement sinon
en_alternative au_lieu_de_ce_qui_précède si_vous_préférez si_tu_préfères | no_or: ou_sinon | other: autre
autres deuxième seconde | way: approche moyen | one_of: une un seule seul des_deux l'une l' d'entre_elles des
suffit | enough: suffit choisissez choisis prenez prends | every: tout tous toutes ces ce_qui_précède |
either_way: dans_les_deux_cas dans_tous_les_cas quelle_que_soit pour_les_deux | key: un une deux trois
première premier deuxième second seconde troisième a b c d | purpose: pour | sole: uniquement seulement
""",
    "es": """
aside: no_en_esta_biblioteca no_en_este_(proyecto/repositorio/paquete)
(solo/sólo/únicamente/solamente)_como_referencia solo_para_referencia solo_a_modo_de_ejemplo
solo_como_ilustración solo_para_comparar solo_a_título_informativo | fill: el la los las lo un una de en aquí
aún todavía ya y pero a es era fue ha sido han por favor que se he yo mi mis este esta siguiente anterior
anteriores último última primero código así_que entonces como_está revisión ser debe | soft: por favor así_que
entonces pues y pero bueno mejor simplemente | this: esto eso este esta estos estas ese esa lo_siguiente
lo_anterior todo lo la los las | it: cambios modificaciones parches código fragmento versión versiones
propuesta enfoque idea lo_anterior ejemplo forma manera | it named: cambio modificación edición diff parche
bloque sugerencia respuesta intento commit | named: cambios propuesta enfoque lo_anterior | not: no nunca
jamás evita evite evitar nadie_debería | apply: apli* us* hag* haz haces hacer escrib* copi* pong* proced*
realic* implement* | undo: ignor* olvid* descart* deshaz* desha* reviert* anul* | exempt: olvid* | like: así
de_esta_manera de_esta_forma como_sigue | gone: rechazado rechazada rechazados revertido revertida descartado
descartada deshecho abandonado | i: yo he hemos | tried: intenté probé intentado probado | failed: falló
no_funcionó fracasó | bad: incorrecto incorrecta mal mala malo está_mal es_incorrecto un_error no_es_correcto
inseguro errónea erróneo no_recomendado | broken: no_funciona no_compila no_sirve | is: es está era | turn:
espera espere no hm hmm ay uy oh perdón perdona lo_siento en_realidad mejor_dicho error_mío corrección
un_momento | rethink: pensándolo_bien pensándolo_mejor ahora_que_lo_pienso me_retracto retiro_eso
retiro_lo_dicho he_cambiado_de_opinión he_cambiado_de_idea cambié_de_opinión olvídalo olvídelo ignóralo
descártalo deshazlo | leave: deja deje déjalo déjelo déjala déjalos | as_is: como_está como_estaba tal_cual
tal_como_está igual | left: el archivo código todo lo | before: antes_de_(mi/este/esta) antes_del | was: era
estaba tenía parecía | reference: como_referencia para_comparar para_referencia | opens: aquí el la este |
newer: nuevo nueva final completo completa ahora modificado | ask: quieres_que quiere_que desea_que deseas_que
te_gustaría_que debo puedo le_gustaría_que | only_if: solo_si_(estás/usas/está/tú/usted)
(sólo/solamente/únicamente)_si_estás | if_you: si_estás si_usas si_está | platform: windows macos mac linux
unix ios android wsl | alone: solo sólo en para | because: porque pues ya_que pero si antes hasta | series:
variante enfoque manera forma versión propuesta | series way: opción alternativa solución método posibilidad |
ways: formas maneras opciones soluciones alternativas | counted: dos tres varias varios | there: hay existen |
or: alternativamente como_alternativa o_bien en_lugar_de_lo_anterior si_prefieres si_prefiere | other: otra
otro segunda segundo | way: forma manera enfoque | one_of: una uno solo de_las_dos de_los_dos de_ellas
de_ellos solamente | enough: basta elige elija escoge usa es_suficiente | every: todo todos todas estos estas
cambios lo_anterior | either_way: en_ambos_casos en_cualquier_caso de_cualquier_forma de_cualquier_manera
para_ambos para_ambas | key: uno una dos tres primera primer segunda segundo tercera a b c d | purpose: para |
sole: solo sólo
""",
    "pt": """
aside: não_nesta_biblioteca não_neste_(projeto/repositório/pacote) (apenas/só/somente)_para_referência
(apenas/somente/unicamente/só)_como_referência para_referência_apenas apenas_para_ilustração
apenas_a_título_de_ilustração | fill: o a os as um uma de em no na aqui ainda já e mas é era foi foram ser
sido por favor que eu meu minha este esta esse essa seguinte anterior acima abaixo último última primeira
código assim então deve deveria revisão a_seguir | soft: por favor então e mas bom bem melhor simplesmente |
this: isto isso este esta esse essa estes estas tudo o_seguinte o_acima tudo_isso acima | it: mudanças
alterações código trecho versão versões proposta abordagem ideia exemplo acima tudo forma maneira | it named:
mudança alteração edição diff patch bloco sugestão resposta tentativa commit | named: mudanças alterações
proposta abordagem acima | not: não nunca evite evita evitar ninguém_deveria | apply: apli* use usar usa faç*
faz fazer escrev* copi* prossig* realiz* implement* | undo: ignor* esque* descart* desfa* revert* anul* |
exempt: esque* | like: assim desta_forma dessa_forma desta_maneira como_isto | gone: rejeitado rejeitada
rejeitados revertido revertida descartado descartada desfeito recusado abandonado | i: eu | tried: tentei |
failed: falhou não_funcionou não_compilou | bad: errado errada incorreto incorreta ruim mau está_errado
é_incorreto um_erro não_está_certo inseguro não_recomendado | broken: não_funciona não_compila | is: é está
era | turn: espera espere não hm hmm ops opa oh desculpe desculpa na_verdade erro_meu correção um_momento |
rethink: pensando_bem pensando_melhor retiro_isso mudei_de_ideia esqueça esqueça-o | leave: deixe deixa
deixe-o | as_is: como_está como_estava inalterado do_jeito_que_está | left: o código arquivo tudo isso |
before: antes_da_minha antes_do_meu antes_desta antes_dessa antes_deste | was: era estava tinha parecia ficava
| reference: como_referência para_referência para_comparação | opens: aqui o a este | newer: novo nova final
completo completa alterado agora | ask: quer_que_eu quer_que deseja_que_eu gostaria_que_eu devo posso
você_quer_que_eu | only_if: (só/somente/apenas)_se_você só_se_estiver somente_se_estiver | if_you: se_você
se_estiver | platform: windows macos mac linux unix ios android wsl | alone: só somente apenas no em para |
because: porque pois já_que mas se antes até | series: variante abordagem maneira forma versão proposta |
series way: opção alternativa solução método possibilidade | ways: formas maneiras opções soluções
alternativas | counted: duas três várias dois | there: há existem | or: alternativamente como_alternativa ou
em_vez_do_acima se_preferir se_você_preferir | no_or: ou_seja | other: outra outro segunda | way: forma
maneira abordagem jeito | one_of: uma um só das_duas delas deles dos_dois apenas | enough: basta escolha use
é_suficiente | every: tudo todos todas estas essas alterações mudanças acima | either_way: em_qualquer_caso
em_ambos_os_casos em_todo_caso de_qualquer_forma de_qualquer_maneira para_ambas para_ambos | key: um uma dois
três primeira primeiro segunda segundo terceira a b c d | purpose: para | sole: só somente apenas
""",
    "ru": """
aside: не_в_этой_библиотеке не_в_этом_проекте не_в_этом_репозитории
только_для_(справки/ознакомления/сравнения/иллюстрации/информации) лишь_для_справки исключительно_для_справки
только_как_пример | fill: и на в уже ещё был была было были я мне это эт* так как вы ты выше котор* пока здесь
таким такой чтобы надо нужно следует предыдущ* последн* перв* весь просто | soft: пожалуйста поэтому тогда и
но ладно лучше просто | this: это эт* его её их так такое следующ* предыдущ* всё вышесказанное | it: диф код*
фрагмент* верси* вариант* решени* подход* иде* вышесказанное пример* | it named: изменени* правк* дифф патч*
блок* предложени* ответ* попытк* коммит* | named: вышесказанное | not: не никогда избегайте избегай нельзя
никто_не_должен | apply: применя* примен* использ* внос* внес* вносит* пиш* писать дела* сдела* | undo:
игнорир* проигнорир* забуд* отмен* откат* отбро* | exempt: забуд* | like: так таким_образом следующим_образом
вот_так | gone: отклон* отверг* отменён* отменен* откачен* откати* | i: я мы | tried: пробовал пробовала
попробовал попробовала пытался | failed: не_сработало не_помогло не_вышло сломалось | bad: плохо плохой
неправильно неправильный неверно неверный не_так ошибка небезопасно не_рекомендуется | broken: не_работает
не_компилируется не_сработает не_поможет | is: это было | turn: стоп подожди подождите погоди погодите нет хм
ой упс извини извините прости простите хотя вообще-то на_самом_деле поправка | rethink: если_подумать
подумав_ещё_раз по_зрелом_размышлении я_передумал передумал беру_слова_назад | leave: оставь оставьте | as_is:
как_есть как_было без_изменений | left: всё это код файл его её | before: до_моей до_моего до_этой до_этого
до_моих | was: был была было были выглядел выглядела | reference: для_справки для_сравнения | opens: вот это |
newer: нов* итогов* полн* теперь сейчас вместо изменённ* | ask: хотите хочешь желаете применить_мне
мне_применить | only_if: только_если_(вы/ты/это) только_если_у_вас | if_you: если_вы если_ты если_у_вас |
platform: windows macos mac linux unix ios android wsl | alone: только на для под | because: потому но если
пока до | series: вариант способ подход альтернатива решение метод версия опция | ways: способа способов
варианта вариантов решения решений | counted: два три несколько | there: есть | or: или либо альтернативно
в_качестве_альтернативы как_вариант если_предпочитаете вместо_этого_можно | other: другой второй ещё_один иной
| way: способ вариант подход метод | one_of: одного один любого из_них из_двух только | enough: достаточно
хватит выберите выбери | every: всё все эти изменения вышесказанное выше | either_way: в_любом_случае
в_обоих_случаях для_обоих | key: первый второй а б в г a b c d | purpose: чтобы | sole: только
""",
    "zh": """
aside: 不是在这个库 不是这个项目 不是本项目 不是本仓库 仅供参考 只供参考 仅作参考 仅用于说明 仅用于参考
仅用于对比 只是参考 只是示意 仅作为参考 | fill: 请 的 了 先 再 地 去 吗 么 这里 我 你 您 已经 已 被 是 也 会
说 那么 吧 过 来 现在 直接 掉 成 代码 | soft: 请 那么 那 还是 就 所以 但是 不过 先 | this: 这 这个 那个 它
这些 那些 此 该 以上 上面 上述 前面 刚才 以下 下面 如下 全部 所有 这样 | it: 修改 改动 更改 变更 编辑 补丁
代码块 代码 差异 建议 方案 版本 回答 尝试 内容 写法 做法 方式 示例 以上 上述 | named: 修改 改动 更改 变更 编辑
补丁 代码块 差异 建议 方案 回答 以上 上面 上述 | not: 不要 别 勿 切勿 请勿 不应 不应该 不能 禁止 千万不要
永远不要 避免 绝不要 不必 不用 无需 不得 | apply: 应用 采用 套用 提交 合并 写 做 用 使用 实现 | undo: 忽略
无视 忘掉 忘了 忘记 撤销 撤回 取消 放弃 作废 | exempt: 忘了 忘记 | like: 这样 这么 像这样 像下面这样 如下 |
gone: 拒绝 否决 驳回 撤销 回滚 撤回 还原 放弃 | i: 我 | tried: 试过 尝试过 尝试了 试了 | failed: 失败 没用
不行 不起作用 | bad: 错误 错的 不对 错误的 有误 不安全 反例 反面 不好 不推荐 不推荐的 坏 差 错 | broken:
行不通 不行 不起作用 不能用 不工作 不能编译 | is: 是 | turn: 等等 等一下 等下 不对 不是 哎呀 哦 抱歉 对不起 嗯
更正 其实 说错了 不 | rethink: 再想想 仔细想想 重新考虑 我改变主意了 当我没说 我收回 算了 作废 | leave: 保持
维持 | as_is: 原样 不变 现状 | left: 代码 文件 | before: 修改之前 修改前 改动之前 改动前 更改之前 更改前 |
was: 是 如下 样子 这样 | used_to: 以前是 原来是 之前是 | reference: 供参考 作为参考 作为对比 对比 | opens: 这
| newer: 新 修改后 最终 完整 现在 改为 | ask: 需要我 要我 想让我 希望我 是否需要我 要不要我 | only_if: 仅当你
仅当您 只有当你 只有当您 仅在你 | if_you: 如果你 如果您 如果你在 | platform: windows macos mac linux unix ios
android wsl | alone: 仅 只 | series: 方案 方法 选项 选择 办法 做法 解法 思路 方式 版本 途径 | ways: 方法 方案
方式 办法 做法 选择 | counted: 两 三 几 种 个 不同的 修复 解决 的 | there: 有 可以用 这里有 | or: 或者 或是
要么 替代方案 备选方案 如果你更喜欢 如果你愿意 | other: 另一种 另外一种 | way: 方法 方案 方式 做法 选择 办法
思路 | one_of: 二选一 任选其一 任选一个 选一个 选一种 其中 | enough: 即可 就行 就够了 | every: 全部 所有 以上
这些 上面 上述 都 | either_way: 无论哪 不管哪 两种情况都 无论选 两种方案都 | key: 一 二 三 四 五 六 a b c d |
ordinal: 第 种 个 | purpose: 为了 | sole: 仅 只
""",
    "ja": """
aside: このライブラリではなく このプロジェクトではなく このリポジトリではなく 参考用のみ 参考までに
あくまで参考 参考用です 説明用のみ 比較用のみ 参考情報です | fill: は を も の に が と まだ ここでは です
ます た て ください で だ これ それ 絶対に 決して 書き方 すでに 既に してください 私の こと | soft: では
なので だから でも しかし とりあえず まず | this: これ それ この その 上記 上 以上 先ほど 直前 以下 次 全部
すべて これら こういう このような 今 今の | it: 変更 修正 編集 パッチ 差分 ブロック コード 提案 案 バージョン
回答 内容 書き方 例 | named: 変更 修正 編集 パッチ 差分 ブロック コード 提案 内容 上記 これ それ 今の | not:
ないでください しないでください ないで しないで やめてください 避けてください 避けて いけません
してはいけません 書いてはいけません ないこと | apply: 適用 反映 コミット マージ 書か 書く 使わ 使う 書いて
適用し し | undo: 無視して 忘れて 取り消して 撤回し なかったことに 破棄して 元に戻して 捨てて | like:
このように 次のように 以下のように こう こんなふうに | gone: 却下されました 却下された 拒否されました
リバートされました 取り消されました 差し戻されました 元に戻しました | bad: 悪い ダメな だめな 間違い 間違った
誤り 違います 間違っています 正しくありません 非推奨 ng 危険 | broken: 動きません 動作しません
うまくいきません 動かない | is: は | turn: 待って ちょっと待って いや いえ あっ すみません ごめんなさい 失礼
訂正 やっぱり やはり うーん 待ってください | rethink: やっぱりやめます やっぱり忘れてください やはりやめます
よく考えると 考え直すと 撤回します 取り消します なかったことにして やっぱり不要 | leave: そのまま 元のまま
現状のまま | as_is: そのまま 元のまま 現状のまま | left: して 残して お願い します にして にしてください |
before: 変更前 修正前 編集前 変更の前 以前は 元は | was: でした こうでした だった した | reference: 参考として
参考用 比較のため | newer: 新しい 修正後 変更後 最終 完全 | ask: しましょうか ましょうか してもよろしいですか
してもいいですか しますか | only_if: もしあなた | if_you: もし | platform: windows macos mac linux unix ios
android wsl | alone: の場合のみ の場合だけ のときのみ のみ だけ | series: 案 方法 オプション 選択肢 アプローチ
パターン 解決策 代替案 バージョン 手段 | ways: 方法 やり方 選択肢 案 対処法 | counted: は が 二つ 2つ 三つ
いくつか あり ある | there: あります | or: または あるいは もしくは 代わりに 代替案として | other: 別の
もう一つの もうひとつの | way: 方法 案 やり方 アプローチ 選択肢 | one_of: どちらか いずれか 一方 一つ だけ
のみ | enough: で十分 で十分です を選んで でよい でいい で構いません | every: すべて 全て 全部 これら 上記
以上 | either_way: どちらの場合も いずれの場合も いずれにせよ どちらにしても どちらの場合でも | key: 一 二 三
a b c d | purpose: ために | sole: の場合のみ の場合だけ のときのみ のみ だけ
""",
}
