;;; Edits at the ends of files, all of which are visited: chosen, applied, taken back, restored, undone.  -*- lexical-binding: t -*-
;; After each step the text of every buffer, and what is on the disk, before it is saved.

(load (expand-file-name (getenv "CLIENT") (file-name-directory load-file-name)))

;; What has no ending after its last line stays so.
(setq mode-require-final-newline nil)

(defvar given (json-parse-string (text-of-file (getenv "GIVEN")) :object-type 'hash-table :array-type 'list)
  "The files, the places to choose, and the text that each step leads to.")

(defvar buffers (mapcar (lambda (name) (cons name (open-file name))) (gethash "files" given))
  "The buffers, by the names of their files.")

(defvar seen nil
  "What was seen, step by step.")

(defun bytes-of (path)
  "The bytes of the file PATH."
  (with-temp-buffer (set-buffer-multibyte nil) (insert-file-contents-literally path) (buffer-string)))

(defun shown-in (buffer)
  "The text of BUFFER with the endings that it is saved with."
  (with-current-buffer buffer
    (if (eq 1 (coding-system-eol-type buffer-file-coding-system))
        (replace-regexp-in-string "\n" "\r\n" (text-of buffer))
      (text-of buffer))))

(defun note (step)
  "Wait until the buffers show what STEP leads to, and note what they show in the end."
  (let ((wanted (gethash step (gethash "shown" given)))
        (deadline (+ (float-time) 10)))
    (while (and (< (float-time) deadline)
                (seq-some (lambda (one) (not (equal (text-of (cdr one)) (gethash (car one) wanted)))) buffers))
      (accept-process-output nil 0.02)))
  (let ((states (make-hash-table :test #'equal)))
    (dolist (one buffers)
      (puthash (car one) (list :shown (shown-in (cdr one)) :disk (bytes-of (car one))) states))
    (setq seen (plist-put seen (intern (concat ":" step)) states)))
  (flush))

(defun flush ()
  "Send the server what was changed, as Emacs does when it has nothing else to do."
  (dolist (one buffers)
    (with-current-buffer (cdr one)
      (when (bound-and-true-p eglot--managed-mode)
        (eglot--signal-textDocument/didChange)))))

(defun save ()
  "Save all buffers."
  (save-some-buffers t)
  (flush))

(defun value-in (answer &rest path)
  "The value in ANSWER at PATH, whatever the client makes objects of."
  (dolist (key path answer)
    (setq answer (if (hash-table-p answer)
                     (gethash (substring (symbol-name key) 1) answer)
                   (plist-get answer key)))))

(defun edits-of (answer)
  "The outcomes in ANSWER, as a list."
  (append (value-in answer :edits) nil))

(defun statuses (answer)
  "The statuses of the outcomes in ANSWER."
  (vconcat (mapcar (lambda (edit) (value-in edit :status)) (edits-of answer))))

(set-buffer (cdar buffers))
(let* ((first (command "takeCheckpoint" :label "before"))
       (twice (command "applyEdits" :text (text-of-file "twice.md") :atomic "edit"))
       (applications nil)
       once second)
  (setq seen (plist-put seen :twice (statuses twice)))
  (dolist (edit (edits-of twice))
    (let ((place (gethash (file-name-nondirectory (value-in edit :uri)) (gethash "candidates" given))))
      (push (value-in (command "resolveEdit" :edit (value-in edit :id) :candidate place) :application) applications)))
  (note "resolved")
  (save)
  (setq once (command "applyEdits" :text (text-of-file "once.md") :atomic "all"))
  (setq seen (plist-put seen :once (statuses once)))
  (note "applied")
  (save)
  (setq second (command "takeCheckpoint" :label "after"))
  (dolist (application (cons (value-in once :application) applications))
    (command "revertEdits" :application application)
    (flush))
  (note "taken back")
  (save)
  (command "restoreCheckpoint" :checkpoint (value-in second :id))
  (note "restored after")
  (command "undoRestore")
  (note "undone after")
  ;; Nothing is left for this one to do, and so nothing to be undone.
  (command "restoreCheckpoint" :checkpoint (value-in first :id))
  (note "restored before"))
(setq seen (plist-put seen :messages (vconcat (reverse shown-messages))))
(end-having seen)
