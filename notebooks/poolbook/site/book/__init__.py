"""The workbook as a site that needs no server: ``./workbook book`` writes build/book."""
