;;; lsp-patchpoint.el --- Patchpoint in lsp-mode  -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (lsp-mode "9.0.0") (patchpoint "0.1.0"))
;; Keywords: tools, convenience

;;; Commentary:

;; (require 'lsp-patchpoint) has lsp-mode run Patchpoint in addition to any other server of a buffer.

;;; Code:

(require 'lsp-mode)
(require 'patchpoint)

(defcustom lsp-patchpoint-command '("patchpoint")
  "The server's program and its arguments."
  :type '(repeat string)
  :group 'lsp-mode)

(lsp-register-client
 (make-lsp-client
  :new-connection (lsp-stdio-connection (lambda () lsp-patchpoint-command))
  :activation-fn (lambda (&rest _) t)
  :add-on? t
  :server-id 'patchpoint
  ;; The caller of a command has its result; these notifications are for other listeners.
  :notification-handlers (ht ("patchpoint/didApplyEdits" #'ignore)
                             ("patchpoint/didTakeCheckpoint" #'ignore)
                             ("patchpoint/didRestoreCheckpoint" #'ignore)
                             ("patchpoint/didChangePendingEdits" #'ignore)
                             ("patchpoint/didChangeReview" #'ignore)
                             ("patchpoint/didFindFirstChange" #'ignore))))

(provide 'lsp-patchpoint)
;;; lsp-patchpoint.el ends here
