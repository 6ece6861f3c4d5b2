;;; patchpoint-pending.el --- The edits that wait for a decision  -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Keywords: tools, convenience

;;; Commentary:

;; M-x patchpoint-pending lists the edits that could not be applied, each at the places where it could go.  In the list, RET
;; shows a place, a applies the edit there, d discards it, and g looks again.

;;; Code:

(require 'patchpoint)
(require 'tabulated-list)

(defvar patchpoint-pending-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'patchpoint-pending-show)
    (define-key map "a" #'patchpoint-pending-apply)
    (define-key map "d" #'patchpoint-pending-discard)
    map)
  "The keys of the list of pending edits.")

(define-derived-mode patchpoint-pending-mode tabulated-list-mode "Patchpoint Pending"
  "The edits that could not be applied, each at the places where it could go.

\\{patchpoint-pending-mode-map}"
  (setq tabulated-list-format [("File" 32 nil) ("Line" 6 nil) ("Alike" 7 nil) ("Where" 24 nil) ("What is the matter" 60 nil)]
        tabulated-list-padding 1)
  (setq-local revert-buffer-function (lambda (&rest _) (patchpoint-pending--look-again)))
  (tabulated-list-init-header))

(defun patchpoint-pending--row (edit number candidate)
  "Return the row of EDIT at its CANDIDATE, the NUMBER-th of them.
NUMBER and CANDIDATE are nil for an edit that has none."
  (let* ((uri (patchpoint--get edit :uri))
         (place (or candidate edit))
         (range (patchpoint--value (patchpoint--get place :range)))
         (line (and range (1+ (patchpoint--get (patchpoint--get range :start) :line))))
         (path (if (string-empty-p uri) "" (patchpoint--path uri))))
    (list (list :edit (patchpoint--get edit :id) :candidate number :path path :line line)
          (vector (file-name-nondirectory path)
                  (if line (number-to-string line) "")
                  (if candidate (format "%d %%" (floor (* 100 (patchpoint--get candidate :similarity)))) "")
                  (if candidate (patchpoint--get candidate :where) "")
                  (car (split-string (patchpoint--get edit :message) "\n"))))))

(defun patchpoint-pending--rows (edits)
  "Return the rows of EDITS."
  (mapcan (lambda (edit)
            (let ((number 0))
              (or (mapcar (lambda (candidate) (patchpoint-pending--row edit (setq number (1+ number)) candidate))
                          (append (patchpoint--get edit :candidates) nil))
                  (list (patchpoint-pending--row edit nil nil)))))
          edits))

(defun patchpoint-pending--receive (answer source)
  "Show ANSWER, the result of the command, asked for in the buffer SOURCE."
  (with-current-buffer (get-buffer-create "*Patchpoint Pending*")
    (unless (derived-mode-p 'patchpoint-pending-mode)
      (patchpoint-pending-mode))
    (setq patchpoint--source source
          tabulated-list-entries (patchpoint-pending--rows (append (patchpoint--get answer :edits) nil)))
    (tabulated-list-print t)
    (unless tabulated-list-entries
      (message "Patchpoint: no pending edits"))
    (current-buffer)))

(defun patchpoint-pending--look-again ()
  "Ask the server for the pending edits again."
  (let ((source patchpoint--source))
    (patchpoint--call-there "listPendingEdits" nil
                            (lambda (answer) (patchpoint-pending--receive answer source)))))

;;;###autoload
(defun patchpoint-pending ()
  "List the edits that could not be applied, each at the places where it could go."
  (interactive)
  (let ((source (current-buffer)))
    (patchpoint--call "listPendingEdits" nil
                      (lambda (answer) (pop-to-buffer (patchpoint-pending--receive answer source))))))

(defun patchpoint-pending--here ()
  "Return the row at point."
  (or (tabulated-list-get-id) (user-error "No edit here")))

(defun patchpoint-pending-show ()
  "Show the place at point."
  (interactive)
  (let ((row (patchpoint-pending--here)))
    (find-file-other-window (plist-get row :path))
    (goto-char (point-min))
    (forward-line (1- (or (plist-get row :line) 1)))))

(defun patchpoint-pending-apply ()
  "Apply the edit at point at the place of its row.
Where that is not known to be meant, preview it."
  (interactive)
  (let* ((row (patchpoint-pending--here))
         (number (or (plist-get row :candidate) (user-error "This edit has no place; discard it, or ask the model again")))
         (list (current-buffer)))
    (patchpoint--call-there "resolveEdit" (list :edit (plist-get row :edit) :candidate number :previewed t)
                            (lambda (answer)
                              (with-current-buffer list
                                (if (patchpoint--value (patchpoint--get answer :preview))
                                    (patchpoint-review-of-answer answer (plist-get row :edit) patchpoint--source)
                                  (patchpoint--report-edits answer)
                                  (patchpoint-pending--look-again)))))))

(defun patchpoint-pending-discard ()
  "Discard the edit at point."
  (interactive)
  (let ((list (current-buffer)))
    (patchpoint--call-there "discardEdit" (list :edit (plist-get (patchpoint-pending--here) :edit))
                            (lambda (_)
                              (with-current-buffer list (patchpoint-pending--look-again))))))

(provide 'patchpoint-pending)
;;; patchpoint-pending.el ends here
