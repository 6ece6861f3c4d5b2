;;; Apply an answer through an eglot that shows its changes only when it is idle.  -*- lexical-binding: t -*-

(load (expand-file-name "with-eglot" (file-name-directory load-file-name)))

(require 'patchpoint-eglot)
(advice-remove 'eglot--apply-workspace-edit #'patchpoint-eglot--send-changes)

(let* ((tax (open-file "till/tax.py"))
       (basket (open-file "till/basket.py"))
       (server (with-current-buffer tax (eglot-current-server)))
       (answer (call server 'patchpoint.applyEdits :text (text-of-file (getenv "ANSWER")) :atomic "edit"))
       (seen (list :answer answer :basket (text-of basket))))
  (setq seen (plist-put seen :tooSoon
                        (call server 'patchpoint.revertEdits :application (plist-get answer :application))))
  ;; What eglot does when it is idle, which an Emacs without a screen never is.
  (dolist (buffer (list tax basket))
    (with-current-buffer buffer (eglot--signal-textDocument/didChange)))
  (setq seen (plist-put seen :pending (call server 'patchpoint.listPendingEdits)))
  (setq seen (plist-put seen :reverted
                        (call server 'patchpoint.revertEdits :application (plist-get answer :application))))
  (setq seen (plist-put seen :basketAfterRevert (text-of basket)))
  (eglot-shutdown server)
  (end-having seen))
