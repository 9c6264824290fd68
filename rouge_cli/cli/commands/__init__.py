"""The commands of `rouge-cli`, each a module with a click command named `command`;
found by folder.
"""
