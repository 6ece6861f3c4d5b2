;;; patchpoint.el --- Edits that a language model wrote, made safe  -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: tools, convenience

;;; Commentary:

;; Commands for the Patchpoint server, which eglot runs:
;;
;;   (require 'patchpoint)
;;   (with-eval-after-load 'eglot
;;     (add-to-list 'eglot-server-programs '((prog-mode text-mode) . ("patchpoint"))))
;;
;; or lsp-mode, in addition to the server of the language:
;;
;;   (require 'lsp-patchpoint)
;;
;; M-x patchpoint-apply-kill applies the answer that was copied last, M-x patchpoint-restore goes back.  An edit that could
;; not be applied is a diagnostic; M-x eglot-code-actions or M-x lsp-execute-code-action on it offers the candidates.

;;; Code:

(require 'diff-mode)
(require 'seq)
(require 'subr-x)
(require 'url-util)

(autoload 'patchpoint-review-of-answer "patchpoint-review")
(declare-function patchpoint-eglot--send-changes "patchpoint-eglot")
(declare-function eglot-current-server "eglot")
(declare-function jsonrpc-async-request "jsonrpc")
(declare-function lsp-request-async "lsp-mode")
(declare-function lsp-workspaces "lsp-mode")
(declare-function lsp--workspace-server-id "lsp-mode")
(defvar lsp--cur-workspace)

(defun patchpoint--follow-eglot ()
  "Keep the server up to date about buffers, once eglot is there."
  (when (featurep 'eglot)
    (require 'patchpoint-eglot)))

(patchpoint--follow-eglot)
(add-hook 'eglot-managed-mode-hook #'patchpoint--follow-eglot)

(defvar-local patchpoint--source nil
  "The buffer whose server a list or a difference is from.")

(defun patchpoint--get (object key)
  "Return the value of KEY, a keyword, in OBJECT.
OBJECT is a plist (from eglot) or a hash table (from `lsp-mode')."
  (if (hash-table-p object) (gethash (substring (symbol-name key) 1) object) (plist-get object key)))

(defun patchpoint--value (value)
  "Return VALUE, or nil where it is null in JSON."
  (unless (eq value :null) value))

(defun patchpoint--path (uri)
  "Return the path of the file URI."
  (decode-coding-string (url-unhex-string (string-remove-prefix "file://" uri)) 'utf-8))

(defun patchpoint--count (number thing)
  "Return NUMBER and THING, in the plural where it is to be."
  (format "%d %s%s" number thing (if (= number 1) "" "s")))

(defun patchpoint--call (name arguments then &optional refused)
  "Call the server's command NAME with the plist ARGUMENTS.
Then call the function THEN with the result, or after an error, which is shown,
REFUSED with its code; both in this buffer, while it is there."
  (let* ((here (current-buffer))
         (answered (lambda (answer)
                     (with-current-buffer (if (buffer-live-p here) here (current-buffer))
                       (funcall then answer))))
         (request (list :command (concat "patchpoint." name)
                        :arguments (vector (or arguments (make-hash-table)))
                        ;; The result is shown here, so the server must not show a message as well.
                        :showsResults t))
         (failed (lambda (failure)
                   (message "Patchpoint: %s" (patchpoint--get failure :message))
                   (let ((data (patchpoint--get failure :data)))
                     (when (and refused data)
                       (with-current-buffer (if (buffer-live-p here) here (current-buffer))
                         (funcall refused (patchpoint--get data :code)))))))
         (eglot (and (fboundp 'eglot-current-server) (eglot-current-server)))
         (lsp (and (bound-and-true-p lsp-mode)
                   (seq-find (lambda (one) (eq (lsp--workspace-server-id one) 'patchpoint)) (lsp-workspaces)))))
    (cond
     (lsp (let ((lsp--cur-workspace lsp))
            (lsp-request-async "workspace/executeCommand" request answered :mode 'detached :error-handler failed)))
     (eglot (patchpoint-eglot--send-changes)
            (jsonrpc-async-request eglot :workspace/executeCommand request
                                   :timeout nil :success-fn answered :error-fn failed))
     (t (user-error "Patchpoint is not running here; try M-x eglot or M-x lsp")))))

(defun patchpoint--call-there (name arguments then &optional refused)
  "Call NAME with ARGUMENTS, THEN and REFUSED, as `patchpoint--call' does.
It goes to the server of the buffer that this list or difference is from."
  (with-current-buffer (if (buffer-live-p patchpoint--source) patchpoint--source (current-buffer))
    (patchpoint--call name arguments then refused)))

(defun patchpoint--report-edits (answer)
  "Show the outcomes of the edits in ANSWER, the result of a command."
  (let* ((edits (append (patchpoint--get answer :edits) nil))
         (applied (seq-filter (lambda (edit) (member (patchpoint--get edit :status) '("applied" "reverted" "alreadyApplied")))
                              edits))
         (others (seq-difference edits applied)))
    (message "Patchpoint: %d of %d edits %s%s%s" (length applied) (length edits)
             (if (seq-some (lambda (edit) (equal (patchpoint--get edit :status) "reverted")) edits)
                 "reverted" "applied")
             (let ((remark (patchpoint--get answer :remark)))
               (if (member remark '(nil "")) "" (concat "; " remark)))
             (mapconcat (lambda (edit) (concat "\n" (patchpoint--get edit :message))) others ""))))

(defun patchpoint--read-again (uris)
  "Read the files URIS again in the buffers that visit them and are not modified."
  (dolist (uri (append uris nil))
    (let ((buffer (find-buffer-visiting (patchpoint--path uri))))
      (when (and buffer (not (buffer-modified-p buffer)) (not (verify-visited-file-modtime buffer)))
        (with-current-buffer buffer
          (revert-buffer t t t))))))

(defun patchpoint--report-restore (answer)
  "Show what a restore changed, from ANSWER, the result of the command."
  (patchpoint--read-again (patchpoint--get answer :written))
  (message "Patchpoint: restored, %d files written, %d deleted"
           (length (patchpoint--get answer :written)) (length (patchpoint--get answer :deleted))))

(defun patchpoint-apply (text &optional by-edit)
  "Apply the edits in TEXT, a model's answer: all of them or none.
With BY-EDIT, apply those that match and leave the others pending."
  (patchpoint--call "applyEdits"
                    (list :text text :atomic (if by-edit "edit" "all"))
                    #'patchpoint--report-edits))

(defun patchpoint--region (start end)
  "Return the text between START and END, unless it is a preview."
  (when (and buffer-file-name (string-match-p "/shown/[0-9a-f]\\{12\\}/" buffer-file-name))
    (user-error "This only previews edits; apply them from the answer"))
  (buffer-substring-no-properties start end))

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
  (patchpoint-apply (patchpoint--region start end) by-edit))

;;;###autoload
(defun patchpoint-preview-kill ()
  "Show what the answer that was copied last would change."
  (interactive)
  (patchpoint-preview (current-kill 0)))

;;;###autoload
(defun patchpoint-preview-region (start end)
  "Show what the answer between START and END would change."
  (interactive "r")
  (patchpoint-preview (patchpoint--region start end)))

(defun patchpoint-preview (text)
  "Show what the edits in TEXT, a model's answer, would change.
There, \\<patchpoint-review-mode-map>\\[patchpoint-review-apply] applies what is kept of them."
  (let ((source (current-buffer)))
    (patchpoint--call
     "applyEdits" (list :text text :atomic "edit" :dryRun t :previewed t)
     (lambda (answer)
       (let* ((edits (append (patchpoint--get answer :edits) nil))
              (fit (seq-count (lambda (edit)
                                (member (patchpoint--get edit :status) '("matched" "alreadyApplied")))
                              edits))
              (files (append (patchpoint--get answer :files) nil)))
         (when files
           (patchpoint-review-of-answer answer text source))
         (message "Patchpoint: %s" (if edits
                                       (format "%d of %s fit%s" fit (patchpoint--count (length edits) "edit")
                                               (if files "; C-c C-c applies them" ""))
                                     "no edits found in the text")))))))

;;;###autoload
(defun patchpoint-preview-response (start end)
  "Show what the answer between START and END of a chat would change.
That is a function for `gptel-post-response-functions'.  An answer without a
block of code is let be."
  (when (save-excursion
          (goto-char start)
          (re-search-forward "^[ \t]*\\(?:```\\|~~~\\)" end t))
    (let ((text (buffer-substring-no-properties start end))
          (served (patchpoint--served-buffer)))
      (if served
          (with-current-buffer served (patchpoint-preview text))
        (message "Patchpoint: open a file of the project to see what the answer would change")))))

(defun patchpoint--served-buffer ()
  "Return a buffer that has a server: this one, or one with a file of its project."
  (let* ((project (project-current))
         (root (if project (project-root project) default-directory)))
    (seq-find (lambda (buffer)
                (with-current-buffer buffer
                  (and (or (bound-and-true-p eglot--managed-mode) (bound-and-true-p lsp-mode))
                       (or (not buffer-file-name) (file-in-directory-p buffer-file-name root)))))
              (cons (current-buffer) (buffer-list)))))

(defun patchpoint--show-diff (name files source &optional reversed)
  "Show the differences of FILES, of a result, in a buffer called after NAME.
They are of the server of the buffer SOURCE.  With REVERSED, show them the other
way round.  Return the buffer."
  (let ((buffer (get-buffer-create (format "*Patchpoint %s*" name))))
    (with-current-buffer buffer
      (let ((inhibit-read-only t))
        (erase-buffer)
        (dolist (file files)
          (insert (patchpoint--get file :diff)))
        (diff-mode)
        (when reversed
          (diff-reverse-direction (point-min) (point-max)))
        (goto-char (point-min)))
      (set-buffer-modified-p nil)
      (setq buffer-read-only t
            patchpoint--source source))
    (display-buffer buffer)
    buffer))

;;;###autoload
(defun patchpoint-copy-instructions ()
  "Copy what to say to a model so that it answers with edits that can be applied."
  (interactive)
  (patchpoint--call "modelInstructions" nil
                    (lambda (answer)
                      (kill-new (patchpoint--get answer :text))
                      (message "Patchpoint: instructions for the model copied; paste them into the chat"))))

;;;###autoload
(defun patchpoint-copy-feedback ()
  "Copy what to send back to the model about the edits that wait."
  (interactive)
  (patchpoint--call "listPendingEdits" nil
                    (lambda (answer)
                      (let ((text (patchpoint--get answer :feedback)))
                        (if (string-empty-p text)
                            (message "Patchpoint: no pending edits")
                          (kill-new text)
                          (message "Patchpoint: feedback for the model copied; paste it into the chat"))))))

;;;###autoload
(defun patchpoint-take-checkpoint (label)
  "Record the working tree under LABEL."
  (interactive "sLabel: ")
  (patchpoint--call "takeCheckpoint" (list :label label)
                    (lambda (answer)
                      (message "Patchpoint: checkpoint %s of %d files"
                               (patchpoint--get answer :id) (patchpoint--get answer :files)))))

(defun patchpoint--with-checkpoint (prompt then)
  "Let the person choose a checkpoint after PROMPT, and call THEN with its id."
  (patchpoint--call
   "listCheckpoints" nil
   (lambda (answer)
     (let ((checkpoints (append (patchpoint--get answer :checkpoints) nil)))
       (if checkpoints
           ;; Not in the process filter, because it asks the person.
           (run-at-time 0 nil (lambda (source)
                                (with-current-buffer source
                                  (funcall then (patchpoint--choose-checkpoint prompt checkpoints))))
                        (current-buffer))
         (message "Patchpoint: no checkpoints yet"))))))

(defun patchpoint--choose-checkpoint (prompt checkpoints)
  "Let the person choose one of CHECKPOINTS after PROMPT; return its id."
  (let ((choices (mapcar (lambda (checkpoint)
                           (cons (format "%s  %s  %s"
                                         (format-time-string
                                          "%F %T" (date-to-time (patchpoint--get checkpoint :createdAt)))
                                         (patchpoint--get checkpoint :kind)
                                         (or (patchpoint--value (patchpoint--get checkpoint :label)) ""))
                                 (patchpoint--get checkpoint :id)))
                         checkpoints)))
    (cdr (assoc (completing-read prompt choices nil t) choices))))

;;;###autoload
(defun patchpoint-diff ()
  "Choose a checkpoint, and show what has changed since."
  (interactive)
  (let ((source (current-buffer)))
    (patchpoint--with-checkpoint
     "Compare with: "
     (lambda (checkpoint)
       (patchpoint--call "diffCheckpoint" (list :checkpoint checkpoint)
                         (lambda (answer)
                           (let ((files (append (patchpoint--get answer :files) nil)))
                             (if files
                                 (patchpoint--show-diff "diff" files source)
                               (message "Patchpoint: nothing has changed since that checkpoint")))))))))

;;;###autoload
(defun patchpoint-rename-checkpoint ()
  "Choose a checkpoint, and give it another name."
  (interactive)
  (patchpoint--with-checkpoint
   "Rename: "
   (lambda (checkpoint)
     (let ((label (read-string "New name: ")))
       (unless (string-empty-p label)
         (patchpoint--call "renameCheckpoint" (list :checkpoint checkpoint :label label)
                           (lambda (answer)
                             (message "Patchpoint: checkpoint %s renamed to “%s”"
                                      (patchpoint--get answer :id) (patchpoint--get answer :label)))))))))

;;;###autoload
(defun patchpoint-pin-checkpoint (unpin)
  "Choose a checkpoint, and keep it until somebody deletes it.
With a prefix argument UNPIN, keep it no longer than others."
  (interactive "P")
  (patchpoint--with-checkpoint
   (if unpin "Unpin: " "Pin: ")
   (lambda (checkpoint)
     (patchpoint--call "renameCheckpoint" (list :checkpoint checkpoint :pinned (if unpin :json-false t))
                       (lambda (answer)
                         (message "Patchpoint: checkpoint %s %s" (patchpoint--get answer :id)
                                  (if unpin "is no longer pinned" "is kept until it is deleted")))))))

;;;###autoload
(defun patchpoint-restore ()
  "Choose a checkpoint, see what would change, and go back to it.
\\[patchpoint-undo-restore] undoes that."
  (interactive)
  (let ((source (current-buffer)))
    (patchpoint--with-checkpoint
     "Restore: "
     (lambda (checkpoint)
       (patchpoint--call "diffCheckpoint" (list :checkpoint checkpoint)
                         (lambda (answer)
                           (let ((files (append (patchpoint--get answer :files) nil)))
                             (if files
                                 (run-at-time 0 nil #'patchpoint--confirm-restore checkpoint files source)
                               (message "Patchpoint: nothing has changed since that checkpoint")))))))))

(defun patchpoint--confirm-restore (checkpoint files source)
  "Show what restoring CHECKPOINT would change in FILES, ask, and do it.
SOURCE is the buffer whose server is asked."
  (let ((shown (patchpoint--show-diff "restore" files source t)))
    (unwind-protect
        (when (yes-or-no-p (format "Restore %s as shown? " (patchpoint--count (length files) "file")))
          (with-current-buffer source
            (patchpoint--call "restoreCheckpoint" (list :checkpoint checkpoint) #'patchpoint--report-restore)))
      (when (buffer-live-p shown)
        (quit-windows-on shown t)))))

;;;###autoload
(defun patchpoint-take-back ()
  "Choose what was applied, now or in an earlier session, and revert it.
Its files may have changed since."
  (interactive)
  (patchpoint--call
   "listApplications" nil
   (lambda (answer)
     (let ((left (seq-remove (lambda (one) (or (patchpoint--value (patchpoint--get one :revertedAt))
                                               (patchpoint--value (patchpoint--get one :reverts))))
                             (append (patchpoint--get answer :applications) nil))))
       (if left
           ;; Not in the process filter, because it asks the person.
           (run-at-time 0 nil (lambda (source)
                                (with-current-buffer source (patchpoint--choose-and-take-back left)))
                        (current-buffer))
         (message "Patchpoint: nothing left to revert"))))))

(defun patchpoint--choose-and-take-back (applications)
  "Let the person choose one of APPLICATIONS, and revert it."
  (let* ((choices (mapcar (lambda (one)
                            (cons (format "answer of %s, %s in %s"
                                          (format-time-string "%F %T" (date-to-time (patchpoint--get one :createdAt)))
                                          (patchpoint--count (length (patchpoint--get one :edits)) "edit")
                                          (patchpoint--count (length (patchpoint--get one :files)) "file"))
                                  (patchpoint--get one :id)))
                          applications))
         (choice (completing-read "Revert: " choices nil t)))
    (patchpoint--call "revertEdits" (list :application (cdr (assoc choice choices)))
                      #'patchpoint--report-edits)))

;;;###autoload
(defun patchpoint-undo-restore ()
  "Undo the last restore."
  (interactive)
  (patchpoint--call "undoRestore" nil #'patchpoint--report-restore))

;;;###autoload
(defun patchpoint-discard-all ()
  "Discard all pending edits, after a question."
  (interactive)
  (patchpoint--call
   "listPendingEdits" nil
   (lambda (answer)
     (let ((count (length (patchpoint--get answer :edits))))
       (if (zerop count)
           (message "Patchpoint: no pending edits")
         (run-at-time 0 nil #'patchpoint--confirm-discard count (current-buffer)))))))

(defun patchpoint--confirm-discard (count source)
  "Ask whether to discard COUNT pending edits of the server of the buffer SOURCE."
  (when (yes-or-no-p (format "Discard %s? " (patchpoint--count count "pending edit")))
    (with-current-buffer source
      (patchpoint--call "discardEdit" (list :all t)
                        (lambda (answer)
                          (message "Patchpoint: %s discarded"
                                   (patchpoint--count (length (patchpoint--get answer :discarded))
                                                      "pending edit")))))))

;;;###autoload
(autoload 'patchpoint-pending "patchpoint-pending" "List the edits that could not be applied." t)

;;;###autoload
(autoload 'patchpoint-review "patchpoint-review" "List what was written since a checkpoint, change by change." t)

(provide 'patchpoint)
;;; patchpoint.el ends here
