project = "Edge"
extensions = ["sphinx.ext.extlinks"]
html_theme = "furo"
exclude_patterns = ["_build", "parts", "EXCLUDED.rst"]
version = "2.1"
release = "2.1.4"
extlinks = {"issue": ("https://example.com/issues/%s", "#%s")}
rst_epilog = """
.. |product| replace:: The *Product*
.. _the project: https://example.com/project
"""
