;;; A clean home with the lines of the page: from an open file to a kept change of a review.  -*- lexical-binding: t -*-

;; lsp-mode asks once whether the folder is a project; the person says so.
(fset 'read-char-from-minibuffer (lambda (&rest _) ?i))

(defun await (what predicate)
  "Wait until PREDICATE holds, else end with an account of WHAT was awaited."
  (let ((deadline (+ (float-time) 60)))
    (while (and (not (funcall predicate)) (< (float-time) deadline))
      (accept-process-output nil 0.02))
    (unless (funcall predicate)
      (message "timed out waiting for %s" what)
      (kill-emacs 1))))

(defun changes ()
  "The changes of the review."
  (let ((buffer (get-buffer "*Patchpoint Review*")))
    (and buffer (with-current-buffer buffer (mapcar #'cddr (patchpoint-review--places))))))

(defun kept ()
  "How many of them are kept."
  (seq-count (lambda (hunk) (equal "keep" (patchpoint--get hunk :decision))) (changes)))

;; In this order, as Emacs does when it is started with a screen.
(package-activate-all)
(load (expand-file-name "~/.emacs.d/init.el"))
(find-file "one.txt")
(if (equal (getenv "CLIENT") "eglot")
    (call-interactively #'eglot)
  (lsp))
(await "the server" (lambda () (or (bound-and-true-p eglot--managed-mode) (bound-and-true-p lsp-managed-mode))))
(call-interactively #'patchpoint-review)
(await "twelve changes" (lambda () (= 12 (length (changes)))))
(set-buffer "*Patchpoint Review*")
(call-interactively (key-binding "k"))
(await "a kept change" (lambda () (= 1 (kept))))
(with-temp-file (getenv "SEEN")
  (insert (json-serialize
           (list :kept (kept)
                 :reverting (if global-auto-revert-mode t :json-false))
           :false-object :json-false)))
(kill-emacs 0)
