;;; What the scripts for Emacs have in common.  -*- lexical-binding: t -*-

;; Otherwise an Emacs spends half of its time on collecting garbage.
(setq gc-cons-threshold (* 256 1024 1024))

(add-to-list 'load-path (getenv "PLUGIN"))
(require 'patchpoint)
(require 'flymake)
(require 'json)

(setq revert-without-query '(".*")
      make-backup-files nil
      auto-save-default nil)

;; What docs/editors/emacs.md says.  Reverting follows the files by time, not by their events: those
;; depend on what Emacs was built with.
(setq auto-revert-use-notify nil auto-revert-interval 0.1 auto-revert-verbose nil)
(global-auto-revert-mode 1)

(defun await (what predicate)
  "Wait until PREDICATE holds, else end with an account of WHAT was awaited."
  (let ((deadline (+ (float-time) 60)))
    (while (and (not (funcall predicate)) (< (float-time) deadline))
      (accept-process-output nil 0.02))
    (unless (funcall predicate)
      (message "timed out waiting for %s" what)
      (kill-emacs 1))))

(defvar answer-to-questions t
  "What the person answers to questions of yes or no.")

(defvar questions nil
  "The questions that were asked, the last first, each with what the window for differences showed.")

(defun text-of-difference ()
  "The text of the difference that is shown before a restore, if there is one."
  (let ((buffer (get-buffer "*Patchpoint restore*"))) (and buffer (text-of buffer))))

(fset 'yes-or-no-p
      (lambda (question)
        (push (list question (text-of-difference)) questions)
        answer-to-questions))

(defvar shown-messages nil
  "The messages that were shown, the last first.")

(advice-add 'message :before
            (lambda (format &rest arguments)
              (when format (push (apply #'format-message format arguments) shown-messages))))

(defun await-message (text)
  "Wait until a message with TEXT is shown, and return the whole message."
  (let ((found (lambda () (seq-find (lambda (one) (string-match-p (regexp-quote text) one)) shown-messages))))
    (await text found)
    (funcall found)))

(defun text-of (buffer)
  "All text of BUFFER."
  (with-current-buffer buffer (save-restriction (widen) (buffer-substring-no-properties (point-min) (point-max)))))

(defun text-of-file (path)
  "The content of the file PATH on disk."
  (with-temp-buffer (insert-file-contents path) (buffer-string)))

(defun contains (buffer text)
  "Whether BUFFER has TEXT."
  (string-match-p (regexp-quote text) (text-of buffer)))

(defun diagnostics (buffer)
  "The messages that flymake shows in BUFFER."
  (with-current-buffer buffer (mapcar #'flymake-diagnostic-text (flymake-diagnostics))))

(defun end-having (seen)
  "Write what was SEEN for the test, and end."
  (with-temp-file (getenv "SEEN") (insert (json-serialize seen :false-object :json-false)))
  (kill-emacs 0))
