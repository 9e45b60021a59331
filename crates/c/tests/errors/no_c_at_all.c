Dear reader,
this is a letter and not a program.
