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
extensions += ["sphinx.ext.ifconfig"]
is_draft = False
level = "beta"


def setup(app):
    app.add_config_value("is_draft", False, "env")
    app.add_config_value("level", "stable", "env")
