;;; An Emacs at a terminal, set up as docs/editors/emacs.md says.  -*- lexical-binding: t -*-

(add-to-list 'load-path (getenv "PLUGIN"))
(require 'patchpoint)
(require 'eglot)
(setq native-comp-async-report-warnings-errors nil
      inhibit-startup-screen t
      make-backup-files nil
      auto-save-default nil
      create-lockfiles nil
      revert-without-query '(".*")
      eglot-confirm-server-initiated-edits nil)
(menu-bar-mode -1)
(add-to-list 'eglot-server-programs '((prog-mode text-mode) . ("patchpoint")))
(add-hook 'text-mode-hook #'eglot-ensure)
(add-hook 'prog-mode-hook #'eglot-ensure)
(global-auto-revert-mode 1)
