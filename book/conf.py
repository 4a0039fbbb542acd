"""Sphinx's settings for the book; `poolbook.site.book.build` copies them beside the pages."""

project = "The Object Pool Workbook"
author = "the workbook's authors"
extensions = ["myst_nb", "sphinx_copybutton", "sphinx_design"]
html_theme = "sphinx_book_theme"
html_title = project
html_static_path = ["_static"]
html_css_files = ["book.css"]
html_js_files = ["explorer.js", "claims.js"]
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_show_search_summary = False  # it would have to read other files, which a page from a file may not
html_theme_options = {
    "use_download_button": False,
    "use_fullscreen_button": False,
    "use_issues_button": False,
    "navbar_persistent": [],  # the default is a second search
    "show_toc_level": 2,
    "show_navbar_depth": 1,
    "home_page_in_toc": True,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
nb_execution_mode = "off"  # the results are those of the worked edition
nb_merge_streams = True
nb_code_prompt_show = "Show the {type}"  # of a cell with the tag hide-input
nb_code_prompt_hide = "Hide the {type}"
nb_render_markdown_format = "myst"  # the default knows no tables, which cells in Java show
myst_enable_extensions = ["colon_fence"]
copybutton_selector = "div.cell_input div.highlight pre, div.yourself div.highlight pre"
suppress_warnings = ["mystnb.unknown_mime_type", "myst.header"]
exclude_patterns = ["doctrees"]
