;;; A command right after a change, while Emacs is not idle: from Lisp, as from a keyboard macro.  -*- lexical-binding: t -*-

(load (expand-file-name (getenv "CLIENT") (file-name-directory load-file-name)))

(let* ((tax (open-file "till/tax.py"))
       (seen nil))
  (set-buffer tax)
  ;; Nothing is sent before Emacs is idle, which it will not be for long.
  (setq eglot-send-changes-idle-time 1000)
  (goto-char (point-min))
  (insert "# typed\n")
  (patchpoint-take-checkpoint "with what was typed")
  (setq seen (list :taken (await-message "Patchpoint: checkpoint")))
  (undo-boundary)
  (delete-region (point-min) (line-beginning-position 2))
  (set-buffer-modified-p nil)
  (let ((checkpoint (progn (string-match "checkpoint \\([^ ]+\\)" (plist-get seen :taken))
                           (match-string 1 (plist-get seen :taken)))))
    (patchpoint--call "restoreCheckpoint" (list :checkpoint checkpoint) #'patchpoint--report-restore))
  (await-message "Patchpoint: restored")
  (await "the text that was not saved" (lambda () (contains tax "# typed")))
  (setq seen (plist-put seen :text (text-of tax)))
  (set-buffer-modified-p nil)
  (end-having seen))
