;;; Apply a drifted answer through eglot, choose a candidate by code action, save, and restore.  -*- lexical-binding: t -*-

(load (expand-file-name "acting" (file-name-directory load-file-name)))

(defun execute (server action)
  "Do what a code ACTION says, as `eglot-code-actions' does when a person picks it."
  (let ((edit (plist-get action :edit)) (command (plist-get action :command)))
    (when edit (eglot--apply-workspace-edit edit))
    (cond ((stringp command) (eglot-execute-command server (intern command) (plist-get action :arguments)))
          (command (eglot-execute-command server (intern (plist-get command :command))
                                          (plist-get command :arguments))))))

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
  (with-current-buffer tax
    (let* ((diagnostic (car (flymake-diagnostics)))
           (actions (append (eglot-code-actions (flymake-diagnostic-beg diagnostic)
                                                (flymake-diagnostic-end diagnostic)) nil))
           (second (seq-find (lambda (action) (string-match-p "candidate 2" (plist-get action :title))) actions)))
      (setq seen (plist-put seen :actions (vconcat (mapcar (lambda (action) (plist-get action :title)) actions))))
      (unless second
        (message "no action for the second candidate in %S" seen)
        (kill-emacs 1))
      (execute server second)))
  (await "the chosen candidate in the buffer" (lambda () (contains tax "ROUND_HALF_UP)")))
  (setq seen (plist-put seen :taxAfterChoice (text-of tax)))
  (save-some-buffers t)
  (setq seen (plist-put seen :taxOnDisk (text-of-file "till/tax.py")))
  (eglot-execute-command server 'patchpoint.restoreCheckpoint
                         (vector (list :checkpoint (plist-get (plist-get answer :checkpoint) :id))))
  (await "the old text in the buffer" (lambda () (not (contains tax "ROUND_HALF_UP"))))
  (setq seen (plist-put seen :taxAfterRestore (text-of tax)))
  (save-some-buffers t)
  (with-temp-file (getenv "SEEN") (insert (json-serialize seen :false-object :json-false)))
  (eglot-shutdown server)
  (kill-emacs 0))
