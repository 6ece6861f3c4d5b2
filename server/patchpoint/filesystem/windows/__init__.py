"""What Windows can do and Python has no function for: owners of files, files replaced in place, processes,
long paths.

Each calls the system through ctypes, and is called where `sys.platform` is `win32` only.
"""
