;;; What a chat such as gptel calls once an answer has come, in a buffer that has no server.  -*- lexical-binding: t -*-

(load (expand-file-name (getenv "CLIENT") (file-name-directory load-file-name)))

(let* ((tax (open-file "till/tax.py"))
       (before (text-of tax))
       (chat (get-buffer-create "*chat*"))
       (answer (concat "till/tax.py\n```python\n<<<<<<< SEARCH\nfrom decimal import Decimal\n=======\n"
                       "from decimal import ROUND_HALF_UP, Decimal\n>>>>>>> REPLACE\n```\n"))
       (seen nil))
  (with-current-buffer chat
    (setq default-directory (file-name-directory (directory-file-name (file-name-directory (buffer-file-name tax)))))
    (insert "You: is it fine?\n\nIt is fine as it is.\n")
    (patchpoint-preview-response (point-min) (point-max))
    (setq seen (list :nothing (if (seq-find (lambda (one) (string-prefix-p "Patchpoint" one)) shown-messages)
                                  :json-false t)))
    (let ((start (point-max)))
      (goto-char start)
      (insert answer)
      (patchpoint-preview-response start (point-max))))
  (setq seen (append seen (list :said (await-message "C-c C-c applies them"))))
  (setq seen (append seen (list :shown (text-of (get-buffer "*Patchpoint Preview*"))
                                :untouched (if (equal before (text-of tax)) t :json-false))))
  (with-current-buffer chat
    (setq default-directory temporary-file-directory)
    (patchpoint-preview-response (point-min) (point-max)))
  (setq seen (append seen (list :elsewhere (await-message "open a file of the project"))))
  (end-having seen))
