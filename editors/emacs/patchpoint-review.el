;;; patchpoint-review.el --- Review what was written since a checkpoint  -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Keywords: tools, convenience

;;; Commentary:

;; M-x patchpoint-review lists what was written since the newest turn of an agent, change by change.  In the list, RET
;; shows a change, k keeps it, t reverts it, o asks about it again, g looks at the files again, and f ends the review
;; and copies a summary for the model.

;;; Code:

(require 'patchpoint)
(require 'seq)
(require 'subr-x)
(require 'tabulated-list)

(defvar-local patchpoint-review--id nil
  "The id of the review.")
(defvar-local patchpoint-review--files nil
  "The files of the review, an alist by URI.")

(defvar patchpoint-review-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'patchpoint-review-show)
    (define-key map "k" #'patchpoint-review-keep)
    (define-key map "t" #'patchpoint-review-take-back)
    (define-key map "o" #'patchpoint-review-open)
    (define-key map "f" #'patchpoint-review-finish)
    map)
  "The keys of the list of changes.")

(define-derived-mode patchpoint-review-mode tabulated-list-mode "Patchpoint Review"
  "The changes since a checkpoint, each to be kept or reverted.

\\{patchpoint-review-mode-map}"
  (setq tabulated-list-format [("File" 32 nil) ("Line" 6 nil) ("Change" 16 nil) ("Decision" 10 nil)]
        tabulated-list-padding 1)
  (setq-local revert-buffer-function (lambda (&rest _) (patchpoint-review--look-again)))
  (tabulated-list-init-header))

(defun patchpoint-review--list (value)
  "Return VALUE, a sequence from JSON, as a list."
  (append value nil))

(defun patchpoint-review--size (hunk)
  "Return how many lines HUNK removes and adds, as text."
  (let ((removed 0) (added 0))
    (dolist (line (split-string (patchpoint--get hunk :diff) "\n"))
      (cond ((string-match-p "\\`\\(---\\|\\+\\+\\+\\) " line))
            ((string-prefix-p "-" line) (setq removed (1+ removed)))
            ((string-prefix-p "+" line) (setq added (1+ added)))))
    (format "-%d +%d" removed added)))

(defun patchpoint-review--line (hunk)
  "Return the line of HUNK, from 1; nil for a file as a whole."
  (let ((range (patchpoint--get hunk :range)))
    (when (and range (not (eq range :null)))
      (1+ (patchpoint--get (patchpoint--get range :start) :line)))))

(defun patchpoint-review--print ()
  "Print the list of changes again.
Point stays at its change or, where that has gone, at the one that took its
place."
  (let ((change (nth 1 (tabulated-list-get-id)))
        (row (line-number-at-pos)))
    (patchpoint-review--print-rows)
    (goto-char (point-min))
    (while (not (or (eobp) (equal change (nth 1 (tabulated-list-get-id)))))
      (forward-line 1))
    (when (eobp)
      (goto-char (point-min))
      (forward-line (1- (min row (length tabulated-list-entries)))))
    (dolist (window (get-buffer-window-list nil nil t))
      (set-window-point window (point)))))

(defun patchpoint-review--print-rows ()
  "Print the list of changes."
  (setq tabulated-list-entries
        (mapcan
         (lambda (entry)
           (mapcar
            (lambda (hunk)
              (let ((line (patchpoint-review--line hunk))
                    (path (patchpoint--path (car entry))))
                (list (list (car entry) (patchpoint--get hunk :id) line)
                      (vector (file-name-nondirectory path)
                              (if line (number-to-string line) "")
                              (if line (patchpoint-review--size hunk)
                                (format "file %sd" (patchpoint--get (cdr entry) :operation)))
                              (pcase (patchpoint--get hunk :decision) ("keep" "kept") (_ "open"))))))
            (patchpoint-review--list (patchpoint--get (cdr entry) :hunks))))
         patchpoint-review--files))
  (tabulated-list-print))

(defun patchpoint-review--receive (review source)
  "Show REVIEW, the result of a command, asked for in the buffer SOURCE."
  (let ((buffer (get-buffer-create "*Patchpoint Review*")))
    (with-current-buffer buffer
      (unless (derived-mode-p 'patchpoint-review-mode)
        (patchpoint-review-mode))
      (setq patchpoint--source source
            patchpoint-review--id (patchpoint--get review :review)
            patchpoint-review--files
            (mapcar (lambda (file) (cons (patchpoint--get file :uri) file))
                    (patchpoint-review--list (patchpoint--get review :files))))
      (patchpoint-review--print)
      (unless tabulated-list-entries
        (message "Patchpoint: nothing has changed")))
    buffer))

(defun patchpoint-review--call (name arguments then)
  "Call the server's command NAME with ARGUMENTS, then THEN in this list."
  (let ((list (current-buffer)))
    (patchpoint--call-there name arguments
                            (lambda (answer)
                              (when (buffer-live-p list)
                                (with-current-buffer list (funcall then answer)))))))

(defun patchpoint-review--look-again ()
  "Ask the server for the review again."
  (let ((source patchpoint--source))
    (patchpoint-review--call "reviewChanges" (list :since patchpoint-review--id)
                             (lambda (review) (patchpoint-review--receive review source)))))

;;;###autoload
(defun patchpoint-review (&optional since)
  "List what was written since the newest turn of an agent, change by change.
With a prefix argument, ask for the checkpoint SINCE which to review.  A review
that is not finished goes on."
  (interactive (list (and current-prefix-arg (read-string "Since checkpoint: " "last"))))
  (let ((source (current-buffer)))
    (patchpoint--call "reviewChanges" (and since (list :since since))
                      (lambda (review) (pop-to-buffer (patchpoint-review--receive review source))))))

(defun patchpoint-review--decide (decision &optional reason)
  "Make DECISION about the change at point, for REASON."
  (let* ((change (or (tabulated-list-get-id) (user-error "No change here")))
         (arguments (list :review patchpoint-review--id :hunk (nth 1 change) :decision decision)))
    (patchpoint-review--call
     "reviewHunk" (if (string-empty-p (or reason "")) arguments (append arguments (list :reason reason)))
     (lambda (file)
       (setf (alist-get (car change) patchpoint-review--files nil nil #'equal) file)
       (patchpoint-review--print)))
    (when (equal decision "keep")
      (forward-line 1))))

(defun patchpoint-review-keep ()
  "Keep the change at point."
  (interactive)
  (patchpoint-review--decide "keep"))

(defun patchpoint-review-take-back (reason)
  "Revert the change at point, for REASON.
The summary for the model has the reason.  In a buffer that visits the file, it
is to be saved; other files are written."
  (interactive "sWhy, for the model (may be empty): ")
  (patchpoint-review--decide "takeBack" reason))

(defun patchpoint-review-open ()
  "Decide again about the change at point."
  (interactive)
  (patchpoint-review--decide "open"))

(defun patchpoint-review-show ()
  "Show the change at point in its file."
  (interactive)
  (let ((change (or (tabulated-list-get-id) (user-error "No change here"))))
    (find-file-other-window (patchpoint--path (car change)))
    (goto-char (point-min))
    (forward-line (1- (or (nth 2 change) 1)))))

(defun patchpoint-review-finish ()
  "End the review, and copy a summary for the model.
Ask first where a file of it is not saved."
  (interactive)
  (let ((list (current-buffer)))
    (patchpoint-review--call
     "finishReview" (list :review patchpoint-review--id :dryRun t)
     (lambda (answer)
       (let ((unsaved (mapcar #'patchpoint--path (patchpoint-review--list (patchpoint--get answer :unsaved)))))
         (if unsaved
             ;; Not in the process filter, because it asks the person.
             (run-at-time 0 nil #'patchpoint-review--save-and-finish list unsaved)
           (patchpoint-review--finish)))))))

(defun patchpoint-review--save-and-finish (list unsaved)
  "Ask whether to save the files UNSAVED, and end the review that LIST shows."
  (let ((choice (read-multiple-choice
                 (format "Not saved: %s.  Finish?" (mapconcat #'file-name-nondirectory unsaved ", "))
                 '((?s "save and finish") (?f "finish") (?g "go on with the review")))))
    (when (eq (car choice) ?s)
      (dolist (path unsaved)
        (let ((buffer (find-buffer-visiting path)))
          (when buffer
            (with-current-buffer buffer (save-buffer))))))
    (when (and (memq (car choice) '(?s ?f)) (buffer-live-p list))
      (with-current-buffer list
        (patchpoint-review--finish)))))

(defun patchpoint-review--finish ()
  "End the review, and copy a summary for the model."
  (patchpoint-review--call
   "finishReview" (list :review patchpoint-review--id)
   (lambda (answer)
     (kill-new (patchpoint--get answer :summary))
     (message "Patchpoint: kept %d, reverted %d, undecided %d; summary copied; paste it into the chat"
              (patchpoint--get answer :kept) (patchpoint--get answer :takenBack) (patchpoint--get answer :open))
     (kill-buffer))))

(provide 'patchpoint-review)
;;; patchpoint-review.el ends here
