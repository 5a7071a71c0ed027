"""Two databases that nobody has described: what `curtain learn` makes of keys of several columns, references to the same
table, two dates or times in a table, tables that only connect, and views."""
