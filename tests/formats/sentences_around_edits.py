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
en | I wouldn't apply this one yet; it's just what upstream did:
en | Here is what it looked like before my change:
en | This is what the function looked like before:
en | The following diff is only for illustration:
en | This is how NOT to do it:
en | **❌ Wrong:**
en | **Don't do this:**
en | ❌ Wrong way
en | 🚫 Avoid this pattern:
en | An attempt that was rejected in code review:
en | Previously I suggested this, but it was rejected:
en | What you should not do:
en | You should never do this:
en | You should not write it like that:
en | Please do not copy this:
en | Nobody should ever write code like this:
en | I tried the following, and it failed:
en | We tried this first, but it did not work:
en | I reverted the following commit because it broke the build:
en | The following patch was reverted:
en | This version is wrong:
en | The naive version (do not use):
en | For context, this is the commit that introduced the bug:
en | Don't commit this:
en | Do not apply the following patch:
en | Just for reference, here is the diff that broke it:
en | If you are on Windows, use this instead:
en | On Windows only:
en | Only needed on Windows:
en | Wrong (leaks the handle):
en | Do NOT do this:
en | Anti-pattern:
de | So sollte man es nicht machen:
de | Bitte nicht so schreiben:
de | Das hier habe ich verworfen:
de | Zum Vergleich der alte Stand:
de | Nicht anwenden, nur zur Information:
fr | Ne faites pas ça :
fr | Ne l'écrivez pas ainsi :
fr | Version rejetée :
es | No hagas esto:
es | No lo escribas así:
es | Esto fue rechazado:
pt | Não faça isso:
pt | Isto foi rejeitado:
ru | Не делайте так:
ru | Плохо:
ru | Этот патч был отклонён:
zh | 不要这样做：
zh | 反例：
zh | 不推荐的写法：
ja | これはやめてください：
ja | このパッチは却下されました：
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
en | Hmm, wait. That breaks the tests. Ignore it.
en | Scratch that.
en | Please ignore this edit.
en | Please ignore my previous suggestion.
en | Ignore the diff above.
en | You can disregard this patch.
en | Forget what I said above.
en | Actually, don't make this change.
en | Actually, don't do that.
en | No, don't apply that.
en | Wait, that's wrong.
en | Oops, this is wrong.
en | That is not correct.
en | Nope, that won't work because the list is needed.
en | I've changed my mind: keep the list.
en | Let me take that back.
en | But do not apply it.
en | However, you shouldn't apply this change.
en | I would not apply this.
en | You don't need to apply this.
en | No change is needed after all.
en | There's no need to make this change after all.
en | Please revert it.
en | Revert this change.
en | I have since reverted this.
en | That was rejected in review.
en | Shall I apply it?
en | Would you like me to go ahead?
en | Let me know if you want me to apply this.
en | Keep the file as it is.
en | Better leave it as is.
en | This was only an illustration, don't use it.
en | Never mind.
en | On reflection, keep the list.
de | Doch nicht.
de | Vergiss das.
de | Ach nein, das war falsch.
de | Bitte ignoriere das.
de | Mach das rückgängig.
fr | Oublie ça.
fr | Ne l'applique pas.
fr | En fait, non : laissez-le tel quel.
es | Olvídalo.
es | No lo apliques.
es | Mejor déjalo como está.
pt | Esquece isso.
pt | Não aplique isso.
ru | Не применяйте эту правку.
ru | Забудь это.
ru | Нет, не так.
zh | 算了，不用改了。
zh | 请忽略这个修改。
zh | 别应用。
ja | やっぱり忘れてください。
ja | これは適用しないでください。
ja | それは無視してください。
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
en | Never trust the header; check the length:
en | Don't swallow the error, raise it:
en | Do not use `eval` here; parse it like this:
en | Avoid `eval`, like this:
en | The test failed because the name was wrong. Correct it:
en | It was reverted by accident in 1.2; restore it:
en | I rejected the first idea because it is slow; this one is fast:
en | Wrong names are accepted. Reject them:
en | The wrong branch is taken. Swap them:
en | Bad requests now get a 400:
en | Only if the file exists should it be opened:
en | If you run it twice, it fails; guard it:
en | On Windows the separator is different, so use `os.sep`:
en | On Linux and Windows alike, this works:
en | Add a note that this must not be applied twice:
en | Make sure that nobody can use it before it is ready:
en | The old check used to be enough, but now we need two:
en | `load` used to read twice; now it reads once:
en | Before the change the file was read twice. Read it once instead:
en | The reference to the old name is updated:
en | For reference counting, use a weak map:
en | Just for fun I also renamed it. The change:
en | Undo button: disable it while saving:
en | Revert to the default when the value is empty:
en | Add an "ignore this" option:
en | Cancel the timer on close:
en | Drop the unused import:
en | Skip it when nothing changed:
en | Add a warning "do not use this":
en | This isn't thread safe. Add a lock:
en | What was wrong: the default is mutable. Fix:
en | This is the wrong default. Use `None`:
en | Here's how to do it without the copy:
en | To never do this again, add a check:
en | In `src/cart.py`, don't read the file twice:
en | Don't read twice:
en | Don't return early:
en | Never return `None`:
en | Avoid reading it twice:
en | Stop doing this on every call. Cache it:
en | Now undo it on failure too:
en | Let's use a list instead:
en | Sorry about that. Here's the correct patch:
en | My mistake! Here is the fixed version:
en | You're right, that was wrong. Here's the fix:
en | No, it should be closed first:
en | Actually, one line is enough:
en | Wait until it is ready before the first call:
en | Apologies for the confusion, the correct change is:
en | Good catch. That should not have been applied to all rows:
de | Ersetze das falsche Argument:
de | Nicht `None`, sondern eine leere Liste:
de | Vermeide das doppelte Lesen:
fr | Il ne faut pas lire deux fois :
fr | Ne lisez pas le fichier deux fois :
es | No leas el archivo dos veces:
pt | Não leia o arquivo duas vezes:
ru | Не читайте файл дважды:
zh | 不要读两次文件：
ja | ファイルを二回読まないようにします：
zh | 错误处理：
zh | 修改之前先检查：
zh | 错误的参数会被拒绝：
en | Here's a safer version, so that nothing is lost if it fails:
en | I've kept the old name. Only the body changes:
en | If you want it to be faster, cache it:
en | The fix is one line:
en | I didn't test this, but it should work:
en | Let me know if it doesn't work.
en | I have not changed anything else.
en | You can now drop the old helper.
en | Do not forget to bump the version.
en | That way, nobody can call it twice.
en | Before merging, run the tests.
en | If it still fails, revert this and tell me.
en | Note: this is only needed once.
en | This was not working because of the typo.
en | Only this function changes:
en | First, don't panic. The fix is small:
en | Nothing was wrong with the tests.
en | Skip to the end if you only want the code.
en | The original code was correct except for one line:
en | This is what you want:
en | This is how it should look:
en | This is what the function looks like after the change:
en | Here is what changed:
en | Here's what I would do:
en | I would do it like this:
en | I wouldn't cache it; read it every time:
en | You shouldn't need the lock, so remove it:
en | Your version was wrong in one place:
en | Wrong indentation fixed:
en | Bad default replaced:
en | As an example, here is the change for one file:
en | Never mind performance here:
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
en | This keeps the old behaviour if you don't pass anything.
en | You shouldn't see the warning any more.
en | I didn't change the tests.
en | I haven't touched the other files.
en | No migration is needed.
en | Ignore the whitespace changes in the diff.
en | Don't worry about the import, it is used below.
en | Don't forget to restart. It won't work otherwise.
en | It does not work on Windows yet.
en | Note that this doesn't handle empty lists.
en | If that's not what you want, tell me.
en | If this doesn't work, send me the log.
en | Only one call was wrong.
en | That's all you need. The wrong value came from the cache.
en | The problem was that it was never closed.
en | This was the wrong default before.
en | It was wrong to close it there.
en | Let me know if you want me to add a test.
en | Would you like me to apply the same change to `save`?
en | Should I apply this to the other files too?
en | Keep the old file as a backup.
en | Keep in mind that it is cached.
en | Leave the other call as it is.
en | Leave the rest unchanged.
en | The rest of the file stays as it is.
en | Never call it from a signal handler.
en | Do not edit the generated file.
en | Please don't edit `a.lock` by hand.
en | You may want to revert the version bump.
en | You can revert it with `git revert HEAD`.
en | To undo this, remove the line.
en | For reference, the RFC is 2616.
en | Alternatively, set `X=1`.
en | I tried it with Python 3.12 and it works.
en | I tried this on Windows and it works.
en | Nobody should notice the difference.
en | Before this change the file was left open.
en | It used to fail with an empty list.
en | Hope that helps!
en | Sorry for the wrong patch earlier.
en | Actually the name could be shorter, but I kept it.
en | Wait a few seconds after the restart.
en | No need to restart.
en | No, the tests don't have to change.
en | That doesn't change the interface.
en | This won't break callers.
en | That won't work for very long names, which is fine.
de | Das war falsch herum.
de | Das ändert nichts am Verhalten.
de | Die anderen Dateien bleiben, wie sie sind.
fr | Ça ne change rien d'autre.
es | Esto no cambia nada más.
pt | Isso não muda mais nada.
ru | Это больше ничего не меняет.
zh | 这样就不会报错了。
ja | これで動くはずです。
zh | 不需要修改其他文件。
en | Here's a safer version, so that nothing is lost if it fails:
en | I've kept the old name. Only the body changes:
en | If you want it to be faster, cache it:
en | The fix is one line:
en | I didn't test this, but it should work:
en | Let me know if it doesn't work.
en | I have not changed anything else.
en | You can now drop the old helper.
en | Do not forget to bump the version.
en | That way, nobody can call it twice.
en | Before merging, run the tests.
en | If it still fails, revert this and tell me.
en | Note: this is only needed once.
en | This was not working because of the typo.
en | Only this function changes:
en | First, don't panic. The fix is small:
en | Nothing was wrong with the tests.
en | Skip to the end if you only want the code.
en | The original code was correct except for one line:
en | This is what you want:
en | This is how it should look:
en | This is what the function looks like after the change:
en | Here is what changed:
en | Here's what I would do:
en | I would do it like this:
en | I wouldn't cache it; read it every time:
en | You shouldn't need the lock, so remove it:
en | Your version was wrong in one place:
en | Wrong indentation fixed:
en | Bad default replaced:
en | As an example, here is the change for one file:
en | Never mind performance here:
"""


def rows(table: str) -> list[tuple[str, str]]:
    """Return the language and the sentence of each row."""
    return [
        (language, said) for language, _, said in (row.partition(" | ") for row in table.split("\n")) if said
    ]
