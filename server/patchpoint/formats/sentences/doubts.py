"""The words by which an answer may speak against an edit next to them, in rows as in `lexicon`.

They hold back what is certain otherwise: it is shown. They never make an edit, and refuse none by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping

DOUBTS: Mapping[str, str] = {
    "en": """
tells: how_to how_you how_we how_i how_i'd | aims: to |
acts: pass mark decorate cache comment uncomment give make call turn switch raise throw guard validate log
handle lock annotate document convert cast sort round wrap invoke hide expose protect await freeze split merge
join reuse import pin | nothing: nothing | touched: needs_to_be_(touched/changed/modified/edited)
has_to_be_(touched/changed/modified) must_be_touched must_be_changed | else: else other besides | offer:
optional optionally | cause: would_be_wrong | cause above: regression introduced_(in/by/the) came_in_with
upstream temporarily pull_request mutant attacker many_people some_people people_often people_sometimes
for_debugging your_patch pitfall pitfalls gotcha naive naively tempting tempted colleague coworker co-worker
(common/typical/classic)_mistake common_mistakes typical_error common_error this_commit that_commit in_commit
working_tree to_reproduce broke_with which_broke for_instance was_rejected got_rejected rejected_because
already_applied | needless: no_need_for_a_code_change (no/don't/doesn't)_need_to_change do_not_need_to_change
no_code_change nothing_to_change | needless below: nothing_has_to_change nothing_needs_to_change
nothing_has_to_be_changed nothing_needs_to_be_changed no_change_is_needed no_changes_are_needed
already_have_what_you_need already_have_all_you_need already_have_everything | above: mistake_to
mistake_people mistakes_people tutorials blog_posts would_be_wrong would_be_overkill over-engineered
first_tried i_tried i_considered i_thought anti-pattern antipattern which_did hypothetical hypothetically
someone_suggested suggested_by you_could_have stash_contains i've_already i_have_already failed_to_apply
decided_against previously_i in_my_last last_answer for_example one_could other_model ci_applies please_undo
undo_this suggested_for copilot_suggested the_commit git_show git_log git_diff git_blame not_yet_but
for_reference earlier_i i_proposed haven't_applied have_not_applied example_of_what that_caused which_caused
caused_the | above below: i'd_reject i_would_reject would_break would_fail overkill | below: keep_yours
keep_what_you_have keep_what_you've leave_yours keep_your_current keep_the_current keep_the_old leave_the_old
i'd_rather_keep i_would_rather_keep i'd_rather_not i_would_rather_not i_wouldn't i_would_not no_changes_needed
no_change_needed already_(right/correct/fine) stay_on until_then stick_with_what stick_with_your
stick_with_the_current that_breaks this_breaks would_be_wrong is_wrong was_a_mistake i_disagree i'd_avoid
i_would_avoid looks_right_to_me nothing_to_do a_step_back upgrading_is_enough go_unnoticed goes_unnoticed
revert_it_afterwards undo_it_afterwards | which: which_one_(do/fits/would) which_of_(the/these/them)
which_do_you which_would_you i_haven't_done_that i_haven't_done_it so_i_left_it please_confirm shall_i_go_on
shall_i_continue shall_i_start should_i_go_on should_i_start did_you_mean_to change_it_back i_can't_do_that |
it: it this that these those them your yours | open: if_you if_your when_you when_your once_you once_your
as_soon_as unless_you avoid never | others: callers caller call_sites tests rest everything_else others
clients consumers users spec specs readme docs documentation changelog migration migrations schema template
templates frontend backend stylesheet dockerfile makefile controllers views imports client |
hedge: bonus nice_to_have nice-to-have optional_(extra/step/change/improvement/part/addition)
you_could_additionally you_can_also_optionally if_(that/this)_(doesn't/does_not)_(help/work/fix) if_it_still
if_(that/this)_is_not_enough if_that's_not_enough if_something_goes next_steps
future_(improvements/work/ideas) later_on (once/when/after)_(all/the)_(clients/migration/release/deployment)
after_release common_(mistakes/pitfalls)
not_(strictly_needed/needed_for/necessary_for/required_for/part_of/related_to) worth_considering in_case_you
in_case_your skip_this_if restores_the_old alternatives_considered another_(way_to/possibility/option/idea)
last_resort one_way_(would/could) don't_recommend do_not_recommend wouldn't_recommend previously_suggested
i_had_first review_of code_review pr_review did_the_following
your_(diff/patch/pr/solution/submission/attempt) comments_on opened_a_(pr/pull) would_reformat
changed_in_the_branch branch_contains not_this_one mutation_testing if_this_were on_purpose what_if
what_do_you_think not_sure_(if/whether) pseudo-code pseudocode an_example_of example_usage compare_with
compared_with scratchpad let_me_think to_see_the_(error/failure) (broken/invalid)_config
if_(need/needed/necessary/desired)_be up_to_you | leading: naive naively tempting tempted
(common/typical/classic)_(mistake/error)_is is_the_(code/version)_you is_what_you last_commit what_broke
careful_not_to not_to_(write/do/use)_(it/this) older_version old_version stack_overflow untested
(haven't/have_not)_(verified/tested/tried/run) eventually_(we/you) not_needed_(now/yet) which_is_wrong
is_wrong_because this_is_wrong only_if (this/that/it)_only_if once_the_(tests/migration/release)
(suggests/suggested)_this
proposed_this | opening: optional optionally alternatively alternative
alternatives rollback rolling_back to_(revert/undo/roll_back)
(quick/proper/better/real/temporary/short-term/long-term)_(fix/solution) short_term long_term
(old/original)_(version/code/implementation)
(before/prior_to)_the_(refactoring/refactor/change/changes/migration/rewrite) until_last
(simple/simpler/advanced)_version thought_for thinking example pseudo-code for_python_(2/3)
(on/for/under)_(windows/linux/macos/mac/unix/ios/android/wsl) (windows/linux/mac/macos)_users only_if
if_you_(use/own/are_on/prefer/do_not/don't_own) | after:
(this/that/change/part/one/step/it/extra/everything/section)_is_optional
(these/they/both/changes/parts)_are_optional you_(can/could/may)_skip_(this/it/that/the_second)
(this/it/that/part/one)_can_be_skipped skip_(this/it)_if only_(needed/necessary/required)_(if/on/for/when)
(this/it/that/one/change)_only_if not_both either_the_first use_the_second leave_it_out disregard
(don't/do_not)_(change/apply)_anything haven't_applied have_not_applied
let_me_know_if_you_want_(this/that/it/the_second/me_to_apply) wait_for_my before_you_apply should_i_apply
should_i_do_that decided_against unfortunately_(this/that/it)_(does/doesn't/fails) to_illustrate
was_the_code code_looked_like old_version accordingly turned_out_to_be_wrong hold_back
(same/similar)_change_is (same/similar)_change_(in/to)
(adjust/update/change)_(all/every/the)_(callers/call_sites/usages/tests)
forget_to_(declare/add/define/update/adjust/change/rename/pass/create/implement/remove/register)
also_add_a_(field/method/property/parameter/column) (need/have)_to_(declare/define/pass)
(need/needs)_a_(new/field/method/column/property/parameter)
is_a_new_(field/method/property/parameter/column/constant) now_pass
as_the_(first/second/third/last)_argument leave_writing
""",
    "de": """
tells: so_(fügst/fügen/geht/lässt/kannst/können/änderst/ersetzt/entfernst) wie_(du/sie/man/wir) | aims: um |
acts: übergib übergeben markiere kommentiere rufe aufrufen mache gib cache protokolliere importiere prüfe
dekoriere umschließe | nothing: nichts | touched: muss_geändert muss_angepasst muss_angefasst
geändert_werden_muss angepasst_werden_muss | else: sonst weiter | offer: optional | needless: nichts_ändern
nichts_zu_ändern keine_änderung_nötig muss_nichts hast_schon_alles hast_bereits_alles haben_schon_alles
haben_bereits_alles | above: (häufiger/typischer/verbreiteter/klassischer)_fehler naiv naive naiver naiven
tutorials versucht_sein verlockend würde_brechen würde_fehlschlagen wäre_falsch übertrieben zuerst_versucht
kollege kollegin antipattern anti-pattern wurde_abgelehnt fallstrick fallstricke diesem_commit dieser_commit
hat_gestern eingecheckt eingeführt vorübergehend zum_beispiel stash upstream pull_request früher_vorgeschlagen
noch_nicht_angewendet verursacht_hat | below: behalte_deine behalten_sie_ihre lass_deine behalte_die_alte
ich_würde_es_nicht ich_würde_das_nicht nichts_muss nichts_zu_ändern muss_sich_nichts keine_änderung_nötig
keine_änderung_ist_nötig bereits_richtig schon_richtig bereits_korrekt bis_dahin bleib_bei bleiben_sie_bei
würde_brechen würde_fehlschlagen übertrieben | which: welche_davon welche_variante welche_passt was_davon
soll_ich_weitermachen soll_ich_loslegen bitte_bestätige bitte_bestätigen_sie | it: es das dies sie ihn die den
der deine ihre | open: wenn_du wenn_sie falls_du falls_sie sobald vermeide vermeiden | others: aufrufer
aufrufern tests rest sonst andere anderen weitere weiteren spezifikation readme dokumentation doku
änderungsprotokoll migration migrationen schema vorlage vorlagen frontend backend stylesheet dockerfile
makefile client |
hedge: bonus falls_das_nicht wenn_das_nicht nächste_schritte häufige_fehler notfalls notlösung
vor_(dem/der)_(umbau/umstellung/refactoring) (alte/ursprüngliche)_(version/fassung) hatte_ich_zuerst
bisher_stand dein_diff deine_lösung absichtlich nicht_(nötig/notwendig/erforderlich)_für wer_mag wer_will
zusätzlich_optional | leading: naiv naive naiver naiven verlockend (häufiger/typischer/klassischer)_fehler_ist
ungetestet nicht_getestet letzte_commit nur_wenn nur_falls | opening: optional alternativ alternative
alternativen andere_möglichkeit
weitere_möglichkeit schnelle_lösung bessere_lösung saubere_lösung kurzfristig langfristig zurücksetzen
zum_zurücksetzen rückgängig beispiel (unter/für/auf)_(windows/linux/macos/mac)
nur_(unter/für/auf/wenn/falls) | after: ist_optional (kannst_du/können_sie)_(überspringen/weglassen)
nur_(unter/nötig) nicht_beides entweder_die noch_nicht_angewendet soll_ich_das warte_auf dagegen_entschieden
alte_version vor_meiner entsprechend_(anpassen/an) vergiss_nicht_(das/die/den)
muss_noch_(deklariert/definiert/angelegt) alle_(aufrufer/aufrufe/aufrufstellen)
""",
    "fr": """
tells: voici_comment comment_(ajouter/modifier/remplacer/supprimer/changer) | aims: pour afin |
acts: passe passez marque marquez commente commentez appelle appelez rends rendez donne donnez importe
importez décore décorez vérifie vérifiez | offer: facultatif optionnel | needless: rien_à_changer
pas_besoin_de_changer as_déjà_tout avez_déjà_tout | above: erreur_(courante/fréquente/classique/commune) naïve
naïf naïvement tutoriels tentant tenté tentée casserait échouerait serait_faux exagéré d'abord_essayé collègue
antipattern anti-pattern rejeté rejetée piège ce_commit a_introduit temporairement par_exemple upstream
pull_request j'avais_proposé a_causé | below: garde_la_tienne garde_le_tien gardez_la_vôtre gardez_le_vôtre
je_ne_le_ferais rien_à_changer rien_ne_doit_changer aucun_changement déjà_(correct/correcte/bon/bonne)
jusque-là d'ici_là casserait échouerait | which: laquelle_(préfères/préférez/convient) lequel_préfères
lequel_préférez lequel_convient on_y_va je_continue veuillez_confirmer confirme | it: le la les ceci cela ça |
open: si_tu si_vous dès_que une_fois_que évite évitez | others: appelants tests reste autre autres spec readme
documentation migration migrations schéma modèle gabarit gabarits frontend backend feuille_de_style dockerfile
makefile client |
hedge: en_option bonus si_(cela/ça)_ne si_besoin prochaines_étapes erreurs_(courantes/fréquentes)
en_dernier_recours avant_la_(refonte/migration) (ancienne/première)_version version_d'origine code_d'origine
ton_diff votre_diff exprès pas_nécessaire_pour | leading: naïve naïf tentant pas_testé
non_testé dernier_commit seulement_si uniquement_si | opening: facultatif facultative optionnel optionnelle
auparavant alternative alternatives autre_possibilité autre_solution solution_rapide correction_rapide
meilleure_solution revenir_en_arrière pour_revenir retour_arrière exemple à_court_terme à_long_terme
(sous/sur/pour)_(windows/linux/macos/mac) uniquement_si seulement_si | after:
est_(facultatif/facultative/optionnel/optionnelle) pouvez_(ignorer/sauter) peux_(ignorer/sauter) que_sous
pas_les_deux pas_encore_appliqué dois-je_l'appliquer ancienne_version en_conséquence
n'oubliez_pas_de_(déclarer/ajouter/définir/modifier) n'oublie_pas_de_(déclarer/ajouter/définir/modifier)
tous_les_appels
""",
    "es": """
tells: cómo así_(se/puedes/puede) | aims: para |
acts: pasa pase marca marque comenta comente llama llame haz haga da dé importa importe decora decore
comprueba | nothing: nada | touched: hay_que_(tocar/cambiar/modificar) | else: más otro | offer: opcional |
needless: no_hay_que_cambiar no_hace_falta_cambiar ya_tienes_todo ya_tiene_todo | above:
error_(común/frecuente/típico/clásico) ingenua ingenuo ingenuamente tutoriales tentador tentado tentada
rompería fallaría sería_incorrecto exagerado primero_intenté colega antipatrón rechazado rechazada trampa
este_commit introdujo temporalmente por_ejemplo upstream pull_request había_propuesto que_causó | below:
quédate_con mantén_el_tuyo mantén_la_tuya yo_no_lo no_hay_que_cambiar nada_tiene_que_cambiar
no_hace_falta_cambiar ya_es_correcto ya_es_correcta ya_está_bien hasta_entonces rompería fallaría | which:
cuál_(prefieres/prefiere/encaja/de) sigo_adelante confirma_por_favor por_favor_confirma | it: lo la los las
esto eso | open: si_usas si_usa si_quieres si_quiere en_cuanto una_vez_que cuando_tengas evita evite | others:
ningún_otro ninguna_otra otros otras resto demás tests pruebas spec readme documentación migración migraciones
esquema plantilla plantillas frontend backend hoja_de_estilos dockerfile makefile cliente |
hedge: si_(eso/esto)_no si_algo_sale próximos_pasos errores_comunes último_recurso
antes_de_la_(refactorización/migración) (versión/código)_(anterior/original/antigua/antiguo) tu_diff
a_propósito no_es_necesario_para opcionalmente | leading: ingenua ingenuo tentador sin_probar último_commit
solo_si | opening: opcional alternativa alternativas
otra_(forma/manera/posibilidad/opción) solución_rápida mejor_solución para_(revertir/volver/deshacer)
anteriormente ejemplo a_corto_plazo a_largo_plazo (en/para)_(windows/linux/macos/mac) solo_si sólo_si |
after: es_opcional (puedes/puede)_omitir solo_hace no_ambos no_ambas aún_no_lo_he versión_anterior
en_consecuencia no_olvides_(declarar/añadir/definir/actualizar/agregar)
no_olvide_(declarar/añadir/definir/actualizar/agregar) todas_las_llamadas
""",
    "pt": """
tells: veja_como eis_como aqui_está_como assim_(você/se) | aims: para |
acts: passe marque comente chame torne dê importe decore verifique | nothing: nada | touched:
precisa_ser_(alterado/modificado/mudado) | else: mais outro | offer: opcional | needless: nada_precisa_mudar
não_precisa_mudar já_tem_tudo | above: erro_(comum/frequente/típico/clássico) ingênua ingênuo tutoriais
tentador tentado tentada quebraria falharia seria_errado exagero primeiro_tentei colega antipadrão rejeitado
rejeitada armadilha este_commit introduziu temporariamente por_exemplo upstream pull_request eu_tinha_proposto
que_causou | below: mantenha_o_seu mantenha_a_sua fique_com eu_não_faria nada_precisa_mudar nada_precisa_ser
nenhuma_mudança já_está_(correto/correta/certo) até_lá quebraria falharia | which:
qual_(prefere/você/delas/deles) posso_continuar por_favor_confirme | it: o a os as isto isso | open: se_você
assim_que quando_você evite | others: nenhum_outro nenhuma_outra outros outras resto demais testes spec readme
documentação migração migrações esquema template templates frontend backend folha_de_estilos dockerfile
makefile cliente |
hedge: se_(isso/isto)_não se_algo_der próximos_passos erros_comuns último_recurso
antes_da_(refatoração/migração) (versão/código)_(anterior/original/antiga/antigo) seu_diff de_propósito
opcionalmente | leading: ingênua ingênuo tentador não_testado último_commit
só_se apenas_se | opening: opcional alternativa alternativas outra_(forma/maneira/possibilidade/opção)
solução_rápida melhor_solução para_(reverter/desfazer/voltar) anteriormente exemplo
(no/em/para)_(windows/linux/macos/mac) somente_se apenas_se só_se | after: é_opcional
(pode/podes)_(pular/ignorar) não_ambos ainda_não_apliquei versão_anterior
não_esqueça_de_(declarar/adicionar/definir/atualizar) todas_as_chamadas
""",
    "ru": """
tells: вот_как как_(добавить/изменить/заменить/удалить/сделать) | aims: чтобы для |
acts: передай передайте пометь пометьте закомментируй закомментируйте вызови вызовите сделай сделайте
импортируй импортируйте | offer: необязательно | needless: ничего_менять менять_ничего уже_есть_всё
уже_есть_все | above: (частая/распространённая/распространенная/типичная)_ошибка наивн* сломало_бы сломает
коллега перебор сначала_попробовал антипаттерн этом_коммите этот_коммит временно например | below:
оставьте_свой оставь_свой оставьте_свою ничего_менять ничего_не_нужно ничего_не_надо менять_не_нужно
менять_не_надо уже_правильно уже_верно до_тех_пор сломает сломало_бы | which: какой_из какой_вариант
продолжать подтвердите | it: это его её их | open: если_вы если_ты как_только когда_вы избегайте | others:
другие других остальные остальное остальной остальных спецификаци* readme документаци* миграци* схем* шаблон*
фронтенд* бэкенд* стил* dockerfile makefile клиент* |
hedge: если_это_не_(поможет/помогло) если_что-то_пойдёт следующие_шаги частые_ошибки типичные_ошибки
крайний_случай до_рефакторинга (старая/исходная)_версия старый_код исходный_код твой_дифф ваш_дифф намеренно
если_нужно | leading: наивн* не_проверял не_тестировал только_если | opening: необязательно опционально
дополнительно откат* чтобы_откатить альтернатив*
другой_способ другая_возможность быстрое_решение правильное_решение раньше ранее пример
(под/для/на/в)_(windows/linux/macos/mac) только_если | after: необязательно (это/изменение)_необязательн*
можно_пропустить ещё_не_применил старая_версия не_забудьте_(объявить/добавить/определить/обновить)
не_забудь_(объявить/добавить/определить/обновить) все_вызовы
""",
    "zh": """
tells: 如何 怎么 怎样 以下是 下面是 | aims: 为了 |
acts: 传入 标记 注释掉 调用 导入 | offer: 可选 | needless: 不需要修改 无需修改 不用改
先不要改 不要改任何 不要修改任何 别改任何 | above: 常见错误
常见的错误 典型错误 很多教程 许多教程 天真 会破坏 会导致 我先试了 同事 反模式 很多人 过度设计 这个提交 该提交
临时 例如 | below: 请保持 建议保持
它保持 保留原来 不需要修改 无需修改 不用改 不必修改 已经是正确 已经正确 在那之前
在此之前 会破坏 | which: 哪一种 哪一个 要继续吗 请确认 | it: 它 这个 | open: 如果你 如果您 一旦 避免 | others:
其余 其他 其它 别的 文档 迁移 模板 前端 后端 样式 readme 规范 |
hedge: 如果这不起作用 常见错误 回滚 撤销方法 替代方案 另一种办法 临时方案 快速修复 重构之前 重构前 旧版本
旧代码 原来的代码 思考过程 故意 可选优化 可选步骤 | opening: 可选 选做 在_windows 在_linux 在_mac 示例 还原
仅当 | after: 是可选的 可以跳过 可跳过 可以省略 二选一 先不要 尚未应用 旧版本 别忘了 不要忘记 所有调用
""",
    "ja": """
tells: 方法 手順 やり方 |
acts: 渡して コメントアウト 呼び出して インポート | offer: 任意 | needless: 変更は不要
変更する必要はありません | above: よくある間違い よくある誤り よくあるミス 多くのチュートリアル 素朴な
壊れてしまいます 同僚 最初に試した アンチパターン このコミット 一時的に 例えば | below: そのままにして
変更は不要 変更する必要はありません 変更の必要はありません すでに正しい 既に正しい それまでは | which:
どちらが どれが 続けますか 確認してください | it: これ それ | open: もしあなたが | others: 他の 他に ほかの
ほかに その他 残りの ドキュメント マイグレーション テンプレート フロントエンド バックエンド スタイルシート
readme |
hedge: うまくいかない場合 よくある間違い ロールバック 代替案 別の方法 応急処置 リファクタリング前
旧バージョン 古いコード 元のコード 思考過程 わざと windowsの場合 | opening: 任意 オプション 以前は 元に戻す
例 windowsでは windowsの場合 | after: 任意です 省略できます 必要な場合のみ どちらか まだ適用 旧バージョン
それに応じて 忘れずに すべての呼び出し
""",
}
