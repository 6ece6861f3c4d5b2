;;; patchpoint-review.el --- Changes, decided about one by one  -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Keywords: tools, convenience

;;; Commentary:

;; M-x patchpoint-review shows what was written since the newest turn of an agent, and M-x patchpoint-preview-kill what an
;; answer would change: files, and in them the changes with their text.  n and p go to the next change and the one before, TAB
;; folds, RET visits the file, k keeps a change (those in the region, or of a file on its heading), t reverts it or, in a
;; preview, drops it, o asks about it again, e compares the file with what it was in ediff, and g looks at the files again.
;; f ends a review and copies a summary for the model; C-c C-c applies what is kept of a preview.

;;; Code:

(require 'cl-lib)
(require 'diff-mode)
(require 'patchpoint)
(require 'seq)
(require 'smerge-mode)
(require 'subr-x)

(declare-function ediff-buffers "ediff")

(defconst patchpoint-review--most-lines 400
  "Lines of a change in whose lines the words that differ are looked for.")

(defvar-local patchpoint-review--id nil
  "The id of the review, or of the preview.")
(defvar-local patchpoint-review--answer nil
  "The answer that is previewed; nil in a review.")
(defvar-local patchpoint-review--numbers nil
  "How many changes of a review are open, kept and reverted.")
(defvar-local patchpoint-review--files nil
  "The files with changes, an alist by URI.")
(defvar-local patchpoint-review--folds nil
  "Whether a change is folded, an alist by id, where a person has said so.")

(defvar patchpoint-review-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'patchpoint-review-show)
    (define-key map (kbd "TAB") #'patchpoint-review-toggle)
    (define-key map "n" #'patchpoint-review-next)
    (define-key map "p" #'patchpoint-review-previous)
    (define-key map "k" #'patchpoint-review-keep)
    (define-key map "t" #'patchpoint-review-take-back)
    (define-key map "o" #'patchpoint-review-open)
    (define-key map "e" #'patchpoint-review-compare)
    (define-key map "f" #'patchpoint-review-finish)
    (define-key map (kbd "C-c C-c") #'patchpoint-review-apply)
    map)
  "The keys of the changes.")

(define-derived-mode patchpoint-review-mode special-mode "Patchpoint Review"
  "Changes, each to be kept or reverted, or dropped from a preview.

\\{patchpoint-review-mode-map}"
  (add-to-invisibility-spec '(patchpoint-review . t))
  (setq-local revert-buffer-function (lambda (&rest _) (patchpoint-review--look-again))))

(defun patchpoint-review--list (value)
  "Return VALUE, a sequence from JSON, as a list."
  (append value nil))

(defun patchpoint-review--hunks (file)
  "Return the changes of FILE."
  (patchpoint-review--list (patchpoint--get file :hunks)))

(defun patchpoint-review--line (hunk)
  "Return the line of HUNK, from 1; nil for a file as a whole.
In a preview, it is that of the file as it is, without the change."
  (let ((range (patchpoint--value (or (and patchpoint-review--answer (patchpoint--get hunk :oldRange))
                                      (patchpoint--get hunk :range)))))
    (and range (1+ (patchpoint--get (patchpoint--get range :start) :line)))))

(defun patchpoint-review--undecided-p (hunk)
  "Return whether nobody has decided about HUNK; in a preview, whether it is kept."
  (equal (patchpoint--get hunk :decision) (if patchpoint-review--answer "keep" "open")))

(defun patchpoint-review--name (uri)
  "Return the path of the file URI, below the root of its repository."
  (let* ((path (patchpoint--path uri))
         (root (locate-dominating-file path ".git")))
    (if root (file-relative-name path root) path)))

;;; The buffer.

(defun patchpoint-review--print (&optional to)
  "Print all changes again, and go to that with the id TO or, without it, stay."
  (let ((inhibit-read-only t)
        (to (or to (patchpoint--get (cdr (patchpoint-review--at)) :id)))
        (line (line-number-at-pos)))
    (remove-overlays)
    (erase-buffer)
    (insert (propertize (patchpoint-review--title) 'face 'bold) "\n")
    (setq mode-name (concat "Patchpoint " (patchpoint-review--title)))
    (dolist (entry patchpoint-review--files)
      (insert "\n" (propertize (format "%s  %s\n" (patchpoint--get (cdr entry) :operation)
                                       (mapconcat #'patchpoint-review--name
                                                  (delq nil (list (patchpoint--value (patchpoint--get (cdr entry) :oldUri))
                                                                  (car entry)))
                                                  " -> "))
                               'face 'diff-file-header 'patchpoint-file (car entry)))
      (dolist (hunk (patchpoint-review--hunks (cdr entry)))
        (patchpoint-review--insert (car entry) hunk)))
    (goto-char (point-min))
    (let ((found (and to (patchpoint-review--find to))))
      (if found
          (goto-char found)
        (forward-line (1- line))))
    (patchpoint-review--refine)
    (set-buffer-modified-p nil)
    (dolist (window (get-buffer-window-list nil nil t))
      (set-window-point window (point)))
    (patchpoint-review--reveal)))

(defun patchpoint-review--title ()
  "Return the first line of the buffer."
  (if patchpoint-review--answer
      (let* ((every (mapcan (lambda (entry) (patchpoint-review--hunks (cdr entry))) patchpoint-review--files))
             (kept (seq-count #'patchpoint-review--undecided-p every)))
        (format "Preview: %d to apply, %d dropped" kept (- (length every) kept)))
    (apply #'format "Review: %d open, %d kept, %d reverted" patchpoint-review--numbers)))

(defun patchpoint-review--insert (uri hunk)
  "Insert HUNK of the file URI: its heading, and its lines.
They are folded once it is decided."
  (let* ((start (point))
         (id (patchpoint--get hunk :id))
         (line (patchpoint-review--line hunk))
         (where (patchpoint--get hunk :where))
         (lines (seq-drop-while (lambda (one) (not (string-prefix-p "@@" one)))
                                (split-string (string-remove-suffix "\n" (patchpoint--get hunk :diff)) "\n")))
         (is-open (patchpoint-review--undecided-p hunk)))
    (insert (propertize (concat "@@ " (if line (format "line %d" line) "the file, as a whole")
                                (if (member where '(nil "")) "" (concat ", " where))
                                (if (equal (patchpoint--get hunk :risk) "unparsable") ", no longer parses" "")
                                (cond (is-open "") (patchpoint-review--answer "  dropped") (t "  kept"))
                                " @@\n")
                        'face 'diff-hunk-header))
    (let ((body (point)))
      (dolist (one (seq-remove (lambda (one) (string-prefix-p "@@" one)) lines))
        (insert (propertize (concat one "\n") 'face (pcase (and (not (string-empty-p one)) (aref one 0))
                                                      (?- 'diff-removed) (?+ 'diff-added) (_ 'diff-context)))))
      (put-text-property start (point) 'patchpoint-hunk (cons uri hunk))
      (when (> (point) body)
        (let ((overlay (make-overlay (1- body) (1- (point)) nil t)))
          (overlay-put overlay 'patchpoint-body id)
          (overlay-put overlay 'invisible
                       (and (alist-get id patchpoint-review--folds (not is-open) nil #'equal) 'patchpoint-review)))))))

(defun patchpoint-review--at (&optional position)
  "Return the URI and the change at POSITION, or at point; nil where there is none."
  (get-text-property (or position (point)) 'patchpoint-hunk))

(defun patchpoint-review--here ()
  "Return the URI and the change at point; signal an error where there is none."
  (or (patchpoint-review--at) (user-error "No change here")))

(defun patchpoint-review--places (&optional from to)
  "Return where the changes between FROM and TO begin.
With each place are the URI and the change."
  (let ((position (or from (point-min))) (to (or to (point-max))) (found nil))
    (while (< position to)
      (let ((change (patchpoint-review--at position)))
        (when change
          (push (cons position change) found)))
      (setq position (next-single-property-change position 'patchpoint-hunk nil to)))
    (nreverse found)))

(defun patchpoint-review--find (id)
  "Return where the change with this ID begins; nil where it is not."
  (car (seq-find (lambda (place) (equal id (patchpoint--get (cddr place) :id))) (patchpoint-review--places))))

(defun patchpoint-review--refine ()
  "Let the words that differ stand out in the change at point."
  (let* ((start (and (patchpoint-review--at) (patchpoint-review--find (patchpoint--get (cdr (patchpoint-review--at)) :id))))
         (end (and start (next-single-property-change start 'patchpoint-hunk nil (point-max))))
         (inhibit-read-only t))
    (when (and start (< (count-lines start end) patchpoint-review--most-lines))
      (save-excursion
        (goto-char start)
        (forward-line 1)
        (when (re-search-forward "^-" end t)
          (let ((old (line-beginning-position)) middle new)
            (while (and (< (point) end) (eq (char-after (line-beginning-position)) ?-)) (forward-line 1))
            (setq middle (point))
            (while (and (< (point) end) (eq (char-after) ?+)) (forward-line 1))
            (setq new (point))
            (when (> new middle)
              ;; It needs a program to compare with; without one, lines are enough.
              (ignore-errors
                (smerge-refine-regions old middle middle new nil #'diff-refine-preproc
                                       '((face . diff-refine-removed)) '((face . diff-refine-added)))))))))))

(defun patchpoint-review--reveal ()
  "Scroll so that all lines of the change at point are seen, if there is room."
  (let ((end (and (patchpoint-review--at) (next-single-property-change (point) 'patchpoint-hunk nil (point-max)))))
    (dolist (window (and end (get-buffer-window-list nil nil t)))
      (when (< (window-end window t) end)
        (with-selected-window window (recenter 1))))))

(defun patchpoint-review--go (step)
  "Go to the next change or, where STEP is -1, to the one before."
  (let* ((starts (mapcar #'car (patchpoint-review--places)))
         (there (if (= step 1)
                    (seq-find (lambda (start) (> start (point))) starts)
                  (car (last (seq-filter (lambda (start) (< start (point))) starts))))))
    (unless there
      (user-error "No change %s" (if (= step 1) "after this" "before this")))
    (goto-char there)
    (patchpoint-review--refine)
    (patchpoint-review--reveal)))

(defun patchpoint-review-next ()
  "Go to the next change."
  (interactive)
  (patchpoint-review--go 1))

(defun patchpoint-review-previous ()
  "Go to the change before."
  (interactive)
  (patchpoint-review--go -1))

(defun patchpoint-review-toggle ()
  "Fold the change at point or, on the heading of a file, all of its changes.
Where they are folded, open them."
  (interactive)
  (let* ((uri (get-text-property (point) 'patchpoint-file))
         (changes (if uri
                      (patchpoint-review--hunks (alist-get uri patchpoint-review--files nil nil #'equal))
                    (list (cdr (patchpoint-review--here)))))
         (ids (mapcar (lambda (hunk) (patchpoint--get hunk :id)) changes))
         (bodies (seq-filter (lambda (overlay) (member (overlay-get overlay 'patchpoint-body) ids))
                             (overlays-in (point-min) (point-max))))
         (folds (seq-some (lambda (overlay) (not (overlay-get overlay 'invisible))) bodies)))
    (dolist (overlay bodies)
      (setf (alist-get (overlay-get overlay 'patchpoint-body) patchpoint-review--folds nil nil #'equal) folds)
      (overlay-put overlay 'invisible (and folds 'patchpoint-review)))))

;;; What the server is asked for.

(defun patchpoint-review--call (name arguments then &optional refused)
  "Call the server's command NAME with ARGUMENTS.
Then call THEN or REFUSED in this buffer."
  (let ((here (current-buffer)))
    (cl-flet ((there (function)
                (and function
                     (lambda (answer)
                       (when (buffer-live-p here)
                         (with-current-buffer here (funcall function answer)))))))
      (patchpoint--call-there name arguments (there then) (there refused)))))

(defun patchpoint-review--buffer (name files id source answer)
  "Return the buffer called NAME with the changes of FILES.
They are of the review or preview ID, from the server of the buffer SOURCE.
ANSWER is what is previewed."
  (with-current-buffer (get-buffer-create name)
    (unless (derived-mode-p 'patchpoint-review-mode)
      (patchpoint-review-mode))
    (setq patchpoint--source source
          patchpoint-review--id id
          patchpoint-review--answer answer
          patchpoint-review--files (mapcar (lambda (file) (cons (patchpoint--get file :uri) file))
                                           (patchpoint-review--list files)))
    (current-buffer)))

(defun patchpoint-review--first ()
  "Print the changes, and go to the first that is undecided."
  (patchpoint-review--print)
  (let ((first (seq-find (lambda (place) (patchpoint-review--undecided-p (cddr place))) (patchpoint-review--places))))
    (goto-char (or (car first) (point-min)))
    (patchpoint-review--refine)))

(defun patchpoint-review--receive (review source)
  "Show REVIEW, the result of a command, asked for in the buffer SOURCE."
  (with-current-buffer (patchpoint-review--buffer "*Patchpoint Review*" (patchpoint--get review :files)
                                                  (patchpoint--get review :review) source nil)
    (setq patchpoint-review--numbers (patchpoint-review--tally review))
    (if (patchpoint-review--at)
        (patchpoint-review--print)
      (patchpoint-review--first))
    (unless patchpoint-review--files
      (message "Patchpoint: nothing has changed"))
    (current-buffer)))

(defun patchpoint-review--tally (answer)
  "Return how many changes are open, kept and reverted, from ANSWER."
  (mapcar (lambda (key) (patchpoint--get answer key)) '(:open :kept :takenBack)))

(defun patchpoint-review--look-again ()
  "Ask the server for the changes again."
  (if patchpoint-review--answer
      (patchpoint-review--call "reviewChanges" (list :review patchpoint-review--id) #'patchpoint-review--chosen)
    (let ((source patchpoint--source))
      (patchpoint-review--call "reviewChanges" (list :since patchpoint-review--id)
                               (lambda (review) (patchpoint-review--receive review source))))))

;;;###autoload
(defun patchpoint-review (&optional since)
  "Show what was written since the newest turn of an agent, change by change.
With a prefix argument, ask for the checkpoint SINCE which to review.  A review
that is not finished goes on."
  (interactive (list (and current-prefix-arg (read-string "Since checkpoint: " "last"))))
  (let ((source (current-buffer)))
    (patchpoint--call "reviewChanges" (and since (list :since since))
                      (lambda (review) (pop-to-buffer (patchpoint-review--receive review source))))))

(defun patchpoint-review-of-answer (result text source)
  "Show what the edits of TEXT would change, from RESULT, that of a dry run.
SOURCE is the buffer whose server was asked."
  (with-current-buffer (patchpoint-review--buffer "*Patchpoint Preview*" (patchpoint--get result :files)
                                                  (patchpoint--get result :preview) source text)
    (patchpoint-review--first)
    (display-buffer (current-buffer))))

(defun patchpoint-review--meant ()
  "Return the changes that are meant.
They are those in the region, of a file on its heading, or the one at point."
  (let ((uri (get-text-property (point) 'patchpoint-file)))
    (cond ((use-region-p) (mapcar #'cdr (patchpoint-review--places (region-beginning) (region-end))))
          (uri (mapcar (lambda (hunk) (cons uri hunk))
                       (patchpoint-review--hunks (alist-get uri patchpoint-review--files nil nil #'equal))))
          (t (list (patchpoint-review--here))))))

(defun patchpoint-review--decide (decision &optional reason)
  "Make DECISION about the changes that are meant, for REASON.
Then go on to the next that is undecided."
  (let* ((changes (patchpoint-review--meant))
         (ids (mapcar (lambda (change) (patchpoint--get (cdr change) :id)) changes))
         (rest (member (car (last ids)) (mapcar (lambda (place) (patchpoint--get (cddr place) :id))
                                                (patchpoint-review--places))))
         (next (if (equal decision "open")
                   (car ids)
                 (seq-find (lambda (id)
                             (let ((place (patchpoint-review--find id)))
                               (patchpoint-review--undecided-p (cdr (patchpoint-review--at place)))))
                           (cdr rest)))))
    (deactivate-mark)
    (patchpoint-review--decide-each changes decision reason (or next (car ids)))))

(defun patchpoint-review--decide-each (changes decision reason next)
  "Make DECISION about CHANGES, one after the other, for REASON.
Then go to the one with the id NEXT."
  (when changes
    (let* ((uri (caar changes))
           (id (patchpoint--get (cdar changes) :id))
           (wanted (cond ((not patchpoint-review--answer) decision)
                         ((equal decision "takeBack") "open")
                         (t "keep"))))
      (patchpoint-review--call
       "reviewHunk" (append (list :review patchpoint-review--id :hunk id :decision wanted)
                            (unless (string-empty-p (or reason "")) (list :reason reason)))
       (lambda (answer)
         (setf (alist-get uri patchpoint-review--files nil nil #'equal) answer)
         (unless patchpoint-review--answer
           (patchpoint-review--count decision (cdar changes)))
         (setq patchpoint-review--files
               (seq-filter (lambda (entry) (patchpoint-review--hunks (cdr entry))) patchpoint-review--files))
         (patchpoint-review--print next)
         (patchpoint-review--decide-each (cdr changes) decision reason next))))))

(defun patchpoint-review--count (decision hunk)
  "Count DECISION about HUNK, as it was before."
  (cl-flet ((add (place number) (setf (nth place patchpoint-review--numbers)
                                      (+ number (nth place patchpoint-review--numbers)))))
    (add (if (equal (patchpoint--get hunk :decision) "keep") 1 0) -1)
    (add (pcase decision ("open" 0) ("keep" 1) (_ 2)) 1)))

(defun patchpoint-review--chosen (answer)
  "Show ANSWER, what is kept of a preview."
  (setq patchpoint-review--files (mapcar (lambda (file) (cons (patchpoint--get file :uri) file))
                                         (patchpoint-review--list (patchpoint--get answer :files))))
  (patchpoint-review--print))

(defun patchpoint-review-keep ()
  "Keep the change at point, those in the region, or on its heading a file's."
  (interactive)
  (patchpoint-review--decide "keep"))

(defun patchpoint-review-take-back (reason)
  "Revert the changes that \\[patchpoint-review-keep] would keep, for REASON.
The summary for the model has the reason.  In a buffer that visits the file,
they are to be saved; other files are written.  In a preview, drop them: they
are not applied, and stay pending."
  (interactive (list (if patchpoint-review--answer "" (read-string "Why, for the model (may be empty): "))))
  (patchpoint-review--decide "takeBack" reason))

(defun patchpoint-review-open ()
  "Decide again about the change at point."
  (interactive)
  (patchpoint-review--decide "open"))

(defun patchpoint-review-show ()
  "Show the change at point in its file or, of a deleted file, what it was."
  (interactive)
  (let ((change (patchpoint-review--here)))
    (if (equal "delete" (patchpoint--get (alist-get (car change) patchpoint-review--files nil nil #'equal) :operation))
        (patchpoint-review--with-original (car change) #'pop-to-buffer)
      (find-file-other-window (patchpoint--path (car change)))
      (goto-char (point-min))
      (forward-line (1- (or (patchpoint-review--line (cdr change)) 1))))))

(defun patchpoint-review--with-original (uri then)
  "Call THEN with a buffer that has the file URI as it was at the checkpoint."
  (when patchpoint-review--answer
    (user-error "A preview has changed nothing yet; look at the file"))
  (patchpoint-review--call
   "diffCheckpoint" (list :checkpoint patchpoint-review--id :uri uri)
   (lambda (answer)
     (let* ((file (car (patchpoint-review--list (patchpoint--get answer :files))))
            (original (and file (patchpoint--value (patchpoint--get file :originalUri)))))
       (if original
           (run-at-time 0 nil (lambda ()
                                (let ((buffer (find-file-noselect (patchpoint--path original))))
                                  (with-current-buffer buffer (setq buffer-read-only t))
                                  (funcall then buffer))))
         (message "Patchpoint: the file was not there before"))))))

(defun patchpoint-review-compare ()
  "Compare the file of the change at point with what it was, in ediff."
  (interactive)
  (let ((uri (or (get-text-property (point) 'patchpoint-file) (car (patchpoint-review--here)))))
    (patchpoint-review--with-original
     uri (lambda (original) (ediff-buffers original (find-file-noselect (patchpoint--path uri)))))))

;;; The end.

(defun patchpoint-review-apply ()
  "Apply what is kept of this preview, and close it.
If that would change something else by now, nothing is applied, and that is
shown instead."
  (interactive)
  (unless patchpoint-review--answer
    (user-error "This is a review; \\[patchpoint-review-finish] finishes it"))
  (patchpoint-review--call
   "finishReview" (list :review patchpoint-review--id)
   (lambda (answer)
     (kill-buffer)
     (patchpoint--report-edits (patchpoint--get answer :result)))
   (lambda (code)
     (when (equal code "preview-outdated")
       (patchpoint-review--look-again)))))

(defun patchpoint-review-finish ()
  "End the review, and copy a summary for the model.
Ask first where a file of it is not saved.  A preview is applied."
  (interactive)
  (let ((list (current-buffer)))
    (if patchpoint-review--answer
        (patchpoint-review-apply)
      (patchpoint-review--call
       "finishReview" (list :review patchpoint-review--id :dryRun t)
       (lambda (answer)
         (let ((unsaved (mapcar #'patchpoint--path (patchpoint-review--list (patchpoint--get answer :unsaved)))))
           (if unsaved
               ;; Not in the process filter, because it asks the person.
               (run-at-time 0 nil #'patchpoint-review--save-and-finish list unsaved)
             (patchpoint-review--finish))))))))

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

;; In this file, changes are a noun.
;; Local Variables:
;; checkdoc-verb-check-experimental-flag: nil
;; End:
;;; patchpoint-review.el ends here
