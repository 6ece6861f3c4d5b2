" Vim with ALE, set up as docs/editors/vim.md says: an answer, what is wrong in it, and code actions.
function! Until(what, Holds) abort
  let l:begun = reltime()
  while !a:Holds()
    if reltimefloat(reltime(l:begun)) > 30
      call writefile(['timed out waiting for ' . a:what, execute('messages')], $SEEN)
      cquit!
    endif
    sleep 20m
  endwhile
endfunction

function! Problems() abort
  return ale#engine#GetLoclist(bufnr(''))
endfunction

" The person picks the action with this title at the cursor; return the titles of all.
function! Choose(title) abort
  let s:offered = []
  call ale#codefix#Execute(0, {data, items -> extend(s:offered, map(copy(items), {_, item -> [data, item[1]]}))})
  call Until('code actions', {-> !empty(s:offered)})
  let l:titles = map(copy(s:offered), {_, one -> one[1].title})
  let [l:data, l:action] = s:offered[match(l:titles, '^' . a:title)]
  call ale#codefix#ApplyLSPCodeAction(l:data, l:action)
  return l:titles
endfunction

let s:seen = {}
edit answer.md
call Until('the problems of the answer', {-> len(Problems()) == 4})
let s:seen.answer = map(copy(Problems()), {_, one -> [one.lnum, one.code]})

" What is open and has not been changed is read again, once Vim looks.
split till/tax.py
let s:tax = win_getid()
wincmd p
split till/basket.py
let s:basket = bufnr('')
wincmd p
call search('def add')
let s:seen.offered = Choose('Apply the edits that match')
call Until('the edit on disk', {-> join(readfile('till/basket.py')) =~# 'if count < 1'})
execute 'checktime' s:basket
call Until('the edit in the buffer', {-> !empty(filter(getbufline(s:basket, 1, '$'), {_, line -> line =~# 'if count < 1'}))})

" An edit that fits at two places is a problem of the file; the person chooses the second, in a buffer that is
" older than the file.
call win_gotoid(s:tax)
call Until('the ambiguous edit', {-> len(Problems()) == 1})
let s:seen.tax = map(copy(Problems()), {_, one -> [one.lnum, one.code]})
let s:seen.older = getline(1, '$')
call cursor(10, 1)
let s:seen.candidates = Choose('Apply the edit at candidate 2')
call Until('the edit at the second place', {-> join(readfile('till/tax.py')) =~# 'rounding=ROUND_HALF_UP)'})
checktime
call Until('the buffer as the file is', {-> getline(1, '$') ==# readfile('till/tax.py')})
let s:seen.buffer = join(getline(1, '$'), "\n") .. "\n"
call writefile([json_encode(s:seen)], $SEEN)
qall!
