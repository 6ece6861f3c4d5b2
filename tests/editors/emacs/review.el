;;; A review as a person does it, in the list of changes.  -*- lexical-binding: t -*-

(load (expand-file-name (getenv "CLIENT") (file-name-directory load-file-name)))

(defun list-buffer () (get-buffer "*Patchpoint Review*"))

(defun rows ()
  "The rows of the list, as file, line, change and decision."
  (with-current-buffer (list-buffer) (mapcar #'cadr tabulated-list-entries)))

(defun await-rows (count)
  "Wait until the list has COUNT rows."
  (await (format "%d rows" count) (lambda () (and (list-buffer) (= count (length (rows)))))))

(defun go-to (file line)
  "Go to the row of FILE and LINE in the list."
  (set-buffer (list-buffer))
  (goto-char (point-min))
  (while (not (equal (list file line) (append (seq-take (tabulated-list-get-entry) 2) nil)))
    (forward-line 1)))

(defun kept ()
  "How many rows are kept."
  (seq-count (lambda (row) (equal (aref row 3) "kept")) (rows)))

(let ((one (open-file "one.txt"))
      (seen nil))
  (set-buffer one)
  (patchpoint-review)
  (await-rows 12)
  (setq seen (list :rows (vconcat (mapcar (lambda (row) (string-join (append row nil) " ")) (rows)))
                   :window (vconcat (split-string (string-trim-right (text-of (list-buffer))) "\n"))))
  (go-to "three.txt" "1")
  (patchpoint-review-take-back "the numbers are tested")
  (await-rows 11)
  (go-to "three.txt" "10")
  (patchpoint-review-take-back "")
  (await-rows 10)
  (go-to "one.txt" "12")
  (patchpoint-review-take-back "")
  (await-rows 9)
  ;; Point is at the change that follows, which has moved by a line.
  (setq seen (plist-put seen :after (with-current-buffer (list-buffer) (tabulated-list-get-entry))))
  (await "line 12 in the buffer" (lambda () (contains one "line 12\n")))
  (go-to "two.txt" "32")
  (patchpoint-review-take-back "")
  (await-rows 8)
  (go-to "made.txt" "")
  (patchpoint-review-take-back "nobody needs it")
  (await-rows 7)
  (dotimes (number 7)
    (set-buffer (list-buffer))
    (goto-char (point-min))
    (while (equal "kept" (aref (tabulated-list-get-entry) 3))
      (forward-line 1))
    (patchpoint-review-keep)
    (await "the row to be kept" (lambda () (= (kept) (1+ number)))))
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
