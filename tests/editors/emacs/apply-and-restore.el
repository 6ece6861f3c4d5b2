;;; Apply a drifted answer through eglot, choose a candidate by code action, save, and restore.  -*- lexical-binding: t -*-

(add-to-list 'load-path (getenv "PLUGIN"))
(require 'patchpoint)
(require 'flymake)
(require 'json)

(setq eglot-sync-connect 20
      eglot-confirm-server-initiated-edits nil
      eglot-send-changes-idle-time 0.05
      revert-without-query '(".*")
      make-backup-files nil
      auto-save-default nil)

;; The configuration that docs/editors/emacs.md tells. Reverting follows the files by time, not by their events: those
;; depend on what Emacs was built with.
(setq auto-revert-use-notify nil auto-revert-interval 0.1 auto-revert-verbose nil)
(global-auto-revert-mode 1)
(add-to-list 'eglot-server-programs '((prog-mode text-mode) . ("patchpoint")))

(defun await (what predicate)
  "Wait until PREDICATE holds, else end with an account of WHAT was awaited."
  (let ((deadline (+ (float-time) 20)))
    (while (and (not (funcall predicate)) (< (float-time) deadline))
      (accept-process-output nil 0.02))
    (unless (funcall predicate)
      (message "timed out waiting for %s" what)
      (kill-emacs 1))))

(defun open-file (path)
  "Visit PATH and let eglot manage it."
  (let ((buffer (find-file-noselect path)))
    (with-current-buffer buffer
      (unless (eglot-current-server)
        (apply #'eglot--connect (eglot--guess-contact)))
      (eglot--maybe-activate-editing-mode)
      (await (format "eglot at %s" path) (lambda () (bound-and-true-p eglot--managed-mode))))
    buffer))

(defun text-of (buffer)
  "All text of BUFFER."
  (with-current-buffer buffer (save-restriction (widen) (buffer-substring-no-properties (point-min) (point-max)))))

(defun text-of-file (path)
  "What PATH holds on disk."
  (with-temp-buffer (insert-file-contents path) (buffer-string)))

(defun contains (buffer text)
  "Whether TEXT stands in BUFFER."
  (string-match-p (regexp-quote text) (text-of buffer)))

(defun diagnostics (buffer)
  "The messages that flymake shows in BUFFER."
  (with-current-buffer buffer (mapcar #'flymake-diagnostic-text (flymake-diagnostics))))

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
