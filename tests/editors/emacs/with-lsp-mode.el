;;; lsp-mode, set up as docs/editors/emacs.md says.  -*- lexical-binding: t -*-

(load (expand-file-name "acting" (file-name-directory load-file-name)))

;; Packages that were unpacked and not installed.
(dolist (folder (directory-files (getenv "LISP") t "\\`[a-z]"))
  (add-to-list 'load-path folder))
(load "lsp-mode-autoloads")
(require 'lsp-patchpoint)

(setq lsp-client-packages nil ; those of a hundred other servers
      lsp-auto-guess-root t
      lsp-diagnostics-provider :flymake
      lsp-restart 'ignore)

(defun open-file (path)
  "Visit PATH and let lsp-mode manage it."
  (let ((buffer (find-file-noselect path)))
    (with-current-buffer buffer
      (lsp)
      (await (format "lsp-mode at %s" path)
             (lambda () (seq-some (lambda (one) (eq 'initialized (lsp--workspace-status one))) (lsp-workspaces)))))
    buffer))

(defun command (name &rest arguments)
  "Run the command NAME of this buffer's server with the plist ARGUMENTS."
  (lsp-workspace-command-execute (concat "patchpoint." name) (vector (or arguments (make-hash-table)))))

(defun server-process ()
  "The process that is this buffer's server, if it has one."
  (let ((server (car (lsp-workspaces))))
    (and server (lsp--workspace-cmd-proc server))))

(defun choose (buffer title)
  "Do what the code action says that has TITLE in its own, at the first diagnostic of BUFFER.
Answers the titles of all that were offered there."
  (with-current-buffer buffer
    (goto-char (flymake-diagnostic-beg (car (flymake-diagnostics))))
    (let ((actions (append (lsp-code-actions-at-point) nil)))
      (lsp-execute-code-action
       (seq-find (lambda (action) (string-match-p title (lsp-get action :title))) actions))
      (vconcat (mapcar (lambda (action) (lsp-get action :title)) actions)))))
