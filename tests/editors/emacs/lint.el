;;; What package-lint, the byte compiler and checkdoc find in the packages.  -*- lexical-binding: t -*-

;; They are three: patchpoint.el with patchpoint-pending.el and patchpoint-review.el, and one for each client.

(require 'package)
(package-initialize)
(dolist (folder (directory-files (getenv "LISP") t "\\`[a-z]"))
  (add-to-list 'load-path folder))
(require 'package-lint)
(require 'checkdoc)
(require 'json)

(defun in-an-archive (name version)
  "An entry of an archive for the package NAME of VERSION."
  (list name (package-desc-create :name name :version version :kind 'tar :archive "an archive")))

;; What can be installed, as no archive is asked; and eglot, in Emacs since 29, is one of the packages for those before.
(setq package-archive-contents (list (in-an-archive 'eglot '(1 9)) (in-an-archive 'lsp-mode '(9 0 0))
                                     (in-an-archive 'patchpoint '(0 1 0))))
(push '(eglot "\\`eglot-" eglot) package-lint-backport-libraries)

(defun findings (file main)
  "What package-lint finds in FILE of the package whose main file is MAIN."
  (let ((package-lint-main-file main))
    (with-temp-buffer
      (insert-file-contents file t)
      (emacs-lisp-mode)
      (mapcar (lambda (one)
                (format "%s:%d: %s" (file-name-nondirectory file) (nth 0 one) (nth 3 one)))
              (package-lint-buffer)))))

(defun faults (file)
  "What checkdoc finds in FILE."
  (let* ((found nil)
         (checkdoc-create-error-function
          (lambda (text start &rest _)
            (push (format "%s:%d: %s" (file-name-nondirectory file) (if start (line-number-at-pos start) 0) text) found)
            nil)))
    (with-current-buffer (find-file-noselect file)
      (checkdoc-current-buffer t))
    found))

(defvar said nil)

(defun compiled (file)
  "What the byte compiler says of FILE."
  (let ((byte-compile-dest-file-function (lambda (_) (make-temp-file "compiled")))
        (byte-compile-log-warning-function
         (lambda (text &rest _) (push (format "%s: %s" (file-name-nondirectory file) text) said)))
        (said nil))
    (byte-compile-file file)
    said))

(let* ((folder (getenv "PLUGIN"))
       (main (expand-file-name "patchpoint.el" folder))
       (found nil))
  (add-to-list 'load-path folder)
  (dolist (file (directory-files folder t "\\.el\\'"))
    (let ((own (member (file-name-base file) '("lsp-patchpoint" "patchpoint-eglot"))))
      (setq found (append found (findings file (if own file main)) (compiled file) (faults file)))))
  (with-temp-file (getenv "SEEN")
    (insert (json-serialize (list :found (vconcat found))))))
