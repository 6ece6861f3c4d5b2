;;; A review as a person does it, in the list of changes.  -*- lexical-binding: t -*-

(load (expand-file-name (getenv "CLIENT") (file-name-directory load-file-name)))

(defun list-buffer () (get-buffer "*Patchpoint Review*"))

(defun headings ()
  "The headings of the files and changes that the list shows."
  (seq-filter (lambda (line) (string-match-p "\\`\\(@@\\|[a-z]+  \\)" line)) (split-string (text-of (list-buffer)) "\n")))

(defun changes ()
  "The changes of the list, each with where it begins and the URI of its file."
  (with-current-buffer (list-buffer) (patchpoint-review--places)))

(defun await-changes (count)
  "Wait until the list has COUNT changes."
  (await (format "%d changes" count) (lambda () (and (list-buffer) (= count (length (changes)))))))

(defun go-to (file line)
  "Go to the change of FILE at LINE, or of the file as a whole."
  (set-buffer (list-buffer))
  (goto-char (car (seq-find (lambda (change)
                              (and (string-suffix-p (concat "/" file) (cadr change))
                                   (equal line (patchpoint-review--line (cddr change)))))
                            (changes)))))

(defun kept ()
  "How many changes are kept."
  (seq-count (lambda (change) (equal "keep" (patchpoint--get (cddr change) :decision))) (changes)))

(defun at-point ()
  "The line at point in the list."
  (with-current-buffer (list-buffer) (buffer-substring-no-properties (line-beginning-position) (line-end-position))))

(let ((one (open-file "one.txt"))
      (seen nil))
  (set-buffer one)
  (patchpoint-review)
  (await-changes 12)
  (setq seen (list :headings (vconcat (headings))
                   :window (vconcat (seq-take (split-string (text-of (list-buffer)) "\n") 26))))
  ;; The keys go forth and back; a fold hides the lines of a change, and opens again.
  (set-buffer (list-buffer))
  (goto-char (point-min))
  (patchpoint-review-next)
  (patchpoint-review-next)
  (patchpoint-review-previous)
  (setq seen (plist-put seen :at (at-point)))
  (let ((body (lambda () (invisible-p (line-end-position 2)))))
    (patchpoint-review-toggle)
    (setq seen (plist-put seen :folded (if (funcall body) t :json-false)))
    (patchpoint-review-toggle)
    (setq seen (plist-put seen :opened (if (funcall body) :json-false t))))
  (go-to "two.txt" 16)
  (setq seen (plist-put seen :faces (vconcat (mapcar #'symbol-name
                                                     (seq-uniq (list (get-text-property (line-beginning-position 5) 'face)
                                                                     (get-text-property (line-beginning-position 6) 'face)))))))
  ;; What it was and what it is are compared.
  (go-to "one.txt" 2)
  (let (compared)
    (cl-letf (((symbol-function 'ediff-buffers)
               (lambda (one other) (setq compared (vector (text-of one) (text-of other))))))
      (patchpoint-review-compare)
      (await "the comparison" (lambda () compared)))
    (setq seen (plist-put seen :compared compared)))
  (go-to "three.txt" 1)
  (patchpoint-review-take-back "the numbers are tested")
  (await-changes 11)
  (go-to "three.txt" 10)
  (patchpoint-review-take-back "")
  (await-changes 10)
  (go-to "one.txt" 12)
  (patchpoint-review-take-back "")
  (await-changes 9)
  ;; Point is at the change that follows, which has moved by a line.
  (setq seen (plist-put seen :after (at-point)))
  (await "line 12 in the buffer" (lambda () (contains one "line 12\n")))
  (go-to "two.txt" 32)
  (patchpoint-review-take-back "")
  (await-changes 8)
  (go-to "made.txt" nil)
  (patchpoint-review-take-back "nobody needs it")
  (await-changes 7)
  ;; A region keeps all changes in it, and point goes on by itself.
  (set-buffer (list-buffer))
  (goto-char (point-min))
  (patchpoint-review-next)
  (transient-mark-mode 1)
  (push-mark (1+ (car (nth 1 (changes)))) t t)
  (goto-char (line-end-position))
  (patchpoint-review-keep)
  (await "two to be kept" (lambda () (= (kept) 2)))
  (dotimes (number 5)
    (set-buffer (list-buffer))
    (patchpoint-review-keep)
    (await "the change to be kept" (lambda () (= (kept) (+ number 3)))))
  (setq seen (plist-put seen :title (car (split-string (text-of (list-buffer)) "\n"))))
  ;; One file is not saved: the review goes on at first, and then is finished with it.
  (let (asked)
    (cl-letf (((symbol-function 'read-multiple-choice)
               (lambda (prompt choices)
                 (push prompt asked)
                 (assq (if (cdr asked) ?s ?g) choices))))
      (set-buffer (list-buffer))
      (patchpoint-review-finish)
      (await "the question" (lambda () asked))
      (set-buffer (list-buffer))
      (patchpoint-review-finish)
      (await "the question again" (lambda () (cdr asked))))
    (setq seen (plist-put seen :asked (vconcat asked))))
  (setq seen (plist-put seen :said (await-message "summary copied")))
  (setq seen (plist-put seen :summary (substring-no-properties (current-kill 0))))
  (end-having seen))
