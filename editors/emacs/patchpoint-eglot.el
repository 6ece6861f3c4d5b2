;;; patchpoint-eglot.el --- Patchpoint in eglot  -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9") (patchpoint "0.1.0"))
;; Keywords: tools, convenience

;;; Commentary:

;; Has eglot send changes of buffers at once after an edit that the server made, and before each command.  Eglot waits until
;; Emacs is idle, which it is not while a command runs, and the server would take the buffers for unchanged.  `patchpoint'
;; loads this as soon as eglot manages a buffer.

;;; Code:

(require 'eglot)

(defun patchpoint-eglot--send-changes (&rest _)
  "Bring the server up to date about all buffers."
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (bound-and-true-p eglot--managed-mode)
        (eglot--signal-textDocument/didChange)))))

(advice-add 'eglot--apply-workspace-edit :after #'patchpoint-eglot--send-changes)

(provide 'patchpoint-eglot)
;;; patchpoint-eglot.el ends here
