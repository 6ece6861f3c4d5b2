;;; patchpoint.el --- Edits that a language model wrote, made safe  -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: tools, convenience

;;; Commentary:

;; Commands for the Patchpoint server, which eglot runs:
;;
;;   (require 'patchpoint)
;;   (add-to-list 'eglot-server-programs '((prog-mode text-mode) . ("patchpoint")))
;;
;; M-x patchpoint-apply-kill applies the answer that was copied last, M-x patchpoint-restore goes back.  An edit that could
;; not land is a diagnostic; M-x eglot-code-actions on it offers the candidates.

;;; Code:

(require 'eglot)
(require 'seq)

(declare-function eglot--apply-workspace-edit "eglot")
(declare-function eglot--signal-textDocument/didChange "eglot")

(defun patchpoint--send-changes (&rest _)
  "Tell the server at once what an edit of its own has changed.
Eglot waits until Emacs is idle, which it is not while a command waits for its answer."
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (bound-and-true-p eglot--managed-mode)
        (eglot--signal-textDocument/didChange)))))

(advice-add 'eglot--apply-workspace-edit :after #'patchpoint--send-changes)

(defun patchpoint--call (name arguments then)
  "Call the server's command NAME with the plist ARGUMENTS, and THEN with its answer."
  (let ((server (or (eglot-current-server)
                    (user-error "Patchpoint does not run here; try M-x eglot"))))
    (jsonrpc-async-request
     server :workspace/executeCommand
     (list :command (concat "patchpoint." name)
           :arguments (vector (or arguments (make-hash-table))))
     :timeout nil
     :success-fn then
     :error-fn (lambda (failure) (message "Patchpoint: %s" (plist-get failure :message))))))

(defun patchpoint--tell-edits (answer)
  "Say what became of the edits of ANSWER."
  (let* ((edits (append (plist-get answer :edits) nil))
         (landed (seq-filter (lambda (edit) (member (plist-get edit :status) '("applied" "alreadyApplied"))) edits))
         (others (seq-difference edits landed)))
    (message "Patchpoint: %d of %d edits applied%s" (length landed) (length edits)
             (mapconcat (lambda (edit) (concat "\n" (plist-get edit :message))) others ""))))

(defun patchpoint--tell-restored (answer)
  "Say what a restore did, by its ANSWER."
  (message "Patchpoint: restored, %d files written, %d deleted"
           (length (plist-get answer :written)) (length (plist-get answer :deleted))))

(defun patchpoint-apply (text &optional by-edit)
  "Apply the edits in TEXT, a model's answer: all of them or none.
With BY-EDIT, apply those that match and leave the others pending."
  (patchpoint--call "applyEdits"
                    (list :text text :atomic (if by-edit "edit" "all"))
                    #'patchpoint--tell-edits))

;;;###autoload
(defun patchpoint-apply-kill (by-edit)
  "Apply the answer that was copied last; with a prefix argument BY-EDIT, whatever of it matches."
  (interactive "P")
  (patchpoint-apply (current-kill 0) by-edit))

;;;###autoload
(defun patchpoint-apply-region (start end by-edit)
  "Apply the answer between START and END; with a prefix argument BY-EDIT, whatever of it matches."
  (interactive "r\nP")
  (patchpoint-apply (buffer-substring-no-properties start end) by-edit))

;;;###autoload
(defun patchpoint-take-checkpoint (label)
  "Record the working tree under LABEL."
  (interactive "sLabel: ")
  (patchpoint--call "takeCheckpoint" (list :label label)
                    (lambda (answer)
                      (message "Patchpoint: checkpoint %s of %d files"
                               (plist-get answer :id) (plist-get answer :files)))))

;;;###autoload
(defun patchpoint-restore ()
  "Choose a checkpoint and go back to it; `patchpoint-undo-restore' takes that back."
  (interactive)
  (patchpoint--call
   "listCheckpoints" nil
   (lambda (answer)
     ;; Not in the filter of the process: a person is asked.
     (run-at-time 0 nil #'patchpoint--choose-and-restore (append (plist-get answer :checkpoints) nil)))))

(defun patchpoint--choose-and-restore (checkpoints)
  "Let the person choose one of CHECKPOINTS, and restore it."
  (let* ((choices (mapcar (lambda (checkpoint)
                            (cons (format "%s  %s  %s" (plist-get checkpoint :createdAt) (plist-get checkpoint :kind)
                                          (or (plist-get checkpoint :label) ""))
                                  (plist-get checkpoint :id)))
                          checkpoints))
         (choice (completing-read "Restore: " choices nil t)))
    (patchpoint--call "restoreCheckpoint" (list :checkpoint (cdr (assoc choice choices)))
                      #'patchpoint--tell-restored)))

;;;###autoload
(defun patchpoint-undo-restore ()
  "Take the last restore back."
  (interactive)
  (patchpoint--call "undoRestore" nil #'patchpoint--tell-restored))

(provide 'patchpoint)
;;; patchpoint.el ends here
