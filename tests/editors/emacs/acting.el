;;; What the scripts for Emacs have in common.  -*- lexical-binding: t -*-

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
