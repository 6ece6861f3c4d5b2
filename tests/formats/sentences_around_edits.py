"""Sentences above and below edits: those that take the edit back, and those that do not."""

from __future__ import annotations

RETRACTING_ABOVE = """
en | For reference only, don't apply it here:
en | This is the upstream diff, for reference only:
en | For reference, the old code was:
en | Before my edit it looked like this:
en | Before my last change, `load` was:
en | It used to be:
en | Never write it like this:
en | Never do this:
en | Don't:
en | ❌ Don't do this:
en | Avoid this:
en | Avoid the following:
en | Avoid code like this:
en | Do not use the following:
en | Do not write:
en | Nobody should write this:
en | Don't open the file like this:
en | This patch was rejected:
en | The first version, which was rejected in review:
en | I reverted this change:
en | I tried this and it failed:
en | This does not work:
en | Wrong:
en | Bad:
en | **Bad**
en | ### What not to do
en | Please undo this change:
en | Only if you are on Windows, replace it as follows:
en | If you're on macOS, use this instead:
en | Please do not apply this yet:
de | Nur zur Referenz, bitte nicht anwenden:
de | Vor meiner Änderung sah es so aus:
de | Schreib es niemals so:
de | So bitte nicht:
de | Falsch:
de | Niemand sollte so etwas schreiben:
de | Dieser Patch wurde abgelehnt:
de | Das funktioniert nicht:
de | Nur wenn du unter Windows arbeitest, ersetze es:
fr | Seulement à titre de référence, ne l'appliquez pas :
fr | Avant ma modification, le code était :
fr | N'écrivez jamais cela comme ça :
fr | À éviter :
fr | Mauvais exemple :
fr | Cela ne fonctionne pas :
fr | Uniquement si vous êtes sous Windows, remplacez :
es | Solo como referencia, no lo apliques:
es | Antes de mi cambio, el código era:
es | Nunca lo escribas así:
es | Evita esto:
es | Incorrecto:
es | Esto no funciona:
es | Solo si estás en Windows, reemplaza:
pt | Apenas para referência, não o aplique:
pt | Antes da minha alteração, o código era:
pt | Nunca escreva assim:
pt | Evite isso:
pt | Errado:
pt | Isso não funciona:
pt | Somente se você usa Windows, substitua:
ru | Только для справки, не применяйте это:
ru | До моей правки код был таким:
ru | Никогда не пишите так:
ru | Так делать не надо:
ru | Неправильно:
ru | Это не работает:
ru | Только если вы на Windows, замените:
zh | 仅供参考，请不要应用：
zh | 修改之前的代码是这样的：
zh | 千万不要这样写：
zh | 错误示例：
zh | 避免这样写：
zh | 这样行不通：
zh | 仅当你使用 Windows 时，替换：
ja | 参考用のみです。適用しないでください：
ja | 変更前はこうでした：
ja | 絶対にこのように書かないでください：
ja | 悪い例：
ja | これは動きません：
ja | Windows の場合のみ、次のように置き換えます：
"""

RETRACTING_BELOW = """
en | Wait, ignore that. The list is needed.
en | Scrap that, leave it as it is.
en | Disregard the above.
en | Please disregard the above change.
en | Forget this.
en | On second thought, the list is needed.
en | Wait, no: `lru` is annotated as a list.
en | Actually, no.
en | Don't apply this.
en | If you rely on the number, don't apply this.
en | Please don't apply it yet.
en | Undo it.
en | Leave it as it is.
en | Strike that.
en | That's wrong, instead call `close`.
en | Hmm, that won't work.
en | No, that is not right.
en | I take that back.
en | I reverted it.
en | I tried this, but it failed.
en | The list is annotated. Actually, scrap that.
en | The tests compare it with a list. So ignore my last suggestion.
en | Never mind, the tests compare it with a list.
en | Do you want me to apply this?
en | Before I touch anything: do you use it? Should I go ahead?
en | Would you like me to make this change?
en | This should not be applied.
en | This is for illustration only.
de | Moment, vergiss das. Die Liste wird gebraucht.
de | Halt, nein: das ist falsch.
de | Wende das nicht an.
de | Bitte nicht anwenden.
de | Lass es, wie es ist.
de | Ignoriere die obige Änderung.
de | Soll ich das so übernehmen?
fr | Attendez, oubliez ça.
fr | À la réflexion, la liste est nécessaire.
fr | Ignorez ce qui précède.
fr | N'appliquez pas cette modification.
fr | Laissez-le tel quel.
fr | Voulez-vous que j'applique cette modification ?
es | Espera, ignora eso.
es | Pensándolo bien, la lista es necesaria.
es | Olvida lo anterior.
es | No apliques este cambio.
es | Déjalo como está.
es | ¿Quieres que aplique este cambio?
pt | Espera, esqueça isso.
pt | Pensando bem, a lista é necessária.
pt | Ignore a alteração acima.
pt | Não aplique esta alteração.
pt | Deixe como está.
pt | Quer que eu aplique isso?
ru | Стоп, забудьте это.
ru | Подождите, нет, это неверно.
ru | Игнорируйте предыдущее изменение.
ru | Не применяйте это.
ru | Оставьте как есть.
ru | Хотите, чтобы я применил это?
zh | 等等，不对，这里需要列表。
zh | 忽略上面的修改。
zh | 请不要应用这个修改。
zh | 再想想，这里需要列表。
zh | 保持原样。
zh | 需要我应用这个修改吗？
ja | 待って、違います。リストが必要です。
ja | 上記の変更は無視してください。
ja | この変更は適用しないでください。
ja | やっぱりやめます。
ja | そのままにしてください。
ja | この変更を適用しましょうか？
"""

RIGHTFUL_ABOVE = """
en | Change it so that we never read a closed file:
en | Avoid the extra copy by caching it:
en | To avoid this, cache the result:
en | Don't use a mutable default:
en | Do not catch `Exception` here:
en | Never open the file twice. Keep the handle:
en | The old code was wrong. Here's the fix:
en | I tried this with Python 3.9 and it failed. Here is a version that works:
en | This does not work when the list is empty, so return early:
en | Don't forget to close the file, like this:
en | Instead of reading twice, read once:
en | For completeness, here's the full updated file:
en | The server returned 500 when the token was rejected. Retry once:
en | When the list was cleared, nothing was written. Change it to:
en | Only the `set` function has to change:
en | Only when the cache is empty should it be read:
en | If the list is empty, return early:
en | On Windows, paths have backslashes, so normalize them:
en | You can ignore the first argument. Update the call:
en | Before this change users saw a warning; now they see an error:
en | I reverted the retry logic, so the code is now:
en | If you use TypeScript, add the type as well:
en | That was the bug. The fix:
en | Here's the patch that makes sure we do not apply a discount twice:
en | Wait for the server before the first request:
en | In `src/cart.py`, use a safer version:
en | This is wrong because the lock is never released; release it:
en | Bad input is not rejected. Reject it:
en | Never mind the style, it now reads:
en | Stop reading when the file ends:
en | Undo the escaping before the comparison:
en | Use the old name for reference counting:
en | Ignore blank lines:
en | Discard the buffer when it is full:
en | Skip this test on Windows:
en | No, the list must be copied:
de | Damit wir es nie zweimal schreiben:
de | Vermeide die zweite Kopie, indem du sie behältst:
de | Das war falsch, weil die Datei offen blieb. Ersetze es durch:
de | Benutze hier keine Liste als Vorgabewert:
de | Die Methode sollte nicht werfen, sondern so aussehen:
de | Nur die Methode `close` ändert sich:
de | Wenn die Liste leer ist, gib früh zurück:
fr | Pour éviter cela, gardez le résultat :
fr | N'oubliez pas de fermer le fichier :
fr | Seule la méthode `close` change :
fr | Si la liste est vide, retournez plus tôt :
fr | Évitez la copie en gardant le résultat :
es | Para evitar esto, guarda el resultado:
es | No olvides cerrar el archivo:
es | Solo cambia el método `close`:
es | Si la lista está vacía, devuelve antes:
es | Nunca se cierra el archivo. Cámbialo así:
pt | Para evitar isso, guarde o resultado:
pt | Não esqueça de fechar o arquivo:
pt | O método `close` fica assim:
pt | Se a lista estiver vazia, retorne antes:
ru | Чтобы избежать этого, сохраните результат:
ru | Не забудьте закрыть файл:
ru | Меняется только метод `close`:
ru | Если список пуст, верните раньше:
zh | 为了避免这个问题，缓存结果：
zh | 不要忘记关闭文件：
zh | 只需要修改 `close`：
zh | 如果列表为空，提前返回：
zh | 修改后的代码如下：
ja | これを避けるために、結果を保存します：
ja | ファイルを閉じるのを忘れないでください：
ja | `close` だけを変更します：
ja | リストが空の場合は、早めに返します：
ja | 次のように変更してください：
"""

RIGHTFUL_BELOW = """
en | Nothing else is needed.
en | Leave `close` as it is.
en | The linter warns about the import; you can ignore that.
en | A warning is printed. You can ignore it.
en | Don't forget to run the tests.
en | Don't call it twice.
en | Do not use it in a loop: it opens a file.
en | Never pass a list here.
en | This does not work with Python 2.
en | That was wrong since the first version: the lock was never released.
en | This used to be a list.
en | For reference, see the manual.
en | The early return keeps `close` safe on a database that was never touched.
en | To undo it, run `git checkout .`.
en | Undo it with `git checkout .` if anything breaks.
en | Wait for the build before you deploy.
en | Do you want me to add tests as well?
en | Would you like me to do the same for `save`?
en | Should I also update the docs?
en | Let me know if anything fails.
en | I kept the old function for reference.
en | If you prefer a tuple, tell me.
en | No other file has to change.
en | Actually running it takes a minute.
en | Ignore that file in `.gitignore` as well.
en | It is no longer rejected.
en | The old version was rejected by the compiler.
en | Then restart the server.
en | This is not a breaking change.
en | Don't use this function for passwords.
de | Mehr ist nicht nötig.
de | Vergiss nicht, die Tests laufen zu lassen.
de | Lass `close` unverändert.
de | Soll ich auch Tests schreiben?
de | Das funktioniert auch mit Python 3.9.
fr | N'oubliez pas de lancer les tests.
fr | Voulez-vous que j'ajoute des tests ?
fr | Rien d'autre ne change.
es | No olvides ejecutar las pruebas.
es | ¿Quieres que añada pruebas?
es | No hace falta nada más.
pt | Não esqueça de executar os testes.
pt | Quer que eu adicione testes?
pt | Nada mais muda.
ru | Не забудьте запустить тесты.
ru | Хотите, чтобы я добавил тесты?
ru | Больше ничего менять не нужно.
zh | 别忘了运行测试。
zh | 需要我再写测试吗？
zh | 其他文件不用改。
ja | テストを実行するのを忘れないでください。
ja | テストも追加しましょうか？
ja | 他のファイルは変更不要です。
"""


def rows(table: str) -> list[tuple[str, str]]:
    """Return the language and the sentence of each row."""
    return [
        (language, said) for language, _, said in (row.partition(" | ") for row in table.split("\n")) if said
    ]
