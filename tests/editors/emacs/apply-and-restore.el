;;; Apply a drifted answer through eglot, choose a candidate by code action, save, and restore.  -*- lexical-binding: t -*-

(load (expand-file-name "with-eglot" (file-name-directory load-file-name)))

(let* ((tax (open-file "till/tax.py"))
       (basket (open-file "till/basket.py"))
       (server (with-current-buffer tax (eglot-current-server)))
       (answer (eglot-execute-command server 'patchpoint.applyEdits
                                      (vector (list :text (text-of-file (getenv "ANSWER")) :atomic "edit"))))
       (seen (list :answer answer)))
  (await "the indented edit in the buffer" (lambda () (contains basket "if count < 1:")))
  (with-current-buffer tax (flymake-start))
  (await "the diagnostic of the ambiguous edit" (lambda () (diagnostics tax)))
  (setq seen (plist-put seen :ambiguous (car (diagnostics tax))))
  (setq seen (plist-put seen :actions (choose tax "candidate 2")))
  (await "the chosen candidate in the buffer" (lambda () (contains tax "ROUND_HALF_UP)")))
  (setq seen (plist-put seen :taxAfterChoice (text-of tax)))
  (save-some-buffers t)
  (setq seen (plist-put seen :taxOnDisk (text-of-file "till/tax.py")))
  (eglot-execute-command server 'patchpoint.restoreCheckpoint
                         (vector (list :checkpoint (plist-get (plist-get answer :checkpoint) :id))))
  (await "the old text in the buffer" (lambda () (not (contains tax "ROUND_HALF_UP"))))
  (setq seen (plist-put seen :taxAfterRestore (text-of tax)))
  (save-some-buffers t)
  (eglot-shutdown server)
  (end-having seen))
