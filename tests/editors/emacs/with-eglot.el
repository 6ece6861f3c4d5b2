;;; Eglot, set up as docs/editors/emacs.md says.  -*- lexical-binding: t -*-

(load (expand-file-name "acting" (file-name-directory load-file-name)))
(require 'eglot)

(setq eglot-sync-connect 20
      eglot-autoreconnect nil
      eglot-confirm-server-initiated-edits nil
      eglot-send-changes-idle-time 0.05)

(add-to-list 'eglot-server-programs '((prog-mode text-mode) . ("patchpoint")))

(defun open-file (path)
  "Visit PATH and let eglot manage it."
  (let ((buffer (find-file-noselect path)))
    (with-current-buffer buffer
      (unless (eglot-current-server)
        (apply #'eglot--connect (eglot--guess-contact)))
      (eglot--maybe-activate-editing-mode)
      (await (format "eglot at %s" path) (lambda () (bound-and-true-p eglot--managed-mode))))
    buffer))

(defun call (server name &rest arguments)
  "Run the command NAME of SERVER with the plist ARGUMENTS, and do nothing else until it has answered."
  (eglot-execute-command server name (vector (or arguments (make-hash-table)))))

(defun command (name &rest arguments)
  "Run the command NAME of this buffer's server with the plist ARGUMENTS."
  (apply #'call (eglot-current-server) (intern (concat "patchpoint." name)) arguments))

(defun server-process ()
  "The process that is this buffer's server, if it has one."
  (let ((server (eglot-current-server)))
    (and server (jsonrpc--process server))))

(defun execute (server action)
  "Do what a code ACTION says, as `eglot-code-actions' does when a person picks it."
  (let ((edit (plist-get action :edit)) (command (plist-get action :command)))
    (when edit (eglot--apply-workspace-edit edit))
    (cond ((stringp command) (eglot-execute-command server (intern command) (plist-get action :arguments)))
          (command (eglot-execute-command server (intern (plist-get command :command))
                                          (plist-get command :arguments))))))

(defun choose (buffer title)
  "Do what the code action says that has TITLE in its own, at the first diagnostic of BUFFER.
Answers the titles of all that were offered there."
  (with-current-buffer buffer
    (let* ((diagnostic (car (flymake-diagnostics)))
           (actions (append (eglot-code-actions (flymake-diagnostic-beg diagnostic)
                                                (flymake-diagnostic-end diagnostic)) nil))
           (titles (mapcar (lambda (action) (plist-get action :title)) actions))
           (chosen (seq-find (lambda (action) (string-match-p title (plist-get action :title))) actions)))
      (unless chosen
        (message "no action with %s in %S" title titles)
        (kill-emacs 1))
      (execute (eglot-current-server) chosen)
      (vconcat titles))))
