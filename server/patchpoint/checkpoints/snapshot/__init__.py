"""Recording a working tree: scan, stat cache, blobs, trees and what is staged."""
