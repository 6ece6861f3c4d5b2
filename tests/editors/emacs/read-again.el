;;; A restore where Emacs does not read files again by itself.  -*- lexical-binding: t -*-

(load (expand-file-name (getenv "CLIENT") (file-name-directory load-file-name)))
(global-auto-revert-mode -1)

(let* ((tax (open-file "till/tax.py"))
       (before (text-of tax))
       checkpoint)
  (set-buffer tax)
  (patchpoint-take-checkpoint "before")
  (setq checkpoint (await-message "Patchpoint: checkpoint"))
  (goto-char (point-min))
  (insert "# saved\n")
  (save-buffer)
  (string-match "checkpoint \\([^ ]+\\)" checkpoint)
  (patchpoint--call "restoreCheckpoint" (list :checkpoint (match-string 1 checkpoint)) #'patchpoint--report-restore)
  (await-message "Patchpoint: restored")
  (end-having (list :same (if (equal before (text-of tax)) t :json-false)
                    :modified (if (buffer-modified-p tax) t :json-false))))
