;;; patchpoint.el --- Edits that a language model wrote, made safe  -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: tools, convenience

;;; Commentary:

;; Commands for the Patchpoint server, which eglot runs:
;;
;;   (require 'patchpoint)
;;   (add-to-list 'eglot-server-programs '((prog-mode text-mode) . ("patchpoint")))
;;
;; or lsp-mode, in addition to the server of the language:
;;
;;   (require 'lsp-patchpoint)
;;
;; M-x patchpoint-apply-kill applies the answer that was copied last, M-x patchpoint-restore goes back.  An edit that could
;; not be applied is a diagnostic; M-x eglot-code-actions or M-x lsp-execute-code-action on it offers the candidates.

;;; Code:

(require 'seq)

(declare-function eglot-current-server "eglot")
(declare-function eglot--signal-textDocument/didChange "eglot")
(declare-function jsonrpc-async-request "jsonrpc")
(declare-function lsp-request-async "lsp-mode")
(declare-function lsp-workspaces "lsp-mode")
(declare-function lsp--workspace-server-id "lsp-mode")
(defvar lsp--cur-workspace)

(defun patchpoint--send-changes (&rest _)
  "Send the server the changes of all buffers at once.
Eglot waits until Emacs is idle, which it is not while a command runs."
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (bound-and-true-p eglot--managed-mode)
        (eglot--signal-textDocument/didChange)))))

(with-eval-after-load 'eglot
  (advice-add 'eglot--apply-workspace-edit :after #'patchpoint--send-changes))

(defun patchpoint--get (object key)
  "Return the value of KEY, a keyword, in OBJECT.
OBJECT is a plist (from eglot) or a hash table (from lsp-mode)."
  (if (hash-table-p object) (gethash (substring (symbol-name key) 1) object) (plist-get object key)))

(defun patchpoint--call (name arguments then)
  "Call the server's command NAME with the plist ARGUMENTS.
Then call the function THEN with the result."
  (let* ((request (list :command (concat "patchpoint." name)
                        :arguments (vector (or arguments (make-hash-table)))
                        ;; The result is shown here, so the server must not show a message as well.
                        :showsResults t))
         (failed (lambda (failure) (message "Patchpoint: %s" (patchpoint--get failure :message))))
         (eglot (and (fboundp 'eglot-current-server) (eglot-current-server)))
         (lsp (and (bound-and-true-p lsp-mode)
                   (seq-find (lambda (one) (eq (lsp--workspace-server-id one) 'patchpoint)) (lsp-workspaces)))))
    (cond
     (lsp (let ((lsp--cur-workspace lsp))
            (lsp-request-async "workspace/executeCommand" request then :mode 'detached :error-handler failed)))
     (eglot (jsonrpc-async-request eglot :workspace/executeCommand request
                                   :timeout nil :success-fn then :error-fn failed))
     (t (user-error "Patchpoint is not running here; try M-x eglot or M-x lsp")))))

(defun patchpoint--report-edits (answer)
  "Show the outcomes of the edits in ANSWER, the result of a command."
  (let* ((edits (append (patchpoint--get answer :edits) nil))
         (applied (seq-filter (lambda (edit) (member (patchpoint--get edit :status) '("applied" "reverted" "alreadyApplied")))
                              edits))
         (others (seq-difference edits applied)))
    (message "Patchpoint: %d of %d edits %s%s" (length applied) (length edits)
             (if (seq-some (lambda (edit) (equal (patchpoint--get edit :status) "reverted")) edits)
                 "taken back" "applied")
             (mapconcat (lambda (edit) (concat "\n" (patchpoint--get edit :message))) others ""))))

(defun patchpoint--report-restore (answer)
  "Show what a restore changed, from ANSWER, the result of the command."
  (message "Patchpoint: restored, %d files written, %d deleted"
           (length (patchpoint--get answer :written)) (length (patchpoint--get answer :deleted))))

(defun patchpoint-apply (text &optional by-edit)
  "Apply the edits in TEXT, a model's answer: all of them or none.
With BY-EDIT, apply those that match and leave the others pending."
  (patchpoint--call "applyEdits"
                    (list :text text :atomic (if by-edit "edit" "all"))
                    #'patchpoint--report-edits))

;;;###autoload
(defun patchpoint-apply-kill (by-edit)
  "Apply the answer that was copied last.
With a prefix argument BY-EDIT, apply those of its edits that match."
  (interactive "P")
  (patchpoint-apply (current-kill 0) by-edit))

;;;###autoload
(defun patchpoint-apply-region (start end by-edit)
  "Apply the answer between START and END.
With a prefix argument BY-EDIT, apply those of its edits that match."
  (interactive "r\nP")
  (when (and buffer-file-name (string-match-p "/shown/[0-9a-f]\\{12\\}/" buffer-file-name))
    (user-error "This only shows edits; apply them where the answer is"))
  (patchpoint-apply (buffer-substring-no-properties start end) by-edit))

;;;###autoload
(defun patchpoint-copy-instructions ()
  "Copy what to say to a model so that it answers with edits that can be applied."
  (interactive)
  (patchpoint--call "modelInstructions" nil
                    (lambda (answer)
                      (kill-new (patchpoint--get answer :text))
                      (message "Patchpoint: instructions for the model copied; paste them into the chat"))))

;;;###autoload
(defun patchpoint-take-checkpoint (label)
  "Record the working tree under LABEL."
  (interactive "sLabel: ")
  (patchpoint--call "takeCheckpoint" (list :label label)
                    (lambda (answer)
                      (message "Patchpoint: checkpoint %s of %d files"
                               (patchpoint--get answer :id) (patchpoint--get answer :files)))))

;;;###autoload
(defun patchpoint-restore ()
  "Choose a checkpoint and go back to it; `patchpoint-undo-restore' undoes that."
  (interactive)
  (patchpoint--call
   "listCheckpoints" nil
   (lambda (answer)
     ;; Not in the process filter, because it asks the person.
     (run-at-time 0 nil #'patchpoint--choose-and-restore (append (patchpoint--get answer :checkpoints) nil)))))

(defun patchpoint--choose-and-restore (checkpoints)
  "Let the person choose one of CHECKPOINTS, and restore it."
  (let* ((choices (mapcar (lambda (checkpoint)
                            (cons (format "%s  %s  %s" (patchpoint--get checkpoint :createdAt) (patchpoint--get checkpoint :kind)
                                          (or (patchpoint--get checkpoint :label) ""))
                                  (patchpoint--get checkpoint :id)))
                          checkpoints))
         (choice (completing-read "Restore: " choices nil t)))
    (patchpoint--call "restoreCheckpoint" (list :checkpoint (cdr (assoc choice choices)))
                      #'patchpoint--report-restore)))

;;;###autoload
(defun patchpoint-take-back ()
  "Choose what was applied, now or in an earlier session, and take it back.
Its files may have changed since."
  (interactive)
  (patchpoint--call
   "listApplications" nil
   (lambda (answer)
     (let ((left (seq-remove (lambda (one) (or (patchpoint--get one :revertedAt) (patchpoint--get one :reverts)))
                             (append (patchpoint--get answer :applications) nil))))
       (if left
           ;; Not in the process filter, because it asks the person.
           (run-at-time 0 nil #'patchpoint--choose-and-take-back left)
         (message "Patchpoint: nothing that was applied is left to be taken back"))))))

(defun patchpoint--choose-and-take-back (applications)
  "Let the person choose one of APPLICATIONS, and revert it."
  (let* ((choices (mapcar (lambda (one)
                            (cons (format "answer of %s, %d edits in %d files"
                                          (format-time-string "%F %R" (date-to-time (patchpoint--get one :createdAt)))
                                          (length (patchpoint--get one :edits)) (length (patchpoint--get one :files)))
                                  (patchpoint--get one :id)))
                          applications))
         (choice (completing-read "Take back: " choices nil t)))
    (patchpoint--call "revertEdits" (list :application (cdr (assoc choice choices)))
                      #'patchpoint--report-edits)))

;;;###autoload
(defun patchpoint-undo-restore ()
  "Undo the last restore."
  (interactive)
  (patchpoint--call "undoRestore" nil #'patchpoint--report-restore))

;;;###autoload
(autoload 'patchpoint-review "patchpoint-review" "List what was written since a checkpoint, change by change." t)

(provide 'patchpoint)
;;; patchpoint.el ends here
