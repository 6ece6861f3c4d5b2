;;; Looking before something is done: previews, differences, pending edits, questions.  -*- lexical-binding: t -*-

(load (expand-file-name (getenv "CLIENT") (file-name-directory load-file-name)))

(defvar wanted nil
  "The label of the checkpoint to choose.")

(setq completing-read-function
      (lambda (_prompt choices &rest _)
        (car (seq-find (lambda (choice) (string-match-p wanted (car choice))) choices))))

(defun forget ()
  "Forget the messages and questions so far."
  (setq shown-messages nil questions nil))

(defun rows ()
  "The rows of the list of pending edits."
  (with-current-buffer "*Patchpoint Pending*"
    (mapcar (lambda (entry) (string-join (append (cadr entry) nil) " ")) tabulated-list-entries)))

(let* ((tax (open-file "till/tax.py"))
       (basket (open-file "till/basket.py"))
       (before (text-of tax))
       (answer (text-of-file (getenv "ANSWER")))
       (seen nil))
  (cl-flet ((note (key value) (setq seen (plist-put seen key value))))
    (set-buffer tax)
    (patchpoint-take-checkpoint "the beginning")
    (await-message "checkpoint")
    (setq wanted "the beginning")
    (fset 'read-string (lambda (&rest _) "where it began"))
    (patchpoint-rename-checkpoint)
    (note :renamed (await-message "renamed to"))
    (setq wanted "where it began")
    (patchpoint-pin-checkpoint nil)
    (await-message "is kept until it is deleted")
    (patchpoint-pin-checkpoint t)
    (await-message "is no longer pinned")
    (forget)
    (patchpoint-restore)
    (note :nothing (await-message "nothing has changed"))
    (note :askedForNothing (length questions))
    (forget)
    (patchpoint-diff)
    (await-message "nothing has changed")

    ;; Prose has no edit; an answer is seen before anything happens to it.
    (kill-new "It is fine as it is.")
    (patchpoint-preview-kill)
    (note :prose (await-message "no edits found"))
    (kill-new answer)
    (patchpoint-preview-kill)
    (note :preview (await-message "C-c C-c applies them"))
    (note :previewed (text-of (get-buffer "*Patchpoint Preview*")))
    (note :untouched (if (equal before (text-of tax)) t :json-false))

    ;; What was shown is no longer what would happen: that is said, and shown.
    (with-current-buffer basket
      (goto-char (point-min))
      (insert "# typed by the person\n")
      (save-buffer))
    (forget)
    (with-current-buffer "*Patchpoint Preview*" (patchpoint-review-apply))
    (note :outdated (await-message "changed since the preview"))
    (await "the preview of what would change now"
           (lambda () (string-match-p "line 21" (text-of (get-buffer "*Patchpoint Preview*")))))
    (note :notApplied (if (contains basket "if count < 1:") :json-false t))
    (forget)
    (with-current-buffer "*Patchpoint Preview*" (patchpoint-review-apply))
    (note :applied (await-message "edits applied"))
    (await "the indented edit in the buffer" (lambda () (contains basket "if count < 1:")))
    (note :previewClosed (if (get-buffer "*Patchpoint Preview*") :json-false t))
    (save-some-buffers t)

    ;; What waits is listed, applied at a place, and discarded.
    (set-buffer tax)
    (patchpoint-pending)
    (await "three rows" (lambda () (and (get-buffer "*Patchpoint Pending*") (= 3 (length (rows))))))
    (note :pending (vconcat (rows)))
    (with-current-buffer "*Patchpoint Pending*"
      (goto-char (point-min))
      (while (not (equal 16 (plist-get (tabulated-list-get-id) :line)))
        (forward-line 1))
      (patchpoint-pending-apply))
    (await "the edit at its second place" (lambda () (contains tax "ROUND_HALF_UP)")))
    (await "one row" (lambda () (= 1 (length (rows)))))
    (save-some-buffers t)
    (note :chosen (text-of tax))
    (set-buffer tax)
    (forget)
    (setq answer-to-questions nil)
    (patchpoint-discard-all)
    (await "the question" (lambda () questions))
    (note :discardQuestion (caar questions))
    (setq answer-to-questions t)
    (patchpoint-discard-all)
    (note :discarded (await-message "discarded"))
    (set-buffer tax)
    (forget)
    (patchpoint-discard-all)
    (await-message "no pending edits")

    ;; A restore is shown the way that it goes, and asked about.
    (set-buffer tax)
    (patchpoint-diff)
    (await "the difference" (lambda () (get-buffer "*Patchpoint diff*")))
    (note :diff (text-of (get-buffer "*Patchpoint diff*")))
    (forget)
    (setq answer-to-questions nil)
    (patchpoint-restore)
    (await "the question" (lambda () questions))
    (note :question (caar questions))
    (note :restoreShown (cadar questions))
    (note :left (if (contains tax "ROUND_HALF_UP)") t :json-false))
    (setq answer-to-questions t)
    (patchpoint-restore)
    (await-message "restored")
    (await "the text at the beginning" (lambda () (equal before (text-of tax)))))
  (end-having seen))
